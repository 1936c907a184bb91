"""The AdaTron: the widest margin by coordinate ascent, for many columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows


@dataclass(frozen=True)
class AdaTron(Finder):
    """alpha_i <- max(0, alpha_i + (1 - z_i.w) / ||z_i||^2), w = sum alpha_i z_i; the hard margin.

    Coordinate ascent on ``sum alpha_i - ||w||^2 / 2`` over alpha >= 0, whose solution is the widest
    margin: ``gamma = 1 / ||w||``, and alpha are the multipliers that prove so. Linear convergence
    at last; where nothing separates alpha grows without end and ``||w|| / sum alpha`` goes to 0.
    Rows without a weight that are beyond the margin rest until the others are done with. What
    alpha grew by is shown where nothing separates: w comes to rest, and that adds up to zero.
    Anlauf and Biehl, Europhysics Letters 10 (1989); Friess, Cristianini and
    Campbell, ICML 1998; the sweeps as in Hsieh and others, ICML 2008.

    Cost: O(non-zeros of the rows at work) a sweep; any number of columns.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[2.0, 1], [-2, 1]]), np.array([1, -1]), None)
    >>> direction, multipliers = AdaTron().findings(rows, 0)
    >>> (direction.w / direction.w[0]).round(6).tolist(), multipliers.value.round(6).tolist()
    ([1.0, 0.0], [0.5, 0.5])
    """

    name = "adatron"
    turn = -1

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield w where it separates, alpha as it comes nearer, and both at the end."""
        yield from follow_search(View(rows, unit=False), "adatron", seed=seed)
