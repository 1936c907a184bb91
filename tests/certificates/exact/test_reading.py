"""What a user calls a matrix: exact where it can be, refused with a place where it cannot."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csc_matrix, csr_array

from hardlimit.certificates.exact.reading import read_entries
from hardlimit.exceptions import Cell, InputError, KindError

X = np.array([[0.5, 0.0, 2.0], [0.0, -1.0, 0.0]])


@pytest.mark.parametrize("make", [coo_matrix, csc_matrix, csr_array, np.asfortranarray, list])
def test_every_form_of_floats(make):
    entries = read_entries(make(X.tolist()) if make is list else make(X))
    assert entries.shape == (2, 3) and entries.exact is None
    assert entries.values.tolist() == [0.5, 2.0, -1.0]
    assert entries.indices.tolist() == [0, 2, 1] and entries.indptr.tolist() == [0, 2, 3]


def test_stored_zeros_are_dropped():
    matrix = csr_array(X)
    matrix.data[1] = 0.0
    assert read_entries(matrix).values.tolist() == [0.5, -1.0]


@pytest.mark.parametrize(
    "matrix",
    [
        [[Fraction(1, 3), 0], [2, 5]],
        [[2**60 + 1, 0], [2, 5]],
        np.array([[2**60 + 1, 0], [2, 5]]),
        np.array([[Fraction(1, 3), 0], [2, 5]], dtype=object),
    ],
)
def test_exact_values_stand_beside_the_nearest_floats(matrix):
    entries = read_entries(matrix)
    first = matrix[0][0]
    assert entries.exact[0] == first and entries.values[0] == float(first)
    assert entries.exact[1:] == [2, 5]
    assert entries.dense is not None and entries.dense[0, 1] == 0


def test_small_integers_are_floats():
    assert read_entries(np.array([[1, 2]])).exact is None
    assert read_entries([[1, 2]]).exact is None


@pytest.mark.parametrize(
    ("matrix", "where"),
    [
        ([[1.0, float("nan")]], (0, 1)),
        ([[1.0], [float("-inf")]], (1, 0)),
        ([[Fraction(1, 3)], [float("inf")]], (1, 0)),
        ([[Fraction(1, 3)], [10**400]], (1, 0)),
    ],
)
def test_what_is_not_finite_has_a_place(matrix, where):
    with pytest.raises(InputError) as caught:
        read_entries(matrix)
    cell = caught.value.where
    assert isinstance(cell, Cell) and (cell.row, cell.column) == where
    assert caught.value.who == "certify"
    # A value that is not finite is one of X's, and not X.
    assert caught.value.parameter == ("" if caught.value.has_got else "X")
    assert caught.value.fix


def test_a_kind_that_is_no_number_has_a_place():
    with pytest.raises(KindError) as caught:
        read_entries([[Fraction(1, 2)], ["x"]], "check")
    assert (caught.value.where, caught.value.got) == ("row 1, column 0", "x")
    assert caught.value.who == "check"


def test_sparse_integers_beyond_floats_are_refused():
    with pytest.raises(InputError, match="sparse integers beyond 9,007,199,254,740,992"):
        read_entries(csr_array(np.array([[2**60 + 1]])))


def test_rows_of_different_lengths():
    with pytest.raises(InputError, match="row 1 is not a list of 2 numbers"):
        read_entries([[Fraction(1, 2), 1], [1]])
