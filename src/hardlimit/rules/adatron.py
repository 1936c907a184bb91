"""The AdaTron: dual coordinates that rise and fall until the margin is the largest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError, Setting
from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_between, check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar
    from hardlimit.foundation.types import Array


@dataclass(frozen=True)
class AdaTron(AdditiveRule):
    """Correct towards the margin 1 from both sides, with alpha between 0 and C.

    ::

        alpha_i <- min(C, max(0, alpha_i + eta (1 - margin) / ||x||^2)),   w = sum_i alpha_i y_i x_i

    It corrects what lies below the margin 1, as others do, and takes back what lies beyond it and
    has alpha > 0. That is coordinate ascent on the dual problem of the support vector machine
    (without the constraint on the sum of the alphas: the bias is a feature here), so that w tends
    to the largest margin where the examples are separable, to the soft margin under a finite C.

    eta : > 0 and < 2; 1 goes to the best value of each coordinate, less is slower, more overshoots.
    C : the most that one example may count, > 0, inf for the hard margin, which diverges on
        examples that are not separable. A sample's weight multiplies C, as in a support vector
        machine: it acts on the examples that reach it, and a fit in which none does warns.

    Ask for ``until="margin"`` with a ``tol``, say 0.01: it ends when every margin is at least
    ``1 - tol``, and at most ``1 + tol`` where alpha > 0. ``readout="last"`` answers by the w that
    has the margin. A stream, which knows no example again, is refused: there,
    :class:`PassiveAggressive` makes the same first step. For more than two classes take
    ``multiclass="ovr"``.

    When to use it: the largest margin is wanted, or the soft margin of a support vector machine
    without a bias of its own, from examples that fit into memory; with a kernel above all.

    Guarantee: with C = inf at most ``radius^2 / (eta (2 - eta) gamma^2)`` mistakes on separable
    examples: a correction of a mistake raises the dual ``sum alpha - ||w||^2 / 2`` by at least
    ``eta (2 - eta) / (2 radius^2)``, no correction lowers it, and it stays below
    ``1 / (2 gamma^2)``. The margin tends to the largest.

    Cost: O(nnz) to look at a row and as much again to correct, and a number for each example.

    Worked example: x1 = (2), x2 = (1), both y = +1, no bias, eta = 1: x1 gives alpha1 = 1/4,
    w = 1/2; x2 has the margin 1/2, alpha2 = 1/2, w = 1. Then x1 has the margin 2: alpha1 falls by
    1/4 to 0, w = 1/2; x2 gets alpha2 = 1, w = 1: the support vector is x2 alone.

    Source: Anlauf and Biehl, Europhysics Letters 10 (1989); with kernels: Friess, Cristianini and
    Campbell, ICML (1998), whose variants of the bias differ.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.AdaTron(), order="cyclic", until="margin", tol=1e-6,
    ...                        readout="last", fit_intercept=False)
    >>> clf = clf.fit([[2.0], [1.0], [-3.0]], [1, 1, 0])
    >>> print(clf.coef_[0], clf.stop_reason_)
    [1.] margin_reached
    """

    eta: float = 1.0
    C: float = math.inf
    equality_violates = False
    registered_as = "adatron"
    alone = "an alpha belongs to one pair of classes, and a shared correction has many"
    ranges = {
        "eta": "> 0 and < 2; 1 goes to the best value of each coordinate",
        "C": "the most that one example may count, > 0, inf is the hard margin",
    }

    def __post_init__(self) -> None:
        check_between(self, "eta", 0, 2)
        check_positive(self, "C", finite=False)

    @property
    def weighs(self) -> bool:
        """Weights scale C, so that an infinite C has none."""
        return not math.isinf(self.C)

    def ceiling(self, weights: Array) -> Any:
        """The most that examples of these weights may count."""
        return self.C * weights

    def required(self, margin: Scalar, alpha_i: Scalar, weight: Scalar = 1) -> Any:
        """As far above the margin as that is above 1, where alpha can fall; 1 where it can grow."""
        if margin > 1 and alpha_i > 0:
            # Above the margin just where that is above 1: then the engine corrects downwards.
            return 2 * margin - 1
        # Alpha at its ceiling cannot grow, however small the margin is.
        return 1 if alpha_i < self.C * weight else -math.inf

    def tau(self, margin: Scalar, sqnorm: Scalar, alpha_i: Scalar, weight: Scalar = 1) -> Any:
        """``eta (1 - margin) / sqnorm``, as far as alpha may go."""
        step = self.eta * (1 - margin) / sqnorm
        return max(-alpha_i, min(self.C * weight - alpha_i, step))

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``radius^2 / (eta (2 - eta) gamma^2)`` mistakes with C = inf."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        if not math.isinf(self.C):
            return Bound(None, "an example with alpha = C may be mistaken for ever")
        share = self.eta * (2 - self.eta)
        return Bound(
            geometry.radius**2 / (share * geometry.gamma**2),
            "each raises the dual by eta (2 - eta) / (2 radius^2), which ends at 1 / (2 gamma^2)",
            "mistakes",
        )

    def split(self) -> Any:
        """Raise: coupled classes cannot share it."""
        raise InputError(
            f"a third class came, but {self.alone}",
            who="AdaTron",
            fix=("start again with ", Setting("multiclass", "ovr")),
        )
