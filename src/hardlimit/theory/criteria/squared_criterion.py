"""The squared criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.theory.criteria._criterion import Criterion, ViolatorTerm


@dataclass(frozen=True)
class SquaredCriterion(Criterion):
    """J_q: the mistakes' distances beyond the boundary, squared and summed.

    ::

        J_q(w) = sum over z w <= 0 of (z w)^2,   gradient = sum of 2 (z w) z,   H = sum of 2 z z^T

    Unit: margin squared. What it gains over J_p is a continuous *gradient*; both are continuous
    themselves (a common slip names continuity as the advantage).

    Where it fails: J_q(0) = 0 whatever the data, and the gradient is 0 all along the boundary of
    the solution region, so descent may end *on* the boundary, at w = 0 or elsewhere, with J_q = 0
    and examples still wrong (a common slip blames slowness alone); the longest rows rule the sum.
    ``RelaxationCriterion`` has neither defect.

    Worked example (modified OR, threshold feature -1): at (1,1,1) the gradient is (0,0,4), the line
    search steps 1/4 of it to (1,1,0), where J_q is 0 and two examples have margin 0: mistakes.

    Duda, Hart and Stork, Pattern Classification, 2nd ed. (2001), section 5.6.1.

    Examples
    --------
    >>> from hardlimit.theory.criteria import SquaredCriterion
    >>> Z = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
    >>> J_q = SquaredCriterion()
    >>> [int(J_q.value(Z, w)) for w in ([0, 0, 0], [1, 1, 1], [2, 0, 0], [1, 1, -1])]
    [0, 2, 4, 0]
    >>> J_q.gradient(Z, [1, 1, 1]) == [0, 0, 4], J_q.line_search(Z, [1, 1, 1])
    (True, Fraction(1, 4))
    >>> int(J_q.value(Z, [1, 1, 0])), J_q.members(Z, [1, 1, 0])
    (0, [1, 2])
    """

    def loss(self, v: ViolatorTerm) -> Any:
        """``(z w)^2``."""
        return v.margin * v.margin

    def slope(self, v: ViolatorTerm) -> Any:
        """``2 z w``."""
        return 2 * v.margin

    def curvature(self, v: ViolatorTerm) -> Any:
        """2."""
        return 2
