"""Columns of mean 0 and standard deviation 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hardlimit import _native
from hardlimit.engine import column_sums
from hardlimit.exceptions import InputError, Setting
from hardlimit.scaling._columns import ColumnScale
from hardlimit.scaling._protocol import IntArray, Look, Numbers, Scale, Scaling

_ROUNDING = 8 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class Standard(Scaling):
    """``x_j <- (x_j - mean_j) / deviation_j``, with the deviation over n rows.

    Columns of which fewer than half of the values differ from 0 keep their zeros: they are divided
    by their deviation (about the mean all the same) and not centred, so that a sparse matrix at
    most doubles. What decides is the values, not how they are stored: dense and sparse rows give
    the same model. A column of equal values, or whose deviation is no more than rounding, is
    centred and keeps its unit.

    ``coef_`` and ``intercept_`` are in the units of the rows given: the means are in the intercept.

    >>> from hardlimit import LinearClassifier
    >>> X, y = [[1001.0, 0.001], [1002.0, 0.002], [1004.0, 0.004]], [0, 0, 1]
    >>> clf = LinearClassifier(scale="standard").fit(X, y)
    >>> clf.predict(X), clf.n_corrections_ < 20
    (array([0, 0, 1]), True)
    """

    def fitted(self, rows: _native.Rows, present: IntArray | None = None) -> Scale:
        """Means and deviations of the columns, in two looks at the values."""
        n = rows.n_rows if present is None else len(present)
        return self.measured(lambda center: (n, column_sums(rows, center, present)))

    def measured(self, look: Look) -> Scale:
        """Means and deviations of rows that are looked at twice."""
        with np.errstate(over="ignore", invalid="ignore"):  # told in words
            return self._measured(look)

    def _measured(self, look: Look) -> Scale:
        n, first = look(None)
        zeros = (n - first.counts).astype(np.float64)
        _refuse_infinite(first.sums)
        guess = first.sums / n
        _, apart = look(guess)
        # Zeros are as far from the guess as each other; what the guess lacks to the mean is small.
        left = apart.sums - zeros * guess
        squares = apart.squares + zeros * (guess * guess)
        _refuse_infinite(squares)
        mean = guess + left / n
        deviation = np.sqrt(np.maximum(squares - left * left / n, 0.0) / n)
        lowest = np.where(zeros > 0, np.minimum(first.lowest, 0.0), first.lowest)
        highest = np.where(zeros > 0, np.maximum(first.highest, 0.0), first.highest)
        still = deviation <= _ROUNDING * np.maximum(np.abs(lowest), np.abs(highest))
        mean = np.where(lowest == highest, lowest, mean)
        centred = 2 * first.counts >= n
        return ColumnScale(np.where(centred, mean, 0.0), np.where(still, 1.0, deviation))

    def restored(self, arrays: dict[str, Numbers], n_columns: int) -> Scale:
        """The means and deviations of a file."""
        return ColumnScale.restored(arrays, n_columns)


def _refuse_infinite(sums: Numbers) -> None:
    if not np.isfinite(sums).all():
        column = int(np.flatnonzero(~np.isfinite(sums))[0])
        raise InputError(
            f"the values of column {column} are so large that their squares overflow",
            who="scale='standard'",
            wanted="values below 1e150",
            fix=("divide the column first, or use ", Setting("scale", "maxabs")),
        )
