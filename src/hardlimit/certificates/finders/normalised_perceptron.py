"""The normalised perceptron: always the row of the smallest margin, of unit rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows


@dataclass(frozen=True)
class NormalisedPerceptron(Finder):
    """w <- w + z_j with j = argmin z_i.w, of unit rows; the greedy perceptron.

    Finds a separator within ``1 / gamma^2`` steps, by Novikoff's proof. Where there is none,
    ``||w||^2 <= k``, so that the counts are multipliers of length ``||w|| / k <= 1 / sqrt(k)``.
    Running on, it comes to the widest margin of unit rows (Krauth and Mezard 1987: MinOver).

    Cost: O(non-zeros) a step.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[3.0, 0], [0, 3]]), np.array([1, -1]), None)
    >>> direction = next(NormalisedPerceptron().findings(rows, 0))
    >>> (direction.w / direction.w[0]).tolist()
    [1.0, -1.0]
    """

    name = "normalised-perceptron"
    turn = 7

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield w where it separates, counts as they come nearer to a proof against."""
        yield from follow_search(View(rows, unit=True), "normalised-perceptron")
