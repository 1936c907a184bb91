from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import InputError, KindError

from ..rounding import near

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TARGET = np.array([1.0, -1.0])


def rows_of(X, target=TARGET, bias=1.0):
    return SignedRows(read_entries(X), target, bias)


@given(st.lists(st.lists(FLOATS, min_size=2, max_size=2), min_size=2, max_size=2), FLOATS)
def test_the_integers_are_the_floats_exactly(X, bias):
    bias = bias or 1.0
    for given_as in (np.array(X), csr_matrix(np.array(X))):
        rows = rows_of(given_as, bias=bias)
        for i, (x, y) in enumerate(zip(X, (1, -1), strict=True)):
            wanted = {j: y * Fraction(v) for j, v in enumerate([*x, bias]) if v}
            assert {j: Fraction(v, rows.scales[j]) for j, v in rows.exact(i).items()} == wanted


def test_integers_stay_integers_and_fractions_are_exact():
    assert rows_of(np.array([[2, 0], [3, 4]])).is_integer
    rows = rows_of([[Fraction(1, 3), 0], [10**20, -1]])
    assert rows.exact(0) == {0: 1, 2: 1}
    assert rows.exact(1) == {0: -3 * 10**20, 1: 1, 2: -1}
    assert rows.scales == [3, 1, 1]
    large = np.array([[2**53 + 1], [0]])
    assert rows_of(large).exact(0)[0] == 2**53 + 1


@pytest.mark.parametrize("bias", [None, 2.0])
def test_dense_and_sparse_are_the_same_rows(bias):
    X = np.array([[1.0, 0, -2], [0, 0, 0.5], [0, 0, 0]])
    target = np.array([1.0, -1, -1])
    dense, sparse = (rows_of(x, target, bias) for x in (X, csr_matrix(X)))
    w, p = np.arange(1.0, dense.n_columns + 1), np.array([3.0, 1, 2])
    signed = X * target[:, None]
    if bias:
        signed = np.hstack([signed, bias * target[:, None]])
    for rows in (dense, sparse):
        np.testing.assert_array_equal(rows.dot(w), signed @ w)
        np.testing.assert_array_equal(rows.transposed(p), p @ signed)
        assert rows.norms == near(np.sqrt((signed**2).sum(1)), 20)
        assert [rows.exact(i) for i in range(3)] == [dense.exact(i) for i in range(3)]
    assert sparse.is_sparse and not dense.is_sparse


@pytest.mark.parametrize(
    ("X", "error", "said"),
    [
        ([[1.0, 2], [np.nan, 1]], InputError, "row 1, column 0: certify: got NaN"),
        (csr_matrix([[1.0, 0], [0, np.inf]]), InputError, "row 1, column 1: certify: got an inf"),
        ([1.0, 2], InputError, "wanted (n_rows, n_columns)"),
        ([["a", "b"]], KindError, "wanted numbers"),
        ([[Fraction(1, 2)], [1, 2]], InputError, "row 1 is not a list of 1 number"),
        ([[10**400], [1]], InputError, "beyond the floats"),
        ([[Fraction(1, 2)], ["x"]], KindError, "got 'x', wanted a number"),
    ],
)
def test_what_is_no_matrix_of_finite_numbers_is_refused(X, error, said):
    with pytest.raises(error) as caught:
        rows_of(X)
    assert said in str(caught.value)
