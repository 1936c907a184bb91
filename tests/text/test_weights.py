"""tf, idf and norm against slow twins; the rows' form; the sort."""

import random
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from hardlimit import _native
from hardlimit.text import TextVectorizer, logs

from ..rounding import SINGLE, near, roundings
from .alphabet import CASES

TEXTS = [*CASES.values(), "the cat and the dog and the the", "the cat", "dog", "", "the end"]


def twin(counts, frequencies, n, tf, idf, norm):
    """One row's weights with 50 digits."""
    with localcontext() as context:
        context.prec = 50
        of_tf = {
            "raw": Decimal,
            "binary": lambda c: Decimal(1),
            "sublinear": lambda c: 1 + Decimal(c).ln(),
        }
        of_idf = {
            "smooth": lambda df: (Decimal(1 + n) / Decimal(1 + df)).ln() + 1,
            "ratio": lambda df: 1 / Decimal(df),
            None: lambda df: Decimal(1),
        }
        values = [
            of_tf[tf](int(c)) * of_idf[idf](int(df))
            for c, df in zip(counts, frequencies, strict=True)
        ]
        length = sum((v * v for v in values), Decimal(0)).sqrt() if norm and values else Decimal(1)
        return [float(v / length) for v in values]


@pytest.mark.parametrize("tf", ["raw", "binary", "sublinear"])
@pytest.mark.parametrize("idf", ["smooth", "ratio", None])
@pytest.mark.parametrize("norm", ["l2", None])
@pytest.mark.parametrize("hash_bits", [None, 7])
def test_weights_against_fifty_digits(tf, idf, norm, hash_bits):
    counts = TextVectorizer(hash_bits=hash_bits, tf="raw", idf=None, norm=None).fit_transform(TEXTS)
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    vectorizer = TextVectorizer(hash_bits=hash_bits, tf=tf, idf=idf, norm=norm)
    for found in (vectorizer.fit_transform(TEXTS), vectorizer.transform(TEXTS)):
        assert np.array_equal(found.indices, counts.indices)
        for row in range(len(TEXTS)):
            part = slice(counts.indptr[row], counts.indptr[row + 1])
            columns = counts.indices[part]
            want = twin(counts.data[part], frequencies[columns], len(TEXTS), tf, idf, norm)
            assert np.array_equal(found.data[part], np.array(want, dtype=np.float32))


def test_tf_idf_equals_scikit_learn():
    texts = [text for name, text in CASES.items() if name not in {"chinese", "japanese", "thai"}]
    texts = [
        text
        for text in texts
        if not any(n[0] == "{" for n in TextVectorizer().fit([text]).get_feature_names_out())
    ]
    theirs = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    want = theirs.fit_transform(texts).toarray()
    ours = TextVectorizer()
    found = ours.fit_transform(texts).toarray()
    order = [theirs.vocabulary_[name] for name in ours.get_feature_names_out()]
    assert np.abs(found - want[:, order]).max() < roundings(10, SINGLE)


def test_a_row_by_hand():
    # Two documents; "prize" is in both: idf ln(3/3) + 1 = 1, "win" in one: ln(3/2) + 1.
    row = TextVectorizer(words=(1, 1), norm=None).fit_rows(["win win prize", "prize"]).data
    assert row.tolist() == near([(1 + np.log(2)) * (1 + np.log(1.5)), 1, 1], 2, unit=SINGLE)
    ratio = TextVectorizer(words=(1, 1), tf="raw", idf="ratio", norm=None)
    assert ratio.fit_rows(["win win prize", "prize"]).data.tolist() == [2, 0.5, 0.5]


def test_the_norm_adds_in_the_documented_order():
    rng = random.Random(1)
    text = " ".join(f"w{rng.randrange(60)}" for _ in range(900))
    raw = TextVectorizer(words=(1, 1), idf=None, norm=None, tf="sublinear").fit_rows([text])
    lanes = [0.0] * 8
    values = [logs.sublinear(text.split().count(f"{w}")) for w in dict.fromkeys(text.split())]
    for column, value in enumerate(values):
        lanes[column & 7] += value * value
    s = lanes
    norm = (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) ** 0.5
    found = TextVectorizer(words=(1, 1), idf=None).fit_rows([text])
    assert np.array_equal(raw.data, np.array(values, dtype=np.float32))
    assert np.array_equal(found.data, np.array([v / norm for v in values], dtype=np.float32))


def test_logarithms_are_correctly_rounded():
    with localcontext() as context:
        context.prec = 60
        for count in [*range(1, 400), 65_521, 2**20 - 3, 2**20, 2**20 + 7, 999_983]:
            assert abs(logs.log(count) - Decimal(count).ln()) < Decimal("1e-33")
        for count in [1, 2, 3, 10, 97, 4096, 123_456_789, 2**31]:
            assert logs.sublinear(count) == float(1 + Decimal(count).ln())
            want = (Decimal(1 + 2**31) / Decimal(1 + count)).ln() + 1
            assert logs.smooth_idf(2**31, count) == float(want)


@pytest.mark.parametrize("hash_bits", [None, 12])
def test_rows_are_canonical(hash_bits):
    rows = TextVectorizer(hash_bits=hash_bits, chars=(2, 3)).fit_rows(TEXTS)
    assert rows.indptr.dtype == np.int64
    assert rows.indices.dtype == np.int32 and rows.data.dtype == np.float32
    for start, end in zip(rows.indptr, rows.indptr[1:], strict=False):
        assert np.all(np.diff(rows.indices[start:end]) > 0)
    assert rows.indices.max() < rows.n_columns and np.isfinite(rows.data).all()
    matrix = rows.to_scipy()
    assert matrix.dtype == np.float32 and matrix.indices.dtype == np.int32
    matrix.has_canonical_format = False
    assert matrix.copy().has_canonical_format or not matrix.sum_duplicates()


@given(st.lists(st.integers(0, 2**31 - 1), max_size=200))
def test_the_sort_of_short_documents(columns):
    assert _native.sorted_columns(columns, 31) == sorted(columns)


@pytest.mark.parametrize("n", [39, 40, 41, 599, 600, 5000, 59_999, 60_001, 200_000])
@pytest.mark.parametrize("bits", [1, 8, 11, 12, 20, 22, 31])
def test_the_sort_of_long_documents(n, bits):
    rng = np.random.default_rng(n + bits)
    columns = rng.integers(0, 2**bits, n)
    assert np.array_equal(_native.sorted_columns(columns.tolist(), bits), np.sort(columns))
    same = [columns[0].item()] * n
    assert _native.sorted_columns(same, bits) == same
