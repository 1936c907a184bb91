"""The border: whatever a user calls a matrix becomes checked rows, or a clear error.

Sparse matrices are recognised by what they hold (``indptr``, ``indices``, ``data``), without scipy.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sized
from typing import NamedTuple

import numpy as np

from hardlimit import _native
from hardlimit.engine.matrices import CsrMatrix, as_csr, is_sparse
from hardlimit.exceptions import Cell, Given, InputError, KindError
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.inputs import refuse_masked, unreadable
from hardlimit.foundation.types import Array, FloatArray, IntArray

CsrArrays = tuple[Array, Array, Array]

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
# Bytes that sorting takes for each value, in numbers of rows, columns and places.
_SORTING = 40
# What the compiled border and our checks raise of values that cannot be used.
_REFUSALS = (KindError, _native.BadValue, ValueError)


def rows_of(X: object, bias: float, who: str = "X", *, guarded: bool = False) -> _native.Rows:
    """Check X (n_rows, n_columns), dense or sparse, and give it to the engine.

    The loops trust what was checked here. ``guarded`` copies the column numbers, for a fit in the
    middle of which the caller's own code runs and could change them.

    Cost: one look at each number; no copy of float32 or float64 arrays that lie row by row, but for
    column numbers of int64, which the engine keeps as int32.

    Raises
    ------
    InputError
        Not a finite matrix of numbers; the message names the first row and column that is not.
        A sparse matrix of more than 2^31 columns.
    """
    # No context manager here: it would cost as much as the rest of a correction by one row.
    try:
        if is_sparse(X):
            return _sparse(_sparse_arrays(X), X.shape[1], bias, guarded)
        return _native.Rows.dense(dense_values(X), bias)
    except _REFUSALS as error:
        raise explain_refusal(error, who) from None


def count_rows(X: object) -> int:
    """Return how many rows X has, before anything of it is looked at; 0 of what has no length.

    >>> count_rows([[1, 2], [3, 4]])
    2
    """
    shape = getattr(X, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else 0
    try:
        return len(X) if isinstance(X, Sized) else 0
    except Exception as error:  # of a user's own class
        raise unreadable(error, "X") from error


class RowLayout(NamedTuple):
    """A matrix whose numbers lie row by row, of which only shape and types were looked at.

    arrays : the values; of a sparse matrix row starts, column numbers and values.
    """

    arrays: tuple[Array, ...]
    n_columns: int

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.arrays[0]) - (len(self.arrays) == 3)

    def rows(self, bias: float, *, guarded: bool = False) -> _native.Rows:
        """Check the numbers, as :func:`rows_of` does."""
        return self._rows(bias, guarded, None)

    def measured(
        self,
        bias: float,
        present: IntArray | None = None,
        *,
        with_norms: bool = False,
        guarded: bool = False,
    ) -> _native.Rows:
        """Check the numbers and measure the rows in the same pass, for a fit; norms are kept.

        What was measured is asked by :func:`~hardlimit.engine.scaled.column_spread` and
        :func:`largest_sqnorm`.

        present : the rows that are measured (int64, ascending); None: all of them
        with_norms : whether the norms of the rows will be asked for
        """
        n = self.n_columns
        memory.require(8 * n, lambda: f"measuring {plural(n, 'column')}", "use fewer columns")
        return self._rows(bias, guarded, (present, with_norms))

    def _rows(
        self, bias: float, guarded: bool, measuring: tuple[IntArray | None, bool] | None
    ) -> _native.Rows:
        try:
            if len(self.arrays) == 3:
                return _sparse(self.arrays, self.n_columns, bias, guarded, measuring)
            return _native.Rows.dense(self.arrays[0], bias, measuring)
        except _REFUSALS as error:
            raise explain_refusal(error, "X") from None


def layout_of(X: object) -> RowLayout:
    """Return a matrix (n_rows, n_columns) as the engine takes it, before its numbers are read.

    Raises
    ------
    InputError, KindError
        Not a matrix of numbers.
    """
    try:
        if is_sparse(X):
            return RowLayout(_sparse_arrays(X), X.shape[1])
        values = dense_values(X)
    except _REFUSALS as error:
        raise explain_refusal(error, "X") from None
    return RowLayout((values,), values.shape[1])


@contextlib.contextmanager
def explain_refusals(who: str) -> Iterator[None]:
    """Errors of the compiled border become InputErrors that say whose matrix it is.

    Raises
    ------
    InputError, KindError
        What was raised inside, with ``who``.
    """
    try:
        yield
    except _REFUSALS as error:
        raise explain_refusal(error, who) from None


def explain_refusal(error: Exception, who: str) -> InputError | KindError:
    """Return an error of the compiled border as one that says whose matrix it is."""
    if isinstance(error, InputError | KindError):
        return error.replaced(who=who)
    if isinstance(error, _native.BadValue):
        return explain_bad_value(*error.args).replaced(who=who)
    return InputError(str(error), who=who)  # arrays that contradict each other


def explain_bad_value(kind: str, row: int, column: int, value: float) -> InputError:
    """Return the error for a value that the compiled border refused, and where it stands.

    >>> str(explain_bad_value("not finite", 3, 1, math.nan))
    'row 3, column 1: got NaN, wanted finite numbers; drop or fill missing values first'
    """
    where = Cell(row, column)
    if kind == "no column":
        return InputError("there is no such column", where=where)
    if kind == "beyond scale":
        return InputError("it is infinite in the units of its column", where=where, got=value)
    if kind == "large product":  # the column is one of the products
        reason = "a product of columns is beyond the largest number"
        return InputError(reason, where=f"row {row}", fix="scale the columns down first")
    if kind == "too wide":
        return InputError(
            got=Given(f"a sparse matrix of {column} columns"),
            wanted="at most 2147483648",
            fix="map the columns in use to smaller numbers",
        )
    missing = math.isnan(value)
    return InputError(
        where=where,
        got=Given("NaN" if missing else "an infinite value"),
        wanted="finite numbers",
        fix="drop or fill missing values first" if missing else "clip or drop them first",
    )


def sparse_scores(X: object, bias: float, weights: FloatArray, who: str = "X") -> FloatArray | None:
    """Scores (n_rows, n_outputs) of CSR rows by weights (n_columns + 1, n_outputs) in one look.

    None where :func:`rows_of` has to make rows of X first. The same bits and the same refusals.
    """
    if not is_sparse(X) or getattr(X, "format", "csr") != "csr":
        return None
    if len(X.shape) != 2 or X.shape[1] + 1 != len(weights) or X.data.dtype not in _FLOATS:
        return None
    try:
        return _native.sparse_scores(X.indptr, X.indices, X.data, X.shape[1], bias, weights)
    except _REFUSALS as error:
        raise explain_refusal(error, who) from None


def sqnorms(rows: _native.Rows, bias: float) -> FloatArray:
    """All ``<x, x>`` of rows with this bias, which is included.

    Cost: a look at the rows whose norms nobody has asked for since they were kept.
    """
    return _native.sqnorms(rows) + bias * bias


def largest_sqnorm(rows: _native.Rows, bias: float, present: Array | None = None) -> float:
    """The largest of :func:`sqnorms`, of the rows of these numbers (int64); None: of all.

    Of rows that were measured it is known, for those that were present then. Cost, of others: one
    look at the values, whose squares are added up in any order; only rows that may have the largest
    are measured in the one order that counts.
    """
    return max(0.0, _native.largest_sqnorm(rows, present) + bias * bias)


def dense_values(X: object) -> Array:
    """A matrix of float32 or float64 that lies row by row; not yet looked through.

    Raises
    ------
    InputError, KindError
        Not a matrix of numbers.
    """
    values: Array = X if type(X) is np.ndarray else _as_array(X)
    if values.dtype not in _FLOATS:
        values = _as_floats(values)
    if values.ndim != 2:
        raise InputError(
            got=Given(f"an array of shape {values.shape}"),
            wanted="(n_rows, n_columns)",
            fix="a single row is X.reshape(1, -1), a single column X.reshape(-1, 1)",
        )
    if not values.flags.c_contiguous:
        memory.require(values.nbytes, "a copy of X row by row", "give an array in C order")
        values = np.ascontiguousarray(values)
    return values


def _as_array(X: object) -> Array:
    try:
        refuse_masked(X, "X")
        return np.asarray(X)
    except Exception as error:
        raise unreadable(error, "") from error


def _as_floats(values: Array) -> Array:
    if values.dtype.kind not in "biufO":
        raise KindError(
            got=Given(f"values of type {values.dtype}"),
            wanted="numbers",
            fix="texts go to TextClassifier",
        )
    memory.require(8 * values.size, "X as doubles", "give float32 or float64 numbers")
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(str(error), wanted="a matrix of numbers") from None
    except Exception as error:  # of objects of a user's own class
        raise unreadable(error, "") from error


def _sparse(
    arrays: tuple[Array, ...],
    n_columns: int,
    bias: float,
    guarded: bool,
    measuring: tuple[IntArray | None, bool] | None = None,
) -> _native.Rows:
    indptr, indices, values = arrays
    if guarded:
        indices = indices.copy()
    rows = _native.Rows.sparse(indptr, indices, values, n_columns, bias, measuring)
    if rows is None:  # not sorted, or a column twice
        arrays = _sort_columns(indptr, indices, values)
        rows = _native.Rows.sparse(*arrays, n_columns, bias, measuring)
    if rows is None:
        raise InputError("the rows changed while they were looked at")
    return rows


def canonical_arrays(X: CsrMatrix) -> CsrArrays:
    """The arrays of a sparse matrix, row starts first: checked, sorted, duplicates added up.

    Raises
    ------
    InputError
        Values that are not finite, columns that are not there, or arrays that contradict each
        other.
    """
    with explain_refusals("X"):
        arrays = _sparse_arrays(X)
        if _native.Rows.sparse(*arrays, X.shape[1], 0.0) is None:
            arrays = _sort_columns(*arrays)
    return arrays


def _sparse_arrays(X: CsrMatrix) -> CsrArrays:
    if len(X.shape) != 2:
        raise InputError(
            got=Given(f"a sparse array of shape {X.shape}"),
            wanted="(n_rows, n_columns)",
            fix="a single row is X.reshape(1, -1)",
        )
    X = as_csr(X)
    indptr, indices, values = X.indptr, X.indices, X.data
    if values.dtype not in _FLOATS:
        values = _as_floats(values)
    return indptr, indices, values


def _sort_columns(indptr: Array, indices: Array, values: Array) -> CsrArrays:
    """Sort each row by column and add up what one column holds twice, in the order it came."""
    memory.require(
        _SORTING * len(values), "sorting the columns of X", "call X.sum_duplicates() first"
    )
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((indices[: len(row)], row))
    row, column = row[order], indices[order]
    first = np.ones(len(row), bool)
    first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    places = np.cumsum(first) - 1
    added = np.zeros(int(first.sum()), values.dtype)
    np.add.at(added, places, values[order])
    starts = np.searchsorted(row[first], np.arange(len(indptr)))
    return starts.astype(np.int64), column[first], added
