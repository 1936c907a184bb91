"""Passive-aggressive learning, second form (PA-II)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split
from hardlimit.rules.passive_aggressive import weighted_loss

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class PassiveAggressive2(AdditiveRule):
    """PA-II: the step towards hinge loss zero, softened by 1/(2C).

    ::

        loss = max(0, 1 - margin);   w <- w + loss / (||x||^2 + 1/(2C)) y x

    C : aggressiveness, > 0 and finite (hard PA is :class:`PassiveAggressive` with C = inf). Larger
        C follows each example more closely, noise included.

    An example's weight acts on the loss as in :class:`PassiveAggressive`: above 1 it is the margin
    that a correction aims at, below 1 the fraction of the loss that is corrected.

    When to use it: as :class:`PassiveAggressive`, where a step should fade smoothly rather than be
    cut at C. On texts the two do equally well; where many labels are wrong C = 0.5 of this rule is
    better (``benchmarks/DEFAULTS.md``).

    Guarantee: at most ``(radius^2 + 1/(2C)) / gamma^2`` mistakes on separable examples, since each
    has a squared loss of at least 1.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept.

    Worked example: x = (1, 1), bias feature 1, y = +1, C = 1/2, w = 0: ||x||^2 = 3, tau = 1/4,
    w = (1/4, 1/4), bias 1/4; the margin is 3/4.

    Source: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006), Figure 1 and Theorem
    5.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.PassiveAggressive2(C=0.5), readout="last", until=None)
    >>> clf.partial_fit([[1, 1]], [1], classes=[0, 1]).decision_function([[1, 1]])
    array([0.75])
    """

    C: float = 1.0
    required = 1
    equality_violates = False
    also_called = ("pa-ii",)
    ranges = {"C": "aggressiveness, > 0; larger follows each example more closely"}

    def __post_init__(self) -> None:
        check_positive(self, "C")

    @property
    def weighs(self) -> bool:
        """Whether C is finite."""
        return not math.isinf(self.C)

    def tau(self, margin: Scalar, sqnorm: Scalar, weight: Scalar = 1) -> Any:
        """``loss / (sqnorm + 1 / (2 C))``, with the loss of PA-I's ``weighted_loss``."""
        return weighted_loss(margin, weight) / (sqnorm + 1 / (2 * self.C))

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``(radius^2 + 1/(2C)) / gamma^2``."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        softened = geometry.radius**2 + 1 / (2 * self.C)
        return Bound(softened / geometry.gamma**2, "Theorem 5, no loss", "mistakes")

    def split(self) -> Split:
        """Rows -theta/2, +theta/2; sqnorm doubles, so tau halves where 1/(2C) doubles."""
        return Split(0.5, PassiveAggressive2(self.C / 2))
