"""Scales that give each column a shift and a unit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.engine import ColumnUnits
from hardlimit.scaling._protocol import Numbers, Scale, UnscaledWeights


class ColumnScale(Scale):
    """A value becomes ``(value - shift) / unit`` of its column."""

    def __init__(self, shifts: Numbers, units: Numbers) -> None:
        self._units = ColumnUnits(shifts, units)

    def rows(self, rows: _native.Rows) -> _native.Rows:
        """The rows in these units."""
        return self._units.rows(rows)

    def sparse_row(self, columns: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
        """One row in these units; columns with a shift are there even where the row has zeros.

        >>> scale = ColumnScale(np.array([1.0, 0.0, 0.0]), np.array([2.0, 4.0, 1.0]))
        >>> [one.tolist() for one in scale.sparse_row(np.array([1]), np.array([8.0]))]
        [[0, 1], [-0.5, 2.0]]
        """
        shifts, units = self._units.shifts, self._units.units
        every = np.union1d(columns, np.flatnonzero(shifts))
        scaled = np.zeros(len(every))
        scaled[np.searchsorted(every, columns)] = values
        scaled = (scaled - shifts[every]) / units[every]
        return every[scaled != 0], scaled[scaled != 0]

    def weights(self, learnt: UnscaledWeights) -> UnscaledWeights:
        """Weights divided by the units; the shifts go into the intercepts.

        ``<w, (x - shift) / unit> + b = <w / unit, x> + (b - <w / unit, shift>)``.
        """
        shifts, units = self._units.shifts, self._units.units
        coef = learnt.coef / units
        moved = np.flatnonzero(shifts)
        products = (coef[:, moved] * shifts[moved]).tolist()
        intercept = [
            math.fsum([float(b), *(-p for p in of_output)])
            for b, of_output in zip(learnt.intercept, products, strict=True)
        ]
        return UnscaledWeights(coef, np.array(intercept))

    def __reduce__(self) -> tuple[Any, ...]:
        return ColumnScale.restored, (self.arrays(), len(self._units.units))

    def arrays(self) -> dict[str, Numbers]:
        """The columns that have another unit than 1 or another shift than 0."""
        shifts, units = self._units.shifts, self._units.units
        columns = np.flatnonzero((shifts != 0) | (units != 1))
        return {"columns": columns, "shifts": shifts[columns], "units": units[columns]}

    @classmethod
    def restored(cls, arrays: dict[str, Numbers], n_columns: int) -> ColumnScale:
        """From :meth:`arrays`, which may come from a file.

        Raises
        ------
        ValueError, IndexError
            Arrays that contradict each other, or units that nothing can be divided by.
        """
        columns, shifts, units = (arrays[name] for name in ("columns", "shifts", "units"))
        if not (columns.ndim == 1 and columns.shape == shifts.shape == units.shape):
            raise ValueError("a column needs a shift and a unit")
        if len(columns) and not 0 <= columns.min() <= columns.max() < n_columns:
            raise IndexError("there is no such column")
        if not (np.isfinite(shifts).all() and np.isfinite(units).all() and (units > 0).all()):
            raise ValueError("a unit is a number > 0")
        every_shift, every_unit = np.zeros(n_columns), np.ones(n_columns)
        every_shift[columns], every_unit[columns] = shifts, units
        return cls(every_shift, every_unit)
