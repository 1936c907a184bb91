"""Passive-aggressive learning, first form (PA-I), and hard PA."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


def weighted_loss(margin: Scalar, weight: Scalar) -> Any:
    """What the correction of an example of this weight makes up for.

    A heavy example aims at the margin ``weight`` instead of 1, since a loss that is gone after one
    step cannot count more than once; a light one is corrected by the fraction ``weight``.

    >>> weighted_loss(0.5, 1), weighted_loss(0.5, 3), weighted_loss(0.5, 0.5)
    (0.5, 2.5, 0.25)
    """
    return weight - margin if weight >= 1 else weight * (1 - margin)


@dataclass(frozen=True)
class PassiveAggressive(AdditiveRule):
    """PA-I: the nearest w with hinge loss zero, moving by at most C.

    ::

        loss = max(0, 1 - margin);   w <- w + min(C, loss / ||x||^2) y x

    C : aggressiveness, > 0; inf is hard PA. Larger C follows each example more closely, noise
        included.

    An example's weight multiplies C, and the margin that a correction aims at where it is above 1;
    a lighter example is corrected by that fraction of its loss. So weights act at every C, also
    where C cuts no step. Under C = inf only 0 and 1 are taken.

    When to use it: the first choice for texts, and the default there; streams in which a correction
    must take hold at once. C = 1 seldom needs tuning; try 0.3 or less where many labels are wrong.

    Guarantee: at most ``max(radius^2, 1/C) / gamma^2`` mistakes on separable examples (with
    comparator u / gamma, hinge loss 0). After a step that C did not cut, the margin is exactly 1,
    the bias included: a common slip leaves the bias out of ``||x||^2`` and passes 1.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept.

    Worked example: x = (3, 4), bias feature 1, y = +1, C = inf, w = 0: ||x||^2 = 26, tau = 1/26,
    w = (3/26, 4/26), bias 1/26; the margin is 9/26 + 16/26 + 1/26 = 1.

    Source: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, JMLR 7 (2006), Figure 1, Theorems 2
    and 4.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.PassiveAggressive(C=float("inf")), readout="last", max_iter=1,
    ...                        until=None)
    >>> clf = clf.partial_fit([[3, 4]], [1], classes=[0, 1])
    >>> print(clf.decision_function([[3, 4]]).round(12))
    [1.]
    """

    C: float = 1.0
    required = 1
    equality_violates = False
    also_called = ("pa1", "pa-i", "hard-pa")
    ranges = {"C": "aggressiveness, > 0, inf is hard PA; larger follows each example more closely"}

    def __post_init__(self) -> None:
        check_positive(self, "C", finite=False)

    @property
    def weighs(self) -> bool:
        """Whether C is finite: hard PA knows no example that counts less than wholly."""
        return not math.isinf(self.C)

    def tau(self, margin: Scalar, sqnorm: Scalar, weight: Scalar = 1) -> Any:
        """``min(C weight, loss / sqnorm)``, with the loss of :func:`weighted_loss`."""
        return min(self.C * weight, weighted_loss(margin, weight) / sqnorm)

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``max(radius^2, 1/C) / gamma^2`` mistakes; corrections beyond them are not bounded."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        return Bound(
            max(geometry.radius**2, 1 / self.C) / geometry.gamma**2,
            "Theorem 4, no loss",
            "mistakes",
        )

    def split(self) -> Split:
        """Rows -theta/2, +theta/2 keep the margin; sqnorm doubles, so tau halves, and with it C."""
        return Split(0.5, PassiveAggressive(self.C / 2))
