"""The relaxed online maximum margin algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import ShrinkingRule
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class ROMMA(ShrinkingRule):
    """ROMMA: on a mistake, the shortest w with margin 1 that keeps what w stood for.

    ::

        margin <= 0:   w <- the shortest v with <v, w> >= ||w||^2 and y <v, x> >= 1

        with A = ||x||^2 ||w||^2:
        w <- ((A - margin) w + ||w||^2 (1 - margin) y x) / (A - margin^2)

    The first correction gives ``w = y x / ||x||^2``, so that its margin is 1. The first constraint
    stands for all examples before: whoever meets them meets it.

    An example's weight is 0 or 1: the step solves a problem in which there is none.

    When to use it: separable examples, or nearly so, a large margin wanted, and nothing to tune.

    Guarantee: at most ``(radius / gamma)^2`` mistakes on separable examples. A w with all margins
    >= 1 meets every constraint, so ``||w||`` grows up to ``1 / gamma`` at most, and ``||w||^2``
    grows by ``1 / radius^2`` on each mistake at least. Repeated, w tends to the direction of the
    largest margin. Where x lies opposite to w, to within an angle of 2^-20, no short v is left:
    w stays as it is. On separable examples that needs ``gamma < radius / 2^20``.

    Cost: as the perceptron's: O(nnz) to look at a row and as much again to correct. The shrink
    touches no weight, and ``||w||^2`` is kept.

    Worked example (modified OR, bias feature -1): z is (1,1,1), (1,-1,-1), (-1,1,-1), (1,1,-1).
    w = z1 / 3 = (1/3, 1/3, 1/3). Then margin -1/3, A = 1: w <- 3/2 w + 1/2 z2 = (1, 0, 0). Then
    margin -1, A = 3: w <- 2 w + z3 = (1, 1, -1). All margins are now at least 1, and w is the
    shortest that can say so: after three mistakes the largest margin there is.

    Source: Li and Long, Machine Learning 46 (2002), Section 2 and Theorem 3.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.ROMMA(), order="cyclic", bias_feature=-1.0).fit(X, y)
    >>> clf.with_readout("last").coef_.round(12), int(clf.n_corrections_)
    (array([[1., 1.]]), 3)
    """

    required = 0
    equality_violates = True
    unweighed = "since the step solves a problem that has no weights; repeat examples"

    def tau(self, margin: Scalar, sqnorm: Scalar, wsq: Scalar) -> Any:
        """``(A - margin) / (A - margin^2)`` and ``wsq (1 - margin) / (A - margin^2)``."""
        lengths = sqnorm * wsq
        if margin >= lengths:  # x alone, at margin 1, already meets both constraints
            return 0, 1 / sqnorm
        determinant = lengths - margin * margin
        # x lies along w: what is left of the determinant is rounding, and so would be the step.
        if determinant * 2**40 <= lengths:
            return 1, 0
        return (lengths - margin) / determinant, wsq * (1 - margin) / determinant

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``(radius / gamma)^2`` mistakes, as for the perceptron."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        return Bound((geometry.radius / geometry.gamma) ** 2, "Li and Long 2002", "mistakes")

    def split(self) -> Split:
        """Rows -theta/2, +theta/2 keep margin and A; sqnorm doubles and wsq halves, so does tau."""
        return Split(0.5, self)
