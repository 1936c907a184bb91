"""Aggressive ROMMA: the relaxed online maximum margin algorithm on every margin below 1."""

from __future__ import annotations

from dataclasses import dataclass

from hardlimit.rules.romma import ROMMA


@dataclass(frozen=True)
class AggressiveROMMA(ROMMA):
    """Aggressive ROMMA: as ROMMA, on every margin below 1.

    ::

        margin < 1:   w <- the shortest v with <v, w> >= ||w||^2 and y <v, x> >= 1

        with A = ||x||^2 ||w||^2:
        margin >= A:  w <- y x / ||x||^2
        otherwise:    w <- ((A - margin) w + ||w||^2 (1 - margin) y x) / (A - margin^2)

    The first branch is met while w is short, and is what begins. A common slip leaves it out:
    below, w would become (1/2, 1), longer than need be.

    An example's weight is 0 or 1: the step solves a problem in which there is none.

    When to use it: as :class:`ROMMA`, where a better margin is worth more corrections, and labels
    are right: every example is trusted.

    Guarantee: at most ``(radius / gamma)^2`` mistakes on separable examples, by the proof of
    :class:`ROMMA`; corrections of right answers have no such bound. The margin after a step is 1,
    and w tends to the direction of the largest margin.

    Cost: as the perceptron's: O(nnz) to look at a row and as much again to correct. The shrink
    touches no weight, and ``||w||^2`` is kept.

    Worked example (no bias, both rows of the second class): x = (2, 0) gives w = (1/2, 0). Then
    x = (1, 1/2) has margin 1/2 and A = 5/4 * 1/4 = 5/16, which is less: w = x / (5/4) =
    (4/5, 2/5). Now (2, 0) has margin 8/5 and nothing is left to do.

    Source: Li and Long, Machine Learning 46 (2002), Section 4.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.AggressiveROMMA(), fit_intercept=False, readout="last")
    >>> clf.partial_fit([[2, 0], [1, 0.5]], [1, 1], classes=[0, 1]).coef_
    array([[0.8, 0.4]])
    """

    required = 1
    equality_violates = False
