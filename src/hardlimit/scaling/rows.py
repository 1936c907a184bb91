"""Rows of unit length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hardlimit import _native
from hardlimit.engine import scale_to_unit_length
from hardlimit.scaling._protocol import IntArray, Numbers, Scale, Scaling


class RowScale(Scale):
    """Each row by itself: nothing is kept."""

    def rows(self, rows: _native.Rows) -> _native.Rows:
        """The rows divided by their lengths."""
        return scale_to_unit_length(rows)

    def sparse_row(self, columns: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
        """The row divided by its length.

        >>> RowScale().sparse_row([0, 2], [3.0, 4.0])[1]
        array([0.6, 0.8])
        """
        length = math.hypot(*values)
        return columns, np.asarray(values) / length if length else values


@dataclass(frozen=True)
class Rows(Scaling):
    """``x <- x / ||x||``: every row has length 1, whatever its own; a row of zeros stays.

    The bias feature is no part of the length. What a row means is then the direction of its
    columns: right for counts, where a text twice as long says nothing new, and wrong where the
    size itself tells the classes apart. Nothing is measured, so that streams can begin with it.
    Weights are those of rows of unit length, in which ``coef_`` is given too.

    >>> from hardlimit import LinearClassifier
    >>> clf = LinearClassifier(scale="rows").fit([[3, 4], [-300, -400]], [1, 0])
    >>> bool(clf.decision_function([[30, 40]])[0] == clf.decision_function([[3, 4]])[0])
    True
    """

    measures: ClassVar[bool] = False

    def fitted(self, rows: _native.Rows, present: IntArray | None = None) -> Scale:
        """Nothing to be measured."""
        return RowScale()

    def restored(self, arrays: dict[str, Numbers], n_columns: int) -> Scale:
        """Nothing was kept."""
        return RowScale()
