"""Columns between -1 and 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardlimit import _native
from hardlimit.engine import column_sums
from hardlimit.scaling._columns import ColumnScale
from hardlimit.scaling._protocol import IntArray, Look, Numbers, Scale, Scaling


@dataclass(frozen=True)
class Maxabs(Scaling):
    """``x_j <- x_j / max |x_j|``: every column of the fit lies in -1 .. 1, and 0 stays 0.

    A column of zeros keeps its unit. One outlier makes the rest of its column small: ``"standard"``
    is less moved by it.

    >>> from hardlimit import LinearClassifier
    >>> clf = LinearClassifier(scale="maxabs", order="cyclic", readout="last")
    >>> clf.fit([[2000, 0], [0, 0.5]], [1, 0]).coef_ * [2000, 0.5]
    array([[ 1., -1.]])
    """

    def fitted(self, rows: _native.Rows, present: IntArray | None = None) -> Scale:
        """The largest absolute value of each column."""
        return self.measured(lambda center: (0, column_sums(rows, center, present)))

    def measured(self, look: Look) -> Scale:
        """The largest absolute values of rows that are looked at once."""
        _, found = look(None)
        # A column of zeros has no value to look at: -inf and inf.
        largest = np.where(found.counts > 0, np.maximum(found.highest, -found.lowest), 1.0)
        return ColumnScale(np.zeros(len(largest)), largest)

    def restored(self, arrays: dict[str, Numbers], n_columns: int) -> Scale:
        """The units of a file."""
        return ColumnScale.restored(arrays, n_columns)
