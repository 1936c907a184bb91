"""Fronts of the compiled measuring of columns, and of rows made anew in other units."""

from __future__ import annotations

from typing import Any, NamedTuple

from hardlimit import _native
from hardlimit.engine.examples import explain_refusals
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import FloatArray, IntArray


class ColumnSums(NamedTuple):
    """Of each column, over its values other than 0 in the order of the rows.

    ``sums`` and ``squares`` are those of ``value - center``.
    """

    counts: IntArray
    lowest: FloatArray
    highest: FloatArray
    sums: FloatArray
    squares: FloatArray


def column_sums(
    rows: _native.Rows,
    center: FloatArray | None = None,
    present: IntArray | None = None,
    before: ColumnSums | None = None,
) -> ColumnSums:
    """One look at each value; ``present`` (int64) names the rows that count, None all of them.

    Dense and sparse rows give the same bits.

    before : of rows that came before these, which may have had fewer columns; the bits are those of
        all rows at once.
    """
    memory.require(
        rows.n_columns * 8 * 5,
        f"measuring {plural(rows.n_columns, 'column')}",
        "use fewer columns",
    )
    known: Any = None if before is None else tuple(before)
    return ColumnSums(*_native.column_sums(rows, center, present, known))


class ColumnSpread(NamedTuple):
    """The first column of the largest squared length, and of the smallest above 0."""

    most: float
    largest: int
    least: float
    smallest: int


def column_spread(rows: _native.Rows) -> ColumnSpread:
    """Return what :meth:`Layout.measured` found; columns are -1 where all values are zeros."""
    return ColumnSpread(*_native.column_spread(rows))


class ColumnUnits:
    """A value becomes ``(value - shift) / unit`` of its column.

    Cost: O(non-zeros), and a value in each row for each column with a shift other than 0.
    """

    def __init__(self, shifts: FloatArray, units: FloatArray) -> None:
        self.shifts, self.units = shifts, units
        self._native = _native.ColumnUnits(shifts, units)

    def rows(self, rows: _native.Rows) -> _native.Rows:
        """The rows in these units, in memory of their own."""
        _require_copy(rows)
        with explain_refusals("X"):
            return self._native.rows(rows)


def scale_to_unit_length(rows: _native.Rows) -> _native.Rows:
    """Each row divided by its length, which does not count the bias; a row of zeros stays."""
    _require_copy(rows)
    return _native.to_unit_length(rows)


def _require_copy(rows: _native.Rows) -> None:
    memory.require(8 * rows.n_values, "the scaled rows", "scale them before, in place")
