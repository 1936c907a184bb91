"""The smooth perceptron: the smallest margin smoothed, and Nesterov's momentum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows


@dataclass(frozen=True)
class SmoothPerceptron(Finder):
    """y moves towards a mean of rows that weighs those most that are furthest behind.

        y <- Z'(1/n);  x <- smin(y);  then with share = 2 / (k + 3), k = 0, 1, ...
        y <- (1 - share) (y + share Z'x) + share^2 Z' smin_mu(y);   mu <- (1 - share) mu
        x <- (1 - share) x + share smin_mu(y)
        smin_mu(y) = argmin over the simplex of p.Zy + mu sum p_i ln p_i = softmax(-Zy / mu)

    of unit rows. Finds a separator within ``2 sqrt(ln n) / gamma - 1`` steps, where the perceptron
    needs ``1 / gamma^2``; else x are multipliers whose combination comes near to zero.
    Soheili and Pena, SIAM Journal on Optimization 22 (2012). mu starts at 1.

    Cost: two looks at all non-zeros a step.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> X = [[1.0, 0.0], [1, 1], [1, 3], [-1, 1], [-1, 0.5]]
    >>> rows = SignedRows(read_entries(X), np.array([1, 1, 1, -1, -1]), 1.0)
    >>> bool((rows.dot(next(SmoothPerceptron().findings(rows, 0)).w) > 0).all())
    True
    """

    name = "smooth-perceptron"
    turn = 5

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield y where it separates, x as it comes nearer to a proof against."""
        yield from follow_search(View(rows, unit=True), "smooth-entropy")


@dataclass(frozen=True)
class EuclideanSmoothPerceptron(Finder):
    """The smooth perceptron with the squared distance from the even weights as its smoothing.

        smin_mu(y) = argmin over the simplex of p.Zy + mu/2 ||p - 1/n||^2
                   = the projection of 1/n - Zy / mu on the simplex;   mu starts at 2

    Most of its multipliers are exactly zero. At most ``2 sqrt(2) / gamma - 1`` steps to a separator
    (the same analysis, the diameter of the simplex in the place of ``sqrt(ln n)``, and Euclidean
    norms of Z, so that the rows' largest singular value enters too).

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[2.0], [1]]), np.array([1, -1]), 1.0)
    >>> finding = next(EuclideanSmoothPerceptron().findings(rows, 0))
    >>> bool((rows.dot(finding.w) > 0).all())
    True
    """

    name = "smooth-perceptron-euclidean"
    turn = 4

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield y where it separates, x as it comes nearer to a proof against."""
        yield from follow_search(View(rows, unit=True), "smooth-euclidean")
