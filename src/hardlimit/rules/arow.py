"""Adaptive regularisation of weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError
from hardlimit.rules._covariance import APART, COVARIANCE
from hardlimit.rules._kinds import CovarianceRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class AROW(CovarianceRule):
    """AROW: ridge regression on the examples with a margin below 1, one at a time.

    ::

        margin < 1:   v = x' S x;   beta = 1 / (v + r)
                      w <- w + beta (1 - margin) y S x;   S <- S - beta S x x' S

    S starts as the identity. With the full matrix ``S = (I + X'X / r)^-1`` and ``w`` is the ridge
    regression ``(r I + X'X)^-1 X'y`` over the examples that corrected, each as often as it did.

    r : regularisation, > 0; larger r trusts a single example less and keeps learning for longer.
    covariance : "diagonal" keeps the variances and drops the other terms of ``S x x' S``: O(nnz) a
        correction, for dense and sparse rows alike. "full" keeps the matrix: O(columns^2).

    Each of two coupled classes keeps a covariance of its own; ``v`` is the sum of both, and the
    terms between classes are dropped. So a model of two classes, which is one row, cannot become
    three: name all classes from the start.

    An example's weight divides r: with the full matrix a weight of 2 is the example twice.

    When to use it: columns of very different frequency, such as words: rare ones keep long steps,
    frequent ones settle. Made to bear wrong labels. It grows sure of what it learnt: not for a
    stream whose truth changes.

    Guarantee (two classes, full): the mistakes are at most ``A^2/4 + L``, and ``A sqrt(L)`` where L
    is above ``A^2/4``, with ``A^2 = (r + sum <u, x>^2) / gamma^2`` and ``L = sum ln(1 + lambda /
    r)`` over the corrections: the unit vector u has the margin gamma, lambda are the eigenvalues of
    their Gram matrix. It is the theorem's ``A sqrt(L + U) - U`` at the worst number U of
    corrections that were no mistakes.

    Cost: diagonal: O(nnz) to look at a row and again to correct, a second number a column, in all
    about three times the perceptron's time. Full: O(columns^2) a correction, and as much memory.

    Worked example (r = 2, bias feature 1): x = (2, 1), y = +1: margin 0, v = 6, beta = 1/8, so w =
    (1/4, 1/8), bias 1/8; the diagonal of S is (1/2, 7/8, 7/8). Then x = (0, 2), y = -1: margin
    -3/8, and from the diagonal S x = (0, 7/4, 7/8), v = 35/8, beta = 8/51, tau = 11/51: w = (1/4,
    -103/408), bias -13/204.

    Source: Crammer, Kulesza and Dredze, NIPS 22 (2009).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.AROW(r=2.0), readout="last", until=None)
    >>> clf = clf.partial_fit([[2, 1]], [1], classes=[0, 1])
    >>> clf.coef_, clf.intercept_
    (array([[0.25 , 0.125]]), array([0.125]))
    """

    r: float = 1.0
    covariance: str = "diagonal"
    required = 1
    equality_violates = False
    exact = True
    ranges = {
        "r": "regularisation, > 0; larger trusts a single example less",
        "covariance": COVARIANCE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "r")

    def tau(self, margin: Scalar, variance: Scalar, weight: Scalar = 1) -> Any:
        """``(1 - margin) beta`` and ``beta = 1 / (variance + r / weight)``."""
        beta = 1 / (variance + self.r / weight)
        return (1 - margin) * beta, beta

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """The theorem with the worst number of corrections that were no mistakes."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        if not self.is_full:
            return Bound(None, "proved for covariance='full' only")
        if geometry.spectrum is None or geometry.spread is None:
            return Bound(None, "needs the spectrum and the spread of the corrected examples")
        growth = sum(math.log1p(value / self.r) for value in geometry.spectrum)
        squared = (self.r + geometry.spread) / geometry.gamma**2
        if growth > squared / 4:
            return Bound(
                math.sqrt(squared * growth), "Crammer, Kulesza and Dredze 2009", "mistakes"
            )
        return Bound(squared / 4 + growth, "Crammer, Kulesza and Dredze 2009", "mistakes")

    def split(self) -> Split:
        """Refused: see the class."""
        raise InputError(APART, who=repr(self))
