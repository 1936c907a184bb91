"""Balanced Winnow, through its link."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError
from hardlimit.rules._kinds import LinkedRule
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class BalancedWinnow(LinkedRule):
    """Balanced Winnow: on a mistake, multiply the weights by powers of alpha.

    ::

        margin <= 0:   theta <- theta + ln(alpha) y x,   w = 2 sinh(theta)

    alpha : > 1, the only learning rate. Larger alpha learns faster and may overshoot; for the
        guarantee alpha must be small where margins are.

    As usually written, w = w+ - w-, and a mistake multiplies ``w+_j`` by ``alpha^(y x_j)`` and
    ``w-_j`` by ``alpha^(-y x_j)``: then ``w+_j w-_j = 1`` for ever, ``w+_j = e^theta_j``, and the
    weight *is* ``2 sinh(theta_j)`` of what a perceptron would add up. Common slips: that each
    mistake moves one of the two only, or only by examples of its own class, so that "the gap never
    grows"; that 2 sinh scales another weight; an eta in the pseudo-code that nothing uses; and that
    it is the faster rule in general, which it is where few columns matter. Large theta do not
    overflow: where one passes 600, all weights are divided by a common factor, which leaves every
    sign.

    It suits many columns of which few matter: the bound grows with the logarithm of their number.

    An example's weight multiplies the step of theta. The exponential is our own, from additions and
    multiplications: the same bits on every machine.

    When to use it: very many columns of which few matter, for or against. Where most columns matter
    a little, as words do, take a rule that adds.

    Guarantee, on separable examples of d columns (the bias's included), with X = max |x_j| and a
    vector u, ``||u||_1 = 1``, of margin ``gamma_1``: with ``eta = ln(alpha)``, at most
    ``ln(2d) / (eta gamma_1 - ln(cosh(eta X)))`` mistakes, where that is positive. For
    ``sum_j 2 cosh(theta_j)`` begins at 2d and grows by ``cosh(eta X)`` on a mistake at most, while
    it is at least ``e^(<u, theta>)``. Any alpha below ``exp(2 gamma_1 / X^2)`` has a bound; the
    best is near its square root, about ``2 ln(2d) (X / gamma_1)^2``.

    Cost: O(nnz) to look at a row; a correction takes an exponential for each non-zero, several
    times what the perceptron's takes.

    Worked example (modified OR, bias feature -1, alpha = 2): mistakes on the first three rows,
    scores 0, -3/2 and -15/4 times y; w+ is (2,2,2), (4,1,1), (2,2,1/2), w- is its inverse; then
    w = w+ - w- = (3/2, 3/2, -3/2) makes no mistake.

    Source: Littlestone, Machine Learning 2 (1988) and his thesis (1989); Duda, Hart and Stork,
    Pattern Classification, 2nd ed., Algorithm 7; Kivinen and Warmuth, Inf. and Comp. 132 (1997).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.BalancedWinnow(alpha=2), order="cyclic", bias_feature=-1.0)
    >>> clf = clf.fit(X, y)
    >>> clf.coef_.round(12), int(clf.n_corrections_)
    (array([[1.5, 1.5]]), 3)
    """

    alpha: float = 2.0
    required = 0
    equality_violates = True
    exact = False
    ranges = {"alpha": "factor of a mistake, > 1; larger learns faster and may overshoot"}

    def __post_init__(self) -> None:
        good = isinstance(self.alpha, int | float) and 1 < self.alpha < math.inf
        if not good:
            raise InputError(
                who="rules.BalancedWinnow", parameter="alpha", got=self.alpha, wanted="a number > 1"
            )

    @cached_property
    def _eta(self) -> float:
        """``ln(alpha)``, correctly rounded on every machine."""
        from decimal import Decimal

        # math.log may differ in its last bit between C libraries, and every weight with it.
        return float(Decimal(self.alpha).ln())

    def compiled_parameters(self) -> dict[str, float]:
        """The step of theta."""
        return {"eta": self._eta}

    def tau(self, weight: Scalar = 1) -> Any:
        """``ln(alpha)``, times the example's weight."""
        return self._eta * weight

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``ln(2d) / (eta gamma_1 - ln(cosh(eta X)))``, where that is positive."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        d, X, gamma = geometry.n_columns, geometry.x_inf, geometry.gamma_1
        if d is None or X is None or gamma is None:
            return Bound(None, "needs n_columns, x_inf and gamma_1 of the examples")
        eta = math.log(self.alpha)
        # ln(cosh(y)) without cosh, which overflows
        growth = eta * X + math.log1p(math.exp(-2 * eta * X)) - math.log(2)
        if eta * gamma <= growth:
            # From ln(cosh(y)) <= y^2 / 2: any eta below 2 gamma / X^2 has a bound.
            largest = math.exp(2 * gamma / X**2)
            return Bound(
                None, f"alpha is too large for this margin; any up to {largest:.6g} has a bound"
            )
        return Bound(math.log(2 * d) / (eta * gamma - growth), "growth of sum 2 cosh(theta)")

    def split(self) -> Split:
        """Rows -theta, +theta have weights -w, +w: the margin doubles and keeps its sign."""
        return Split(1.0, self)
