"""Littlestone's first Winnow, which eliminates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._winnow import RANGES, PositiveWinnow

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class Winnow1(PositiveWinnow):
    """Winnow1: double the columns of a missed +1, eliminate those of a missed -1.

    ::

        w = (1, ..., 1);   score = <w, x> - threshold
        y = +1, score <= 0:   w_j <- w_j alpha^x_j
        y = -1, score >= 0:   w_j <- 0 where x_j > 0

    For features >= 0, of which few matter: an OR of a few columns. A column that was eliminated
    never returns, so that one wrong label can spoil it: :class:`Winnow2` forgives. Two classes, or
    ``multiclass="ovr"``; a bias is needed, whose weight is the threshold (exact where
    ``bias_feature`` is a power of two).

    alpha : the factor, > 1.
    threshold : > 0; None is the number of columns.

    An example's weight can only be 0 or 1.

    When to use it: columns of 0 and 1, very many of them, an OR of a few to be found, and labels
    that can be trusted.

    Guarantee, for an OR of r of n columns of 0 and 1: at most ``alpha r (1 + log_alpha threshold) +
    n / threshold`` mistakes; ``1 + 2 r (1 + log2 n)`` as it stands, where a perceptron can be made
    to err a number of times that grows with n. (A promotion finds ``w_j <= threshold`` in one of r
    columns that are never eliminated: there are p <= r (1 + log_alpha threshold) of them. The sum
    of the weights, n at first, grows by at most (alpha - 1) threshold in each and falls by at least
    the threshold in each elimination, so that these are at most n / threshold + (alpha - 1) p. Only
    ``score <= 0`` and ``score >= 0`` were used: it does not matter who gets a score of 0.)

    Cost: O(nnz) to look at a row; a correction multiplies each weight of the row, several times
    what the perceptron's takes.

    Worked example (OR of columns 1 and 2 of 4, threshold 4): x = (1,0,0,0), +: 1 <= 4, w =
    (2,1,1,1). x = (0,1,1,1), +: 3 <= 4, w = (2,2,2,2). x = (1,0,0,1), +: 4 <= 4, w = (4,2,2,4).
    x = (0,0,1,1), -: 6 >= 4, w = (4,2,0,0). x = (0,1,0,0), +: 2 <= 4, w = (4,4,0,0). Again: w =
    (4,8,0,0); x = (1,0,0,0), +: w = (8,8,0,0), which is the OR.

    Source: Littlestone, Machine Learning 2 (1988).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> X = [[1, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 0]]
    >>> clf = LinearClassifier(rules.Winnow1(), order="cyclic", readout="last")
    >>> clf = clf.fit(X, [1, 1, 1, 0, 1])
    >>> clf.coef_, clf.intercept_, int(clf.n_corrections_)
    (array([[8., 8., 0., 0.]]), array([-4.]), 7)
    """

    alpha: float = 2.0
    threshold: float | None = None
    ranges = RANGES

    def tau(self, y: Scalar) -> Any:
        """The factor: alpha, or 0."""
        return self.alpha if y > 0 else 0

    def _bound(self, promotions: float, columns_by_threshold: float) -> float:
        return self.alpha * promotions + columns_by_threshold
