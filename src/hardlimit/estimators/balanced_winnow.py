"""Balanced Winnow, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import SampleWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.balanced_winnow import BalancedWinnow


@dataclass(kw_only=True, repr=False, eq=False)
class BalancedWinnowClassifier(BaseOnlineClassifier, SampleWeighted):
    """Balanced Winnow: weights that are multiplied, with either sign.

    ::

        y <w, x> <= 0:   theta <- theta + ln(alpha) y x,   w = 2 sinh(theta)

    For many columns of which few matter. Neither mean nor vote follow from what is kept of theta:
    the last weights answer. :class:`~hardlimit.rules.BalancedWinnow` has the guarantee.

    Parameters
    ----------
    alpha : float
        Factor of a mistake, > 1; columns much larger than 1 want it near 1, or ``scale="maxabs"``.
    class_weight : None, "balanced" or dict
        Multiplies the steps of theta.
    others
        As in :class:`~hardlimit.PerceptronClassifier`.

    Examples
    --------
    >>> from hardlimit import BalancedWinnowClassifier
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = BalancedWinnowClassifier(order="cyclic", bias_feature=-1.0).fit(X, y)
    >>> clf.coef_.round(12), clf.n_corrections_
    (array([[1.5, 1.5]]), 3)
    """

    alpha: float = 2.0
    readout: str = "last"
    guard: Any = None
    class_weight: Any = None

    def _make_rule(self) -> BalancedWinnow:
        return BalancedWinnow(self.alpha)
