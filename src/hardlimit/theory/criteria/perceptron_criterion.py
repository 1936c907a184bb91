"""The perceptron criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.theory.criteria._criterion import Criterion, ViolatorTerm


@dataclass(frozen=True)
class PerceptronCriterion(Criterion):
    """J_p: how far the mistakes are on the wrong side, summed.

    ::

        J_p(w) = sum over z w <= 0 of -z w,   gradient = sum of -z,   Hessian 0 almost everywhere

    Unit: margin, ``<w, x>``; J_p scales with ``|w|``. A common slip drops the sum or the minus, or
    takes J_p for the misclassified examples themselves: J_p is a sum, and >= 0. Descending it is
    the batch perceptron, ``w <- w + eta sum z``: a multiple of the violators' *sum* is added (a
    common slip says "of their number", another subtracts it).

    It is continuous, convex and piecewise linear; at a kink, where some z w = 0, ``gradient`` is
    the subgradient that counts those rows as members.

    Where it fails: J_p(0) = 0 whatever the data, so on examples that no plane separates minimising
    it only shrinks w to 0; use a required margin (``RelaxationCriterion``). The step
    ``|g|^2 / (g H g)`` does not exist for it, because H = 0; a common slip computes it anyway.

    Duda, Hart and Stork, Pattern Classification, 2nd ed. (2001), section 5.5.1.

    Examples
    --------
    >>> from hardlimit.theory.criteria import PerceptronCriterion
    >>> Z = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (1, 1, -1)]
    >>> J_p = PerceptronCriterion()
    >>> [int(J_p.value(Z, w)) for w in ([0, 0, 0], [1, 1, 1], [2, 0, 0], [1, 1, -1])]
    [0, 2, 2, 0]
    >>> J_p.members(Z, [0, 0, 0]), J_p.gradient(Z, [0, 0, 0])
    ([0, 1, 2, 3], [-2, -2, 2])
    """

    no_line_search = "the Hessian of J_p is 0, so its quadratic model has no minimum along a line"

    def loss(self, v: ViolatorTerm) -> Any:
        """``-z w``."""
        return -v.margin

    def slope(self, v: ViolatorTerm) -> Any:
        """-1."""
        return -1

    def curvature(self, v: ViolatorTerm) -> Any:
        """0."""
        return 0
