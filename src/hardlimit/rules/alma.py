"""The approximate large margin algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import ShrinkingRule
from hardlimit.rules._parameters import check_between, check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class ALMA(ShrinkingRule):
    """ALMA: steps and margins that fall with 1/sqrt(step), inside the unit ball.

    ::

        margin / ||x|| <= (1 - alpha) B / sqrt(step):
            w <- w + C / sqrt(step) y x / ||x||;   w <- w / max(1, ||w||)

    alpha : > 0 and <= 1; the margin reached is at least ``1 - alpha`` of the best. Smaller alpha
        comes closer to it, for many more corrections.
    B : > 0; None is the paper's ``sqrt(8) / alpha``.
    C : > 0; None is the paper's ``sqrt(2)``.

    Rows count as directions: the rule divides by their length, the bias's feature included. A
    common slip forgets to. Another projects only the coordinates of x: the whole of w is meant.

    An example's weight is 0 or 1: the step is tied to the length of w.

    When to use it: a margin within a chosen share of the best is wanted, with a bound on the work
    that it takes; rows of very different lengths, since only their directions count.

    Guarantee, with the paper's B and C, on separable examples whose directions have the margin g:
    at most ``2/g^2 (2/alpha - 1)^2 + 8/alpha - 4`` corrections, and at the end all directions have
    a margin of at least ``(1 - alpha) g``. Since ``g >= gamma / radius``, the bound here takes that
    in its place. At every moment ``||w|| <= 1``.

    Cost: as the perceptron's: O(nnz) to look at a row and as much again to correct, the cut to the
    unit ball included.

    Worked example (no bias, alpha = 1/2, both rows of the second class): x = (1, 0) gives
    sqrt(2) (1, 0), cut to w = (1, 0). At step 2 x = (3, 4), of direction (3/5, 4/5), has 3/5, where
    ``1/2 sqrt(32) / sqrt(2) = 2`` is required: w <- (1, 0) + (3/5, 4/5), cut to (2, 1) / sqrt(5).

    Source: Gentile, JMLR 2 (2001), Figure 1 and Theorem 3, with p = 2.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.ALMA(alpha=0.5), fit_intercept=False, readout="last")
    >>> clf.partial_fit([[1, 0], [3, 4]], [1, 1], classes=[0, 1]).coef_.round(4)
    array([[0.8944, 0.4472]])
    """

    alpha: float = 0.9
    B: float | None = None
    C: float | None = None
    equality_violates = True
    exact = False
    unweighed = "since the step is tied to the length of w; repeat examples"
    ranges = {
        "alpha": "> 0 and <= 1; smaller comes closer to the largest margin, and slower",
        "B": "scale of the required margins, > 0; None is sqrt(8) / alpha",
        "C": "scale of the steps, > 0; None is sqrt(2)",
    }

    def __post_init__(self) -> None:
        check_between(self, "alpha", 0, 1, top=True)
        for name in ("B", "C"):
            if getattr(self, name) is not None:
                check_positive(self, name)

    def compiled_parameters(self) -> dict[str, float]:
        """B and C as numbers."""
        alpha = float(self.alpha)
        B = math.sqrt(8) / alpha if self.B is None else float(self.B)
        C = math.sqrt(2) if self.C is None else float(self.C)
        return {"alpha": alpha, "B": B, "C": C}

    def required(self, sqnorm: Scalar, step: Scalar) -> Any:
        """``(1 - alpha) B ||x|| / sqrt(step)``."""
        # The doubles that the compiled twin has, so that both round alike.
        of = self.compiled_parameters()
        return (1 - of["alpha"]) * of["B"] * math.sqrt(sqnorm) / math.sqrt(step)

    def tau(self, margin: Scalar, sqnorm: Scalar, step: Scalar, wsq: Scalar) -> Any:
        """``C / (||x|| sqrt(step))``, and both shrunk to the unit ball."""
        tau = self.compiled_parameters()["C"] / (math.sqrt(sqnorm) * math.sqrt(step))
        # The square of ||w + tau y x|| from the scalars, without a pass over the columns.
        length = wsq + 2 * tau * margin + tau * tau * sqnorm
        shrink = 1 / math.sqrt(length) if length > 1 else 1.0
        return shrink, shrink * tau

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``2/g^2 (2/alpha - 1)^2 + 8/alpha - 4`` corrections with ``g = gamma / radius``."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        if self.B is not None or self.C is not None:
            return Bound(None, "proved for the paper's B and C only: leave both out")
        g = geometry.gamma / geometry.radius
        value = 2 / g**2 * (2 / self.alpha - 1) ** 2 + 8 / self.alpha - 4
        return Bound(value, "Gentile 2001, Theorem 3, with gamma / radius for the directions")

    def split(self) -> Split:
        """Rows -theta/sqrt(2), +theta/sqrt(2): of the same length, with the same normal margin."""
        return Split(math.sqrt(0.5), self)
