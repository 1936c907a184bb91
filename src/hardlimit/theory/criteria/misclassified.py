"""The number of mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.theory.criteria._criterion import Criterion, ViolatorTerm


@dataclass(frozen=True)
class Misclassified(Criterion):
    """J: how many examples are on the wrong side.

    ::

        J(w) = #{z : z w <= 0},   gradient 0,   Hessian 0

    Unit: examples. A margin of exactly 0 counts, so J(0) is the number of rows.

    Where it fails: it is piecewise constant, so its gradient is 0 wherever there is one and says
    nothing of where to go; finding its minimum is NP-hard. The other criteria stand in for it.

    Duda, Hart and Stork, Pattern Classification, 2nd ed. (2001), section 5.5.1.

    Examples
    --------
    >>> from hardlimit.theory.criteria import Misclassified
    >>> Z = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
    >>> [Misclassified().value(Z, w) for w in ([0, 0, 0], [1, 1, 1], [2, 0, 0], [1, 1, -1])]
    [4, 2, 1, 0]
    """

    no_line_search = "the count has slope 0 wherever it has one, and so no direction to search"

    def loss(self, v: ViolatorTerm) -> Any:
        """1."""
        return 1

    def slope(self, v: ViolatorTerm) -> Any:
        """0."""
        return 0

    def curvature(self, v: ViolatorTerm) -> Any:
        """0."""
        return 0
