"""Soft confidence-weighted learning, first form (SCW-I), and CW."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._confidence import RANGES, ConfidenceRule
from hardlimit.rules._parameters import check_positive

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class SCW1(ConfidenceRule):
    """SCW-I: the nearest N(w, S) that is right with probability eta, at a price C.

    ::

        phi = normal quantile of eta;   v = x' S x;   loss = max(0, phi sqrt(v) - margin)
        N(w, S) <- argmin KL(new, old) + C loss(new)

    which is, with ``psi = 1 + phi^2/2`` and ``xi = 1 + phi^2``, for ``margin < phi sqrt(v)``::

        tau  = min(C, max(0, sqrt(margin^2 phi^4/4 + v phi^2 xi) - margin psi) / (v xi))
        q    = tau v phi;   d = (sqrt(q^2 + 4 v) - q) / 2
        beta = tau phi / (d + q)
        w <- w + tau y S x;   S <- S - beta S x x' S

    S starts as the identity. Also right answers move w, while their confidence is too low.

    C : aggressiveness, > 0; inf is CW itself. Larger C follows each example more closely, noise
        included.
    eta : the probability with which an example is to be right, > 0.5 and < 1; at 0.5 phi would be
        0 and S would never move.
    covariance : "diagonal" drops the other terms of ``S x x' S``; "full" keeps the matrix, at
        O(columns^2) a correction.

    Each of two coupled classes keeps a covariance of its own; ``v`` is the sum of both, and the
    terms between classes are dropped: name all classes from the start.

    An example's weight multiplies C. Under C = inf only weights 0 and 1 have a meaning.

    When to use it: columns of very different frequency, as for :class:`AROW`, and time to tune two
    numbers. Where labels are wrong take a small C. Like AROW, not for a truth that changes.

    Guarantee: each step is the minimum of the objective above. With the full matrix d is the new
    deviation ``sqrt(x' S x)``, and a step that C did not cut ends at ``margin = phi d``. No bound
    on mistakes is known.

    Cost: diagonal: O(nnz) to look at a row and again to correct, a second number a column, in all
    about three times the perceptron's time. Full: O(columns^2) a correction, and as much memory.

    Worked example (eta = 0.9, phi = 1.281552, full, through the origin): x = (0.6, 0.8), y = +1: v
    = 1, tau = phi / sqrt(1 + phi^2) = 0.788386 < C, q = 1.010357, d = 0.615181, beta = 0.621552; w
    = (0.473032, 0.630709), and its margin 0.788386 is phi d.

    Source: Wang, Zhao and Hoi, ICML 29 (2012); CW: Crammer, Dredze and Pereira, NIPS 21 (2008).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.SCW1(), readout="last", until=None, fit_intercept=False)
    >>> print(clf.partial_fit([[0.6, 0.8]], [1], classes=[0, 1]).coef_.round(6))
    [[0.473032 0.630709]]
    """

    C: float = 1.0
    eta: float = 0.9
    covariance: str = "diagonal"
    also_called = ("cw", "scw", "scw-i", "confidence-weighted")
    ranges = RANGES | {"C": RANGES["C"].replace("> 0", "> 0, inf is CW itself")}

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "C", finite=False)

    @property
    def weighs(self) -> bool:
        """Weights scale C, so that an infinite C has none."""
        return not math.isinf(self.C)

    def tau(self, margin: Scalar, variance: Scalar, weight: Scalar = 1) -> Any:
        """The hard step, cut at ``C weight``, and its beta."""
        square = self.phi * self.phi
        psi, xi = 1 + square / 2, 1 + square
        root = math.sqrt(margin * margin * square * square / 4 + variance * square * xi)
        hard = max(0.0, (root - margin * psi) / (variance * xi))
        return self._with_beta(min(self.C * weight, hard), variance)
