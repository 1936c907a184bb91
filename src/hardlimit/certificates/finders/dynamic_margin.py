"""The perceptron with dynamic margin: as wide a margin as is asked for, proved by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.foundation.register import check_in_range


@dataclass(frozen=True)
class DynamicMargin(Finder):
    """w <- w + z and k <- k + 1 for a row with ``z.w <= (1 - eps) ||w||^2 / k``.

    As ``gamma <= ||w|| / k`` at all times, a pass without an addition proves
    ``min z.w / ||w|| > (1 - eps) ||w|| / k >= (1 - eps) gamma``, and the counts are the
    multipliers that prove the second part. Finite on separable rows: O((R / gamma)^2 / eps)
    additions (Panagiotakopoulos and Tsampouka 2011). Exact on integers while numbers stay below
    2^53. Where nothing separates it never ends.

    Parameters
    ----------
    eps
        Share of the margin that may be missing, in (0, 1].

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[2.0], [1]]), np.array([1, -1]), 1.0)
    >>> direction, multipliers = DynamicMargin(0.01).findings(rows, 0)
    >>> margin = rows.dot(direction.w).min() / np.linalg.norm(direction.w)
    >>> print(f"{margin:.4f} of {1 / 13**0.5:.4f}")
    0.2774 of 0.2774
    """

    eps: float = 0.01
    name = "dynamic-margin"
    turn = 6

    def __post_init__(self) -> None:
        check_in_range(self, "eps", 0, 1)

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield counts as they bound the margin; the weights after a clean pass, or before."""
        yield from follow_search(View(rows, unit=False), "dynamic-margin", parameter=self.eps)
