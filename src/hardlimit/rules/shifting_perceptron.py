"""The shifting perceptron, which forgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._kinds import ShrinkingRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class ShiftingPerceptron(ShrinkingRule):
    """The shifting perceptron: each correction shrinks what was learnt before.

    ::

        margin <= 0:   w <- (1 - lam / (lam + k)) w + y x        (k corrections so far)

    lam : how fast it forgets, > 0. Of k corrections the i-th weighs about ``(i / k)^lam``: near 0
        this is the perceptron; larger lam follows a concept that drifts.

    An example's weight multiplies ``y x``.

    Judge it by the mistakes while it learns, ``history_``, not by what it knows at the end.

    When to use it: a stream whose truth changes, so that old corrections should count less. On
    examples that stay as they are, the perceptron is better. Try a lam well below 1 first.

    Guarantee, while one concept of margin gamma holds: at most
    ``(radius / gamma)^2 (1 + lam)^2 / (1 + 2 lam)`` mistakes. With u the concept,
    ``<w, u> >= gamma (k + lam) / (1 + lam)`` after k corrections and
    ``||w||^2 <= radius^2 (k + 2 lam) / (1 + 2 lam)``, both by induction; the rest is algebra. For a
    concept that moves, the paper adds the length of its path.

    Cost: as the perceptron's: O(nnz) to look at a row and as much again to correct; the shrink
    touches no weight.

    Worked example (modified OR, bias feature -1, lam = 1): z is (1,1,1), (1,-1,-1), (-1,1,-1),
    (1,1,-1). w = (1,1,1); margin -1: 1/2 w + z2 = (3/2, -1/2, -1/2); -3/2: 2/3 w + z3 =
    (0, 2/3, -4/3); 2. Second round: -2/3: 3/4 w + z1 = (1, 3/2, 0); -1/2: 4/5 w + z2 =
    (9/5, 1/5, -1); -3/5: 5/6 w + z3 = (1/2, 7/6, -11/6); 7/2. Third round: -1/6: 6/7 w + z1 =
    (10/7, 2, -4/7); 0: 7/8 w + z2 = (9/4, 3/4, -3/2); 0: 8/9 w + z3 = (1, 5/3, -7/3); 5.

    Source: Cavallanti, Cesa-Bianchi and Gentile, Machine Learning 69 (2007), Figure 2 and Theorem
    2.

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = LinearClassifier(rules.ShiftingPerceptron(lam=1), order="cyclic", bias_feature=-1.0)
    >>> clf = clf.partial_fit(X, y, classes=[0, 1])
    >>> clf.with_readout("last").coef_.round(12), int(clf.n_corrections_)
    (array([[0.        , 0.66666667]]), 3)
    """

    lam: float = 1.0
    required = 0
    equality_violates = True
    ranges = {"lam": "how fast it forgets, > 0; near 0 is the perceptron"}

    def __post_init__(self) -> None:
        check_positive(self, "lam")

    def tau(self, step: Scalar, weight: Scalar = 1) -> Any:
        """``1 - lam / (lam + k)`` with ``k = step - 1``, and the example's weight."""
        # `step` counts this correction, the paper's k does not.
        corrections = step - 1
        return corrections / (self.lam + corrections), weight

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``(radius / gamma)^2 (1 + lam)^2 / (1 + 2 lam)``, for a concept that stays."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        forgetting = (1 + self.lam) ** 2 / (1 + 2 * self.lam)
        return Bound((geometry.radius / geometry.gamma) ** 2 * forgetting, "as Novikoff, no drift")

    def split(self) -> Split:
        """Rows -theta, +theta: the margin doubles and keeps its sign."""
        return Split(1.0, self)
