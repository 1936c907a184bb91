"""von Neumann's algorithm: the point of the hull that lies nearest to the origin, by segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows


@dataclass(frozen=True)
class VonNeumann(Finder):
    """u = sum p_i z_i of unit rows, from p even; towards the row that is furthest behind.

        j = argmin z_i.u;   share = clip(u.(u - z_j) / ||u - z_j||^2, 0, 1)
        p <- (1 - share) p + share e_j;   u <- (1 - share) u + share z_j

    If ``z_j.u > 0`` then u separates. If nothing does, ``||u|| <= 1 / sqrt(k)`` after k steps; a
    separator is found within O(1 / gamma^2) of them (Dantzig 1992). Where 0 lies inside the hull by
    rho, ``||u||`` falls as ``(1 - rho^2)^(k/2)`` (Epelman and Freund 2000). gamma is of unit rows.

    Cost: O(non-zeros) a step.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[2.0, 1], [1, 2], [-1, 0]]), np.array([1, 1, -1]), 1.0)
    >>> next(VonNeumann().findings(rows, 0)).w.round(3).tolist()
    [0.558, 0.408, -0.149]
    """

    name = "von-neumann"
    turn = 12

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield u where it separates, p as it comes nearer."""
        yield from follow_search(View(rows, unit=True), "von-neumann")
