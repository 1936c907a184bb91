"""Relaxation with margin: a part, the whole or more of the way to the violated hyperplane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_between, check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class Relaxation(AdditiveRule):
    """Relaxation: move towards the plane ``margin = b`` of a violator.

    ::

        margin <= b:   w <- w + eta (b - margin) / ||x||^2 y x

    eta : how much of the way, > 0 and < 2. Below 1 is under-relaxation, 1 is projection, above 1
        over-relaxation. A schedule multiplies it, and the product must stay below 2.
    b : required margin, > 0, in the units of ``<w, x>``; with b = 0 the weights could shrink to 0.
        From zero weights it only scales ``w``.

    An example's weight is 0 or 1: to multiply the step would be another eta.

    In the order ``"batch"`` the steps of the violators are averaged, which converges for the same
    eta. A common slip sums them: that diverges unless eta is below 2 over the largest eigenvalue of
    ``sum x x' / ||x||^2``. The batch form descends ``1/2 sum (margin - b)^2 / ||x||^2``.

    When to use it: systems of inequalities, for which it was made: find a w with ``y <w, x> >= b``;
    lessons on descent, since its batch form follows a quadratic criterion. For noisy examples take
    :class:`PassiveAggressive`, which cuts long steps.

    Guarantee: a step leaves ``margin - b`` at ``1 - eta`` times what it was, and brings w no
    further from any a that keeps all margins >= b: ``||w - a||^2`` falls by at least
    ``eta (2 - eta) (b - margin)^2 / ||x||^2`` (Fejer monotony). With ``||a|| = b / gamma``, at most
    ``radius^2 / (eta (2 - eta) gamma^2)`` mistakes follow on separable examples; corrections of
    right answers that are too close have no bound: for eta <= 1 they go on for ever, so that a fit
    aims at ``until="separated"``, or at ``"margin"`` with ``tol > 0``. A common slip waits for all
    margins to pass b, another has the sign of ``b - margin`` turned round, and a third says that
    under-relaxation fails to converge: on separable examples it does converge, for every eta in
    0 .. 2, to the border of where all margins are b, and the last mistake comes before that.

    Cost: O(nnz) to look at a row and as much again to correct; one vector of weights, a second one
    where the average is kept.

    Worked example (modified OR, bias feature -1, eta = 3/2, b = 1): z is (1,1,1), (1,-1,-1),
    (-1,1,-1), (1,1,-1). First round: margin 0, w = (1/2, 1/2, 1/2); -1/2, (5/4, -1/4, -1/4); -5/4,
    (1/8, 7/8, -11/8); 19/8. Second round: -3/8, (13/16, 25/16, -11/16); -1/16,
    (43/32, 33/32, -39/32); 29/32, (83/64, 69/64, -81/64); 233/64. Third round: margins 71/64,
    95/64, 67/64 and 233/64, all above 1.

    Source: Agmon, Canadian J. Math. 6 (1954); Motzkin and Schoenberg, same volume; Duda, Hart and
    Stork, Pattern Classification, 2nd ed., Algorithms 8 and 9. With eta = 1 and b = 1 this is hard
    PA.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.Relaxation(eta=1.5), order="cyclic", bias_feature=-1.0,
    ...                        until="margin").fit(X, y)
    >>> clf.with_readout("last").coef_ * 64, int(clf.n_corrections_)
    (array([[83., 69.]]), 6)
    """

    eta: float = 1.0
    b: float = 1.0
    equality_violates = True
    takes_schedule = True
    batch = "average"
    quadratic = True
    unweighed = "since to multiply the step would be another eta; repeat examples"
    ranges = {
        "eta": "share of the way, > 0 and < 2; 1 projects, more over-relaxes",
        "b": "required margin, > 0; scales the weights",
    }

    def __post_init__(self) -> None:
        check_between(self, "eta", 0, 2)
        check_positive(self, "b")

    @property
    def required(self) -> float:
        """The margin b."""
        return self.b

    def tau(self, margin: Scalar, sqnorm: Scalar) -> Any:
        """``eta (b - margin) / sqnorm``."""
        return self.eta * (self.b - margin) / sqnorm

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``radius^2 / (eta (2 - eta) gamma^2)`` mistakes; corrections are not bounded."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        share = self.eta * (2 - self.eta)
        value = (geometry.radius / geometry.gamma) ** 2 / share
        return Bound(value, "each mistake brings w nearer to a solution", "mistakes")

    @property
    def schedule_below(self) -> float:
        """``eta * eta(step)`` must stay below 2."""
        # Beyond 2 a step can end farther from a solution than it began.
        return 2 / float(self.eta)

    def split(self) -> Split:
        """Rows -theta/2, +theta/2 keep the margin; sqnorm doubles, so tau halves by itself."""
        return Split(0.5, self)
