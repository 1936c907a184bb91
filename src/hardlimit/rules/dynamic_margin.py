"""The perceptron with dynamic margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import AdditiveRule
from hardlimit.rules._parameters import check_between
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class DynamicMargin(AdditiveRule):
    """Dynamic margin: whole steps until the weights prove how good their margin is.

    ::

        margin <= (1 - epsilon) ||w||^2 / k:   w <- w + y x        (k corrections so far)

    epsilon : > 0 and <= 1; smaller comes closer to the largest margin, for more corrections. 1 is
        the perceptron.

    The first example is always added. An example's weight is 0 or 1: w must be the sum of k rows.

    When to use it: separable examples, and the largest margin is wanted with a proof of how near it
    is. On examples that are not separable the proof never comes: take :class:`MarginPerceptron`.

    Guarantee: with w the sum of k rows, ``||w|| / k >= gamma`` at every moment. So, when every
    margin exceeds ``(1 - epsilon) ||w||^2 / k``, the geometric margin exceeds
    ``(1 - epsilon) ||w|| / k >= (1 - epsilon) gamma``: w proves it without a look at any other
    vector, and exactly where data are integers and epsilon is rational. On separable examples this
    comes after finitely many corrections: with ``p = 2 (1 - epsilon)`` and ``R = radius``, a
    correction makes ``||w||^2 <= (1 + p/k) ||w||^2 + R^2``. For p > 1, ``1 + p/k <= (1 + 1/k)^p``
    gives ``||w||^2 <= R^2 k^p (1 + 1/2^p + ... + 1/k^p) <= R^2 k^p p/(p - 1)``; for p < 1,
    ``||w||^2 <= R^2 k/(1 - p)``. Against ``||w|| >= k gamma``,

    - for any q >= p with 1 < q < 2: ``k <= (q/(q - 1) (R/gamma)^2)^(1/(2 - q))``,
    - for p < 1: ``k <= (R/gamma)^2 / (1 - p)``.

    Cost: as the perceptron's: O(nnz) to look at a row and as much again to correct; ``||w||^2`` is
    kept.

    Worked example (modified OR, bias feature -1, epsilon = 1/2): z is (1,1,1), (1,-1,-1),
    (-1,1,-1), (1,1,-1). w = (1,1,1); margin -1 <= 1/2 * 3/1: (2,0,0); -2 <= 1/2 * 4/2: (1,1,-1);
    then margins 3, 1, 1, 1 > 1/2 * 3/3. Here ``||w|| / k = 1/sqrt(3)`` is the margin of w, which is
    the largest.

    Source: Panagiotakopoulos and Tsampouka, The perceptron with dynamic margin (2011),
    arXiv:1105.6041.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.DynamicMargin(epsilon=0.5), order="cyclic", bias_feature=-1.0,
    ...                        until="margin").fit(X, y)
    >>> clf.with_readout("last").coef_, int(clf.n_corrections_)
    (array([[1., 1.]]), 3)
    """

    epsilon: float = 0.1
    equality_violates = True
    unweighed = "since w must be a sum of whole rows to prove its margin; repeat examples"
    ranges = {"epsilon": "> 0 and <= 1; smaller comes closer to the largest margin, and slower"}

    def __post_init__(self) -> None:
        check_between(self, "epsilon", 0, 1, top=True)

    def required(self, wsq: Scalar, step: Scalar) -> Any:
        """``(1 - epsilon) ||w||^2 / k``, with ``k = step - 1`` corrections made."""
        # Before the first correction w is 0, and the condition is the perceptron's.
        return (1 - self.epsilon) * wsq / (step - 1) if step > 1 else 0

    def tau(self) -> Any:
        """1."""
        return 1

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """Give the smallest of the two bounds above, for q = max(p, 3/2)."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        ratio = (geometry.radius / geometry.gamma) ** 2
        p = 2 * (1 - self.epsilon)
        # q / (q - 1) has no end towards 1, so that a small p is bounded at 3/2.
        q = max(p, 1.5)
        value = (q / (q - 1) * ratio) ** (1 / (2 - q))
        if p < 1:
            value = min(value, ratio / (1 - p))
        return Bound(value, "growth of ||w||^2 against ||w|| >= k gamma")

    def split(self) -> Split:
        """Rows -theta, +theta double the margin and ||w||^2."""
        return Split(1.0, self)
