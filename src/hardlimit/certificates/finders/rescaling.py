"""The rescaling perceptron: space is stretched until the solutions are easy to find."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows

MOST_NUMBERS = 20_000_000


@dataclass(frozen=True)
class Rescaling(Finder):
    """The perceptron, and where it does not end a direction along which space is doubled.

    With A the unit rows and B = I: the perceptron on A for at most ``16 d^2`` additions; if it
    separates, ``B w`` does. Else x is drawn at random and, while a row a has
    ``a.x / ||x|| < -1 / (32 d)``, ``x <- x - (a.x) a``; then with x of unit length
    ``A <- A (I + x x')`` at unit length, ``B <- B (I + x x')``, and again.

    With high probability O(d ln(1 / gamma)) rescalings find a separator: polynomial, where the
    perceptron is not (Dunagan and Vempala, Mathematical Programming 114, 2008). It proves nothing
    where there is none. Cost: O(n d) a pass and a rescaling; the rows are held as a dense matrix.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> X = np.vander(np.linspace(0, 1, 9), 5)
    >>> rows = SignedRows(read_entries(X), np.where(np.arange(9) % 4 < 2, 1, -1), None)
    >>> separators = [finding for finding in Rescaling().findings(rows, 0) if finding]
    >>> bool((rows.dot(separators[-1].w) > 0).all())
    True
    """

    name = "rescaling"
    turn = 8

    def suits(self, rows: SignedRows) -> str:
        """Say no to rows that would not fit as a dense matrix."""
        if rows.n_rows * rows.n_columns > MOST_NUMBERS:
            return f"a dense matrix of more than {MOST_NUMBERS:,} numbers"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield a separator when there is one."""
        log_d = math.log(max(rows.n_columns, 2))
        yield from follow_search(View(rows, unit=True), "rescaling", parameter=log_d, seed=seed)
