"""The digest of signed rows: what changes it, what does not, and its text by hand."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_matrix

from hardlimit.certificates import SignedRows
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import compute_digest

X = np.array([[0.5, 0.0], [3.0, -20.0]])
Y = np.array([1, -1])


def digest(X=X, y=Y, bias=1.0):
    return compute_digest(SignedRows(read_entries(X), np.asarray(y), bias))


def test_the_text_by_hand():
    """Column 0 is scaled by 2; the second row is negated; the bias is column 2."""
    text = "2 3\n2 1 1\n0:1 2:1\n0:-6 1:14 2:-1\n"
    assert digest() == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("make", [np.asfortranarray, csr_matrix, coo_matrix, np.ndarray.tolist])
def test_how_the_numbers_lie_does_not_matter(make):
    assert digest(make(X)) == digest()


def test_integers_fractions_and_floats_of_the_same_value_are_the_same():
    exact = [[Fraction(1, 2), 0], [3, -20]]
    assert digest(exact) == digest()
    assert digest(np.array([[1, 0], [2, 3]])) == digest(np.array([[1.0, 0], [2, 3]]))


@pytest.mark.parametrize(
    "other",
    [
        {"X": X + [[0, 0], [0, 1e-12]]},
        {"X": X[::-1], "y": Y[::-1]},
        {"X": X[:, ::-1]},
        {"y": -Y},
        {"bias": None},
        {"bias": 2.0},
        {"X": np.hstack([X, np.zeros((2, 1))])},
    ],
)
def test_whatever_changes_the_problem_changes_it(other):
    assert digest(**other) != digest()


def test_negative_zero_is_zero():
    assert digest(np.array([[0.5, -0.0], [3.0, -20.0]])) == digest()
