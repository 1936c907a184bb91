"""Rows that a kernel multiplies: checked once, then taken in parts, joined, multiplied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from hardlimit import _native
from hardlimit.engine.examples import canonical_arrays, dense_values, explain_refusals
from hardlimit.engine.matrices import is_sparse, select_rows
from hardlimit.foundation.types import Array as Array
from hardlimit.foundation.types import FloatArray, IntArray


class Points:
    """Rows, dense (one array) or sparse (starts, columns and values), and the engine's view."""

    def __init__(self, arrays: tuple[Array, ...], n_columns: int) -> None:
        self.arrays = arrays
        self.n_columns = n_columns
        self.native = _native_rows(arrays, n_columns)
        self.native.keep_norms()
        self.n_rows: int = self.native.n_rows

    @classmethod
    def of(cls, X: object, who: str = "X", *, guarded: bool = False) -> Self:
        """Check a matrix; the arrays of the caller are not copied where they can stay.

        ``guarded`` copies the column numbers, for a fit in the middle of which the caller's own
        code runs and could change them.

        Raises
        ------
        InputError
            Not a finite matrix of numbers.
        """
        with explain_refusals(who):
            if is_sparse(X):
                starts, columns, values = canonical_arrays(X)
                return cls((starts, columns.copy() if guarded else columns, values), X.shape[1])
            values = dense_values(X)
            return cls((values,), values.shape[1])

    @classmethod
    def blank(cls, n_rows: int, n_columns: int) -> Self:
        """Rows of zeros."""
        starts, columns = np.zeros(n_rows + 1, np.int64), np.empty(0, np.int64)
        return cls((starts, columns, np.empty(0)), n_columns)

    @classmethod
    def checked(cls, arrays: tuple[Array, ...], n_columns: int) -> Self:
        """Sparse rows from arrays that may hold anything.

        Raises
        ------
        ValueError
            Arrays that contradict each other.
        """
        if n_columns < 0:
            raise ValueError("a number of columns below 0")
        return cls(arrays, n_columns)

    @property
    def sparse(self) -> bool:
        """Whether the rows are sparse."""
        return len(self.arrays) == 3

    @property
    def sqnorms(self) -> FloatArray:
        """All ``<x, x>``, in the one order of summation."""
        return _native.sqnorms(self.native)

    def dense(self, numbers: IntArray) -> FloatArray:
        """These rows as a matrix of float64."""
        if not self.sparse:
            rows: FloatArray = self.arrays[0][numbers].astype(np.float64, copy=False)
            return rows
        part = self.take(numbers)
        starts, columns, values = part.arrays
        rows = np.zeros((part.n_rows, self.n_columns))
        rows[np.repeat(np.arange(part.n_rows), np.diff(starts)), columns] = values
        return rows

    def take(self, numbers: IntArray | Sequence[int]) -> Points:
        """These rows, copied."""
        numbers = np.asarray(numbers, np.int64)
        if not self.sparse:
            return Points((self.arrays[0][numbers],), self.n_columns)
        starts, columns, values = self.arrays
        ends, places = select_rows(starts, numbers)
        return Points((ends, columns[places], values[places]), self.n_columns)

    def part(self, begin: int, end: int) -> Points:
        """The rows ``begin`` to ``end - 1`` as they lie: no value is copied."""
        if not self.sparse:
            return Points((self.arrays[0][begin:end],), self.n_columns)
        starts, columns, values = self.arrays
        first, last = starts[begin], starts[end]
        arrays = (starts[begin : end + 1] - first, columns[first:last], values[first:last])
        return Points(arrays, self.n_columns)

    def joined(self, other: Points) -> Points:
        """These rows and the others behind them."""
        first, second = alike(self, other)
        if not first.sparse:
            return Points((np.concatenate([first.arrays[0], second.arrays[0]]),), self.n_columns)
        starts = np.concatenate([first.arrays[0], second.arrays[0][1:] + first.arrays[0][-1]])
        columns, values = (
            np.concatenate([first.arrays[part], second.arrays[part]]) for part in (1, 2)
        )
        return Points((starts.astype(np.int64), columns, values), self.n_columns)

    def as_sparse(self) -> Points:
        """The same rows with their zeros left out, float64."""
        if self.sparse:
            starts, columns, values = self.arrays
            return Points(
                (starts.astype(np.int64), columns.astype(np.int64), values.astype(np.float64)),
                self.n_columns,
            )
        values = self.arrays[0]
        rows, columns = np.nonzero(values)
        starts = np.searchsorted(rows, np.arange(self.n_rows + 1)).astype(np.int64)
        columns = np.ascontiguousarray(columns, np.int64)
        return Points((starts, columns, values[rows, columns].astype(np.float64)), self.n_columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return Points, (self.arrays, self.n_columns)


def _native_rows(arrays: tuple[Array, ...], n_columns: int) -> _native.Rows:
    if len(arrays) == 1:
        return _native.Rows.dense(arrays[0], 0.0)
    starts, columns, values = arrays
    rows = _native.Rows.sparse(starts, columns, values, n_columns, 0.0)
    if rows is None:  # Points are made of arrays that were sorted before
        raise ValueError("rows that are not sorted")
    return rows


def alike(a: Points, b: Points) -> tuple[Points, Points]:
    """Both stored in the same way, so that they can be multiplied; the numbers stay as they are."""
    if [x.dtype for x in a.arrays] == [x.dtype for x in b.arrays]:
        return a, b
    if a.sparse or b.sparse:
        return a.as_sparse(), b.as_sparse()
    return _as_float64(a), _as_float64(b)


def _as_float64(points: Points) -> Points:
    return Points((points.arrays[0].astype(np.float64),), points.n_columns)
