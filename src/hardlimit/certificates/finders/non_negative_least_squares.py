"""scipy's non-negative least squares: the nearest point of the hull by other people's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows

MOST_NUMBERS = 1_000_000


@dataclass(frozen=True)
class NonNegativeLeastSquares(Finder):
    """p = argmin over p >= 0 of ||Z'p||^2 + (sum p - 1)^2; then p / sum p is the nearest point.

    An independent check of :class:`MinimumNorm`, whose problem it is: ``w = Z'p`` is the direction
    of the widest margin, ``gamma = ||w|| / sum p``, or else p are multipliers. scipy's solver
    works in one go, so that this finder keeps its turn until it is done: it comes last in the race
    and refuses more than a million numbers.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[3.0, 4], [9, 9]]), np.array([1, 1]), None)
    >>> waiting, direction, multipliers = NonNegativeLeastSquares().findings(rows, 0)
    >>> multipliers.index.tolist()
    [0]
    """

    name = "non-negative-least-squares"
    needs = "scipy"
    turn = 10

    def suits(self, rows: SignedRows) -> str:
        """Say no to what would take long in one go."""
        if rows.n_rows * rows.n_columns > MOST_NUMBERS:
            return f"more than {MOST_NUMBERS:,} numbers would keep the others waiting"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield the direction, then the multipliers."""
        from scipy.optimize import nnls

        yield None  # the others first
        view = View(rows, unit=False)
        matrix = view.matrix
        if isinstance(matrix, tuple):
            values, columns, starts = matrix
            matrix = np.zeros((rows.n_rows, rows.n_columns))
            matrix[np.repeat(np.arange(rows.n_rows), np.diff(starts)), columns] = values
        lifted = np.vstack([matrix.T, np.ones(rows.n_rows)])
        # The last equation asks the multipliers to sum to 1, all others their sum to be 0.
        target = np.zeros(rows.n_columns + 1)
        target[-1] = 1
        try:
            p, _ = nnls(lifted, target)
        except RuntimeError:  # too many steps
            return
        w = p @ matrix
        if w.any():
            yield Direction(w)
        weighting = view.weighting(p)
        if weighting is not None:
            yield weighting
