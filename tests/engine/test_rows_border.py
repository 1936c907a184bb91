"""The border of rows: the same rows whatever they came as, and errors with fields."""

import numpy as np
import pytest
from scipy import sparse

from hardlimit.engine import (
    Points,
    column_sums,
    largest_sqnorm,
    layout_of,
    rows_of,
    sparse_scores,
    sqnorms,
)
from hardlimit.engine.scaled import ColumnUnits, column_spread
from hardlimit.engine.searching import new_search
from hardlimit.exceptions import Cell, InputError, KindError

from ..rounding import near

GRID = np.array([[1.0, 0.0, -2.0], [0.0, 0.0, 0.0], [3.5, 4.0, 0.25], [0.0, -1.0, 1e-9]])
WEIGHTS = np.array([[0.5, -1.0], [2.0, 0.125], [-3.0, 1.0], [0.1, 0.7]])  # the bias last


class Csr:
    """What a sparse matrix holds, and nothing else of scipy's."""

    def __init__(self, indptr, indices, data, n_columns=3):
        self.indptr, self.indices = np.array(indptr), np.array(indices)
        self.data, self.shape = np.array(data, float), (len(indptr) - 1, n_columns)


def summed(x, w):
    """Eight partial sums by ``column & 7``, added in a fixed tree; the bias is added by itself."""
    sums = [0.0] * 8
    for c, value in enumerate(x):
        if value != 0:
            sums[c & 7] += w[c] * value
    a, b = (sums[0] + sums[1]) + (sums[2] + sums[3]), (sums[4] + sums[5]) + (sums[6] + sums[7])
    return a + b


FORMS = {
    "list": lambda X: X.tolist(),
    "float64": np.array,
    "float32": np.float32,
    "integers": lambda X: (X * 4).astype(int),
    "column by column": np.asfortranarray,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "objects": lambda X: X.astype(object),
    "csr": sparse.csr_matrix,
    "csr array": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_matrix,
    "csr of float32": lambda X: sparse.csr_matrix(X.astype(np.float32)),
    "csr of integers": lambda X: sparse.csr_matrix((X * 4).astype(int)),
}


@pytest.mark.parametrize("bias", [0.0, 1.0, -0.5])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_scores_of_the_slow_sum(form, bias):
    given = FORMS[form](GRID)
    values = np.asarray(given.todense() if sparse.issparse(given) else given, float)
    rows = rows_of(given, bias)
    assert (rows.n_rows, rows.n_columns) == GRID.shape
    scores = rows.scores(WEIGHTS)
    for x, of_row in zip(values, scores, strict=True):
        assert of_row.tolist() == [summed(x, WEIGHTS[:, k]) + WEIGHTS[-1, k] * bias for k in (0, 1)]
    assert sqnorms(rows, bias).tolist() == near(((values**2).sum(1) + bias**2).tolist(), 60)


@pytest.mark.parametrize("n_outputs", [1, 2])
def test_one_look_gives_the_bits_of_two(n_outputs):
    rng = np.random.default_rng(3)
    X = sparse.random(200, 50, 0.2, "csr", random_state=4)
    weights = rng.normal(size=(51, n_outputs))
    for given in (X, X.astype(np.float32)):
        found = sparse_scores(given, 0.5, weights)
        assert (found == rows_of(given, 0.5).scores(weights)).all()


def test_one_look_leaves_what_it_cannot_do():
    weights = np.zeros((4, 1))
    assert sparse_scores(GRID, 0.0, weights) is None
    assert sparse_scores(sparse.csc_matrix(GRID), 0.0, weights) is None
    assert sparse_scores(sparse.csr_matrix(GRID.astype(int)), 0.0, weights) is None
    assert sparse_scores(sparse.csr_matrix(GRID), 0.0, np.zeros((9, 1))) is None
    assert sparse_scores(Csr([0, 2], [1, 0], [1, 2]), 0.0, weights) is None  # not sorted


def test_columns_in_any_order_and_twice_are_sorted_and_added_up():
    messy = Csr([0, 4, 4, 6], [2, 0, 2, 0], [1.0, 2.0, 4.0, 8.0])
    messy.indices, messy.data = np.array([2, 0, 2, 0, 1, 1]), np.array([1.0, 2, 4, 8, 16, 32])
    tidy = rows_of([[10.0, 0, 5], [0, 0, 0], [0, 48, 0]], 1.0)
    assert (rows_of(messy, 1.0).scores(WEIGHTS) == tidy.scores(WEIGHTS)).all()
    before = messy.indices.copy(), messy.data.copy()
    rows_of(messy, 1.0)
    assert (messy.indices == before[0]).all()  # the caller's arrays stay as they are
    assert (messy.data == before[1]).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", ["float64", "float32", "csr", "csr of float32", "csc"])
@pytest.mark.parametrize("place", [(0, 0), (2, 1), (3, 2)])
def test_a_value_that_is_not_finite_is_named_in_fields(form, value, place):
    X = GRID.copy()
    X[place] = value
    for ask in (lambda given: rows_of(given, 1.0, "Z"), lambda given: Points.of(given, "Z")):
        with pytest.raises(InputError) as caught:
            ask(FORMS[form](X))
        error = caught.value
        assert (error.who, error.wanted) == ("Z", "finite numbers")
        assert isinstance(error.where, Cell)
        assert (error.where.row, error.where.column) == place
        assert error.got == ("NaN" if value != value else "an infinite value")
        assert ("missing" in error.fix) == (value != value)


def test_the_first_bad_value_is_named():
    X = np.ones((300, 40))
    X[299, 39] = X[7, 3] = X[7, 30] = np.nan
    for given in (X, sparse.csr_matrix(X)):
        with pytest.raises(InputError) as caught:
            rows_of(given, 0.0)
        assert caught.value.where == Cell(7, 3)
    with pytest.raises(InputError) as caught:
        sparse_scores(sparse.csr_matrix(X), 0.0, np.zeros((41, 1)))
    assert caught.value.where == Cell(7, 3)


LIES = {
    "beyond the values": Csr([0, 1, 9], [0, 1], [1, 1]),
    "must not decrease": Csr([0, 2, 1], [0, 1], [1, 1]),
    "must begin with 0": Csr([1, 1, 2], [0, 1], [1, 1]),
    "as many indices": Csr([0, 1, 2], [0, 1, 2], [1, 1]),
}


@pytest.mark.parametrize("reason", LIES)
def test_arrays_that_contradict_each_other_are_refused(reason):
    with pytest.raises(InputError, match=f"^Z: .*{reason}"):
        rows_of(LIES[reason], 0.0, "Z")
    with pytest.raises(InputError, match=reason):
        sparse_scores(LIES[reason], 0.0, np.zeros((4, 1)))


@pytest.mark.parametrize("column", [3, -1, 2**40])
def test_a_column_that_is_not_there_is_named(column):
    with pytest.raises(InputError, match="no such column") as caught:
        rows_of(Csr([0, 1, 2], [0, column], [1, 1]), 0.0, "Z")
    assert (caught.value.where.row, caught.value.where.column) == (1, column)


@pytest.mark.parametrize("column", [2**31 - 1, 5])
def test_columns_of_int64_are_those_of_int32(column):
    wide = Csr([0, 1, 2], [0, column], [1, -1], 2**31)
    narrow = Csr([0, 1, 2], np.array([0, column], np.int32), [1, -1], 2**31)
    assert (wide.indices.dtype, narrow.indices.dtype) == (np.int64, np.int32)
    for given in (wide, narrow):
        rows = rows_of(given, 0.5, "Z")
        assert (rows.n_rows, rows.n_columns) == (2, 2**31)
        assert rows.first_negative() == (1, column, -1.0)


def test_columns_of_int64_may_change_afterwards():
    wide = Csr([0, 1, 2], [0, 1], [1, -1])
    rows = rows_of(wide, 0.0)
    wide.indices[:] = 7  # beyond the weights
    assert rows.scores(WEIGHTS).tolist() == [[0.5, -1.0], [-2.0, -0.125]]


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_more_columns_than_can_be_numbered_are_refused(index):
    X = Csr([0, 1, 2], np.array([0, 1], index), [1, 1], 2**31 + 1)
    for check in (lambda: rows_of(X, 0.0, "Z"), lambda: Points.of(X, "Z")):
        with pytest.raises(InputError) as caught:
            check()
        assert (caught.value.who, caught.value.got, caught.value.wanted) == (
            "Z",
            "a sparse matrix of 2147483649 columns",
            "at most 2147483648",
        )
        assert "smaller numbers" in caught.value.fix


@pytest.mark.parametrize(
    ("X", "kind", "got"),
    [
        (np.zeros(3), InputError, "an array of shape (3,)"),
        (np.zeros((2, 2, 2)), InputError, "an array of shape (2, 2, 2)"),
        ([["a", "b"]], KindError, "values of type <U1"),
        (np.array([["2020-01-01"]], "datetime64[D]"), KindError, "values of type datetime64[D]"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_named(X, kind, got):
    with pytest.raises(kind) as caught:
        rows_of(X, 0.0, "Z")
    assert (caught.value.who, caught.value.got) == ("Z", got)


def test_objects_that_are_no_numbers():
    for X in ([[1, "x"], [2, 3]], [[10**400]], [[1, None], [2, object()]]):
        with pytest.raises((InputError, KindError)) as caught:
            rows_of(np.array(X, object), 0.0, "Z")
        assert caught.value.who == "Z"


def test_units_that_make_a_value_infinite():
    rows = rows_of([[1.0, 1e300]], 0.0)
    units = ColumnUnits(np.zeros(2), np.array([1.0, 1e-300]))
    with pytest.raises(InputError) as caught:
        units.rows(rows)
    assert (caught.value.where, caught.value.got) == (Cell(0, 1), 1e300)


def test_sums_of_columns_are_those_of_the_present():
    for given in (GRID, sparse.csr_matrix(GRID)):
        sums = column_sums(rows_of(given, 1.0), np.array([1.0, 0.0, 0.0]), np.array([0, 2]))
        assert sums.counts.tolist() == [2, 1, 2]
        assert (sums.lowest[0], sums.highest[0]) == (1.0, 3.5)
        assert sums.sums.tolist() == [2.5, 4.0, -1.75]
        assert sums.squares.tolist() == [6.25, 16.0, 4.0625]


def test_a_search_takes_sorted_rows_only():
    values, columns, starts = np.ones(2), np.array([1, 0]), np.array([0, 2])
    with pytest.raises(InputError, match="ascend"):
        new_search("perceptron", (values, columns, starts), 2)
    with pytest.raises(InputError) as caught:
        new_search("perceptron", np.array([[1.0, np.nan]]), 2)
    assert caught.value.where == Cell(0, 1)


LAYOUTS = pytest.mark.parametrize("make", [sparse.csr_matrix, np.asarray])
PRECISIONS = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def slow_spread(X, present):
    """The largest and smallest squared length of a column, added up row by row."""
    squares = [0.0] * X.shape[1]
    for row in X[present].astype(np.float64).tolist():
        squares = [total + value * value for total, value in zip(squares, row, strict=True)]
    there = [(square, column) for column, square in enumerate(squares) if square]
    most = max(there, key=lambda one: one[0], default=(0.0, -1))
    return (*most, *min(there, key=lambda one: one[0], default=(0.0, -1)))


@LAYOUTS
@PRECISIONS
@pytest.mark.parametrize("width", [1, 7, 40, 5000])  # a row may be more than is looked at together
@pytest.mark.parametrize("with_norms", [False, True])
def test_one_pass_measures_what_separate_ones_do(make, dtype, width, with_norms):
    draw = np.random.default_rng(width)
    X = (draw.standard_normal((60, width)) * (draw.random((60, width)) < 0.3)).astype(dtype)
    for present in (np.array([2, 4, 59], np.int64), np.zeros(0, np.int64), None):
        rows = layout_of(make(X)).measured(0.7, present, with_norms=with_norms)
        counted = np.arange(60) if present is None else present
        alone = rows_of(make(X), 0.7)
        assert column_spread(rows) == slow_spread(X, counted)
        assert largest_sqnorm(rows, 0.7) == largest_sqnorm(alone, 0.7, counted)
        assert sqnorms(rows, 0.7).tobytes() == sqnorms(alone, 0.7).tobytes()
        assert (
            rows.scores(np.ones((width + 1, 1))).tobytes()
            == alone.scores(np.ones((width + 1, 1))).tobytes()
        )


@LAYOUTS
def test_the_first_of_columns_that_are_equal_counts(make):
    X = make(np.array([[0.0, 3.0, 1.0, 0.0], [0.0, 4.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0]]))
    assert column_spread(layout_of(X).measured(1.0)) == (25.0, 1, 1.0, 2)
    with pytest.raises(ValueError, match="not measured"):
        column_spread(rows_of(X, 1.0))


@LAYOUTS
@PRECISIONS
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("present", [None, np.array([0, 1], np.int64)])
def test_the_pass_that_measures_refuses_what_the_check_does(make, dtype, value, present):
    X = np.zeros((3000, 5), dtype)
    X[:, ::2] = 1
    X[2500, 4], X[2700, 0] = value, value  # also of rows that are absent
    with pytest.raises(InputError) as caught:
        layout_of(make(X)).measured(1.0, present)
    assert caught.value.where == Cell(2500, 4)


@LAYOUTS
def test_squares_that_overflow_are_no_fault(make):
    X = np.array([[1e200, 1.0, 2.0], [0.0, 1.0, 2.0]])
    rows = layout_of(make(X)).measured(1.0)
    assert largest_sqnorm(rows, 1.0) == np.inf
    assert column_spread(rows) == (np.inf, 0, 2.0, 1)
    assert rows_of(make(X), 1.0).n_values == rows.n_values


def test_the_pass_that_measures_sorts_and_refuses_strange_columns():
    class Csr:
        shape, data = (2, 4), np.array([1.0, 2.0, 3.0, 4.0])
        indptr, indices = np.array([0, 3, 4]), np.array([2, 0, 2, 1])

    assert column_spread(layout_of(Csr).measured(0.0)) == (16.0, 1, 4.0, 0)
    for strange in (-1, 4):
        Csr.indices = np.array([0, 1, 2, strange])
        with pytest.raises(InputError, match="no such column") as caught:
            layout_of(Csr).measured(0.0)
        assert caught.value.where == Cell(1, strange)
    Csr.indices = np.array([0, 1, 2, 3])
    for present in ([1, 0], [0, 0], [2], [-1]):
        with pytest.raises(InputError, match="ascend"):
            layout_of(Csr).measured(0.0, np.array(present, np.int64))


@pytest.mark.parametrize("make", [sparse.csr_matrix, np.asarray])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("length", [None, 1.0, 1e-200, 1e200])
def test_the_largest_norm_is_that_of_all_rows_to_the_last_bit(make, dtype, length):
    draw = np.random.default_rng(5)
    X = draw.standard_normal((200, 37)) * (draw.random((200, 37)) < 0.5)
    if length is not None:  # rows that differ in their last bits alone
        X *= length / np.linalg.norm(X, axis=1, keepdims=True)
    if dtype is np.float64 or length in (None, 1.0):
        rows = rows_of(make(X.astype(dtype)), 0.7)
        present = draw.permutation(200)[:50].astype(np.int64)
        assert largest_sqnorm(rows, 0.7) == sqnorms(rows, 0.7).max()
        assert largest_sqnorm(rows, 0.7, present) == sqnorms(rows, 0.7)[present].max()
        assert largest_sqnorm(rows, 0.7, present[:0]) == 0
