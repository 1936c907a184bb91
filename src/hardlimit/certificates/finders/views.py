"""Signed rows in other units: what a search sees of them, and the way back."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Weighting
from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]


class View:
    """Signed rows, each divided by a positive number, and each column too.

    Neither changes what can be separated, nor whether multipliers add up to zero; with columns as
    they are and all rows divided by one number the margin is that of the rows, but for its unit.
    Norms neither over- nor underflow.

    Parameters
    ----------
    rows
        The signed rows.
    unit
        Rows of unit length; else all by one power of two, so that the longest is about 1.
    even
        Columns divided by powers of two, so that the largest value of each is about 1.
    """

    def __init__(self, rows: SignedRows, *, unit: bool, even: bool = False) -> None:
        self.n_rows, self.n_columns = rows.n_rows, rows.n_columns
        self._dense, self._csr = rows.dense, None
        if rows.dense is None:
            self._csr = rows.data, rows.indices, rows.indptr
            self._row_of = np.repeat(np.arange(rows.n_rows), np.diff(rows.indptr))
        self.column_units = np.ones(rows.n_columns)
        if even:
            self.column_units = floor_power_of_two(self._largest(by_row=False))
            self._divide(None, self.column_units)
        # Powers of two first, which divide without rounding; lengths are then safe to square.
        largest = self._largest(by_row=True)
        self.zero_rows = np.flatnonzero(largest == 0)
        units = floor_power_of_two(largest)
        self.row_units = units if unit else np.full(rows.n_rows, units.max(initial=1e-300))
        self._divide(self.row_units, None)
        if unit:
            lengths = np.sqrt(self._squares())
            lengths[self.zero_rows] = 1
            self._divide(lengths, None)
            self.row_units = units * lengths

    @property
    def matrix(self) -> Any:
        """Dense, or (values, columns, starts)."""
        return self._csr if self._dense is None else self._dense

    def _largest(self, *, by_row: bool) -> Array:
        if self._csr is None:
            most: Array = np.abs(self._dense).max(1 if by_row else 0, initial=0.0)  # type: ignore[arg-type]
            return most
        values, columns, _ = self._csr
        most = np.zeros(self.n_rows if by_row else self.n_columns)
        np.maximum.at(most, self._row_of if by_row else columns, np.abs(values))
        return most

    def _squares(self) -> Array:
        if self._csr is None:
            squares: Array = np.einsum("ij,ij->i", self._dense, self._dense)  # type: ignore[arg-type]
            return squares
        values = self._csr[0]
        return np.bincount(self._row_of, values * values, self.n_rows)

    def _divide(self, rows: Array | None, columns: Array | None) -> None:
        if self._csr is None:
            by = rows[:, None] if rows is not None else columns
            self._dense = self._dense / by  # type: ignore[operator]
            return
        values, indices, starts = self._csr
        by_value = rows[self._row_of] if rows is not None else columns[indices]  # type: ignore[index]
        self._csr = values / by_value, indices, starts

    def zero_row(self) -> Weighting | None:
        """The proof that a row of zeros is, if there is one."""
        return Weighting([int(self.zero_rows[0])], [1]) if len(self.zero_rows) else None

    def direction(self, w: Array) -> Direction:
        """Weights of the columns as given, up to a common factor."""
        # Weights of a column that was divided grow by its unit; the least keeps them from
        # overflowing, for only the direction counts.
        return Direction(w * (self.column_units.min() / self.column_units))

    def weighting(self, multipliers: Array) -> Weighting | None:
        """Multipliers of the rows as given; those too small to tell are dropped."""
        used = np.flatnonzero(multipliers > 1e-14 * multipliers.max(initial=0.0))
        if not len(used):
            return None
        units = self.row_units[used]
        return Weighting(used, multipliers[used] * (units.min() / units))


def floor_power_of_two(values: Array) -> Array:
    """The power of two next below each value; 1 for 0."""
    powers: Array = np.exp2(np.floor(np.log2(np.where(values > 0, values, 1.0))))
    return powers
