"""Soft confidence-weighted learning, second form (SCW-II)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._confidence import RANGES, ConfidenceRule
from hardlimit.rules._parameters import check_positive

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class SCW2(ConfidenceRule):
    """SCW-II: as SCW-I, with the squared loss at the price C.

    ::

        phi = normal quantile of eta;   v = x' S x;   loss = max(0, phi sqrt(v) - margin)
        N(w, S) <- argmin KL(new, old) + C loss(new)^2

    which is, with m the margin and ``n = v + 1/(2C)``, for ``m < phi sqrt(v)``::

        tau  = max(0, phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2)) - (2 m n + phi^2 m v))
               / (2 (n^2 + n v phi^2))

    and ``beta``, ``w``, ``S`` as in :class:`SCW1`. A common slip writes ``2 v`` and ``2 phi`` where
    the squares of v and phi stand under the root.

    C : aggressiveness, > 0 and finite (CW itself is :class:`SCW1` with C = inf). Larger C follows
        each example more closely, noise included.
    eta : the probability with which an example is to be right, > 0.5 and < 1.
    covariance : "diagonal" drops the other terms of ``S x x' S``; "full" keeps the matrix, at
        O(columns^2) a correction.

    Each of two coupled classes keeps a covariance of its own, as in :class:`SCW1`.

    An example's weight multiplies C.

    When to use it: as :class:`SCW1`, where steps should fade smoothly rather than be cut at C.

    Guarantee: each step is the minimum of the objective above; no bound on mistakes is known.

    Cost: as :class:`SCW1`: about three times the perceptron's time with the diagonal.

    Worked example (C = 1/2, eta = 0.9, phi = 1.281552, through the origin): x = (0.6, 0.8), y = +1:
    v = 1, n = 2, tau = phi sqrt(8 (2 + phi^2)) / (2 (4 + 2 phi^2)) = 0.474820; w = (0.284892,
    0.379856).

    Source: Wang, Zhao and Hoi, ICML 29 (2012).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> rule = rules.SCW2(C=0.5)
    >>> clf = LinearClassifier(rule, readout="last", until=None, fit_intercept=False)
    >>> print(clf.partial_fit([[0.6, 0.8]], [1], classes=[0, 1]).coef_.round(6))
    [[0.284892 0.379856]]
    """

    C: float = 1.0
    eta: float = 0.9
    covariance: str = "diagonal"
    also_called = ("scw-ii",)
    ranges = RANGES

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "C")

    def tau(self, margin: Scalar, variance: Scalar, weight: Scalar = 1) -> Any:
        """The step to the minimum, and its beta."""
        m, v, square = margin, variance, self.phi * self.phi
        n = v + 1 / (2 * self.C * weight)
        root = self.phi * math.sqrt(square * m * m * v * v + 4 * n * v * (n + v * square))
        tau = (root - (2 * m * n + square * m * v)) / (2 * (n * n + n * v * square))
        # Above 0 for every violator; rounding near equality can take it below.
        return self._with_beta(max(0.0, tau), v)
