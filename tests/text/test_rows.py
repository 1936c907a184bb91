"""Rows without scipy: their shape, their terms, and the same memory as a matrix of scipy's."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest

from hardlimit.examples.sparse import Csr
from hardlimit.text import TextVectorizer

from ..rounding import SINGLE, roundings

TEXTS = ["win a prize now", "", "lunch now, lunch later", "prize prize prize"]


@pytest.fixture
def rows():
    return TextVectorizer(words=(1, 2)).fit_rows(TEXTS)


def test_the_shape_and_the_terms_of_each_document(rows):
    assert rows.shape == (4, rows.n_columns) and len(rows) == 4
    words = [{"win", "prize", "now", "win prize", "prize now"}, set(),
             {"lunch", "now", "later", "lunch now", "now lunch", "lunch later"},
             {"prize", "prize prize"}]  # fmt: skip
    assert rows.known_features.tolist() == [len(one) for one in words]


def test_rows_are_canonical_and_of_length_1(rows):
    for start, end in zip(rows.indptr, rows.indptr[1:], strict=False):
        columns, values = rows.indices[start:end], rows.data[start:end].astype(float)
        assert (np.diff(columns) > 0).all() and (values > 0).all()
        assert len(values) == 0 or abs((values**2).sum() - 1) < roundings(40, SINGLE)


def test_scipy_gets_the_same_memory(rows):
    pytest.importorskip("scipy")
    matrix = rows.to_scipy()
    assert matrix.shape == rows.shape and np.shares_memory(matrix.data, rows.data)
    assert matrix.has_canonical_format and matrix.indptr.dtype == matrix.indices.dtype
    dense = np.zeros(rows.shape)
    for i in range(len(rows)):
        for at in range(rows.indptr[i], rows.indptr[i + 1]):
            dense[i, rows.indices[at]] = rows.data[at]
    assert np.array_equal(matrix.toarray(), dense.astype(np.float32))


def test_without_scipy_the_rows_are_given(rows, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    assert rows.to_scipy() is rows


def test_rows_are_not_compared_by_value(rows):
    same = Csr(rows.indptr, rows.indices, rows.data, rows.n_columns)
    assert rows != same  # arrays have no one truth


@pytest.mark.parametrize("n", [40, 41, 499, 500, 60_001])
@pytest.mark.parametrize("bits", [1, 7, 8, 9, 11, 12, 15, 16, 17, 22, 23, 25, 31])
def test_columns_ascend_whatever_their_number_and_that_of_the_words(bits, n):
    """Long documents are sorted digit by digit, and digits of columns do not always fit evenly."""
    vectorizer = TextVectorizer(words=(1, 1), hash_bits=bits, idf=None, norm=None, tf="raw").fit(
        ["a"]
    )
    words = [f"word{k % 700}" for k in range(n)]
    column_of = dict(zip(words[:700], vectorizer.rows(words[:700]).indices.tolist(), strict=True))
    row = vectorizer.rows([" ".join(words)])
    expected = sorted(Counter(map(column_of.__getitem__, words)).items())
    assert list(zip(row.indices.tolist(), row.data.tolist(), strict=True)) == expected


@pytest.mark.parametrize("norm", ["l2", None])
def test_counts_without_idf_are_divided_by_their_length_whatever_their_size(norm):
    """Few counts, many, and one so large that the squares no longer add up in whole numbers."""
    texts = ["aa bb bb", "aa " * 7 + "bb " * 8 + "cc " * 9, "aa " * 70_000 + "bb", ""]
    vectorizer = TextVectorizer(words=(1, 1), tf="raw", idf=None, norm=norm)
    rows = vectorizer.fit_rows(texts)
    counts = np.array([[1, 2, 0], [7, 8, 9], [70_000, 1, 0], [0, 0, 0]], float)
    lengths = np.sqrt((counts**2).sum(axis=1, keepdims=True)) if norm else 1.0
    expected = (counts / np.maximum(lengths, 1e-300)).astype(np.float32)
    found = np.zeros_like(expected)
    numbers = np.repeat(np.arange(len(texts)), np.diff(rows.indptr))
    found[numbers, rows.indices] = rows.data
    assert np.array_equal(found, expected)
