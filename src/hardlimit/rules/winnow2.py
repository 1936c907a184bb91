"""Littlestone's second Winnow, which demotes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._winnow import RANGES, PositiveWinnow

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class Winnow2(PositiveWinnow):
    """Winnow2: double the columns of a missed +1, halve those of a missed -1.

    ::

        w = (1, ..., 1);   score = <w, x> - threshold
        y = +1, score <= 0:   w_j <- w_j alpha^x_j
        y = -1, score >= 0:   w_j <- w_j alpha^-x_j

    For features >= 0, of which few matter. Nothing is lost for good, so that it outlives wrong
    labels and targets that drift, unlike :class:`Winnow1`. Two classes, or ``multiclass="ovr"``; a
    bias is needed, whose weight is the threshold (exact where ``bias_feature`` is a power of two).

    alpha : the factor, > 1.
    threshold : > 0; None is the number of columns.

    An example's weight can only be 0 or 1.

    When to use it: columns of 0 and 1, very many of them, of which few matter; labels that are
    sometimes wrong, or a target that drifts.

    Guarantee, for an OR of r of n columns of 0 and 1: at most ``(1 + alpha) r (1 + log_alpha
    threshold) + alpha n / ((alpha - 1) threshold)`` mistakes; ``2 + 3 r (1 + log2 n)`` as it
    stands. (As for Winnow1 there are p <= r (1 + log_alpha threshold) promotions; a demotion takes
    at least (1 - 1/alpha) threshold from the sum of the weights, which is never below 0. Again it
    does not matter who gets a score of 0.)

    Cost: O(nnz) to look at a row; a correction multiplies each weight of the row, several times
    what the perceptron's takes.

    Worked example (the first column of 4, threshold 4): x = (1,1,0,0), +: 2 <= 4, w = (2,2,1,1);
    again 4 <= 4: w = (4,4,1,1). x = (0,1,1,0), -: 5 >= 4, w = (4,2,1/2,1). x = (1,0,0,0), +: 4 <=
    4, w = (8,2,1/2,1). From now on all three are right.

    Source: Littlestone, Machine Learning 2 (1988); Blum, On-line algorithms in machine learning
    (1998).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0]]
    >>> clf = LinearClassifier(rules.Winnow2(), order="cyclic", readout="last")
    >>> clf.fit(X, [1, 1, 0, 1]).coef_
    array([[8. , 2. , 0.5, 1. ]])
    """

    alpha: float = 2.0
    threshold: float | None = None
    ranges = RANGES

    def tau(self, y: Scalar) -> Any:
        """The factor: alpha, or 1 / alpha."""
        return self.alpha if y > 0 else 1 / self.alpha

    def _bound(self, promotions: float, columns_by_threshold: float) -> float:
        demotions = self.alpha * columns_by_threshold / (self.alpha - 1)
        return (1 + self.alpha) * promotions + demotions
