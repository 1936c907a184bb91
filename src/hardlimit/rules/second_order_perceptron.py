"""The second-order perceptron."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.rules._covariance import COVARIANCE
from hardlimit.rules._kinds import CovarianceRule
from hardlimit.rules._parameters import check_positive
from hardlimit.rules._protocol import INSEPARABLE, Bound, Geometry, Split

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Scalar


@dataclass(frozen=True)
class SecondOrderPerceptron(CovarianceRule):
    """The second-order perceptron: a perceptron in whitened coordinates.

    ::

        margin <= 0:   V <- V + y x;   A <- A + x x';   w = A^-1 V       (A = a I, V = 0 at first)

    Nothing is inverted: with ``S = A^-1`` and ``v = x' S x`` before the step, ``(A + x x')^-1 = S -
    S x x' S / (1 + v)`` gives::

        w <- w + (1 - margin) / (1 + v) y S x;   S <- S - S x x' S / (1 + v)

    The paper predicts with ``(A + x x')^-1``, which only divides the score by ``1 + v``: the same
    sign. Both move on mistakes alone; a common slip moves A on every example.

    a : > 0; the larger, the closer to the perceptron (``a w`` tends to its weights).
    covariance : "diagonal" keeps the diagonal of **A**: ``A_jj <- A_jj + x_j^2, w_j = V_j / A_jj``,
        O(nnz) a correction. It is the step above for each column by itself, with ``margin_j = y w_j
        x_j`` and ``v_j = S_jj x_j^2``; the rule is asked once a column. "full" keeps the matrix:
        O(columns^2).

    Coupled classes keep a matrix A and a vector V each; the terms of A between classes are dropped,
    and ``w = A^-1 V`` stays true of each class. Three classes may follow two: the rows become -w
    and +w, with the covariance for both.

    An example's weight counts it so many times: ``V <- V + weight y x, A <- A + weight x x'``.

    When to use it: columns on very different scales, or examples that lie along few directions,
    where the perceptron goes to and fro.

    Guarantee (two classes, full): at most ``sqrt((a + sum <u, x>^2) sum ln(1 + lambda / a)) /
    gamma`` mistakes on separable examples: the sums run over the mistakes, u is the unit vector of
    margin gamma and lambda are the eigenvalues of their Gram matrix. Less than the perceptron's
    bound where the examples lie along few directions that tell little.

    Cost: diagonal: O(nnz) to look at a row and again to correct, and a second number a column.
    Full: O(columns^2) a correction, and as much memory.

    Worked example (a = 1, diagonal, bias feature 1): x = (1, 1), y = +1: A = (2, 2, 2), V = (1, 1,
    1), w = (1/2, 1/2), bias 1/2. x = (1, 0), y = -1: score 1; A = (3, 2, 3), V = (0, 1, 0), w = (0,
    1/2), bias 0. x = (0, 1), y = +1: score 1/2, right. With the full matrix the first step ends at
    w = (1/4, 1/4), bias 1/4.

    Source: Cesa-Bianchi, Conconi and Gentile, SIAM Journal on Computing 34 (2005).

    Examples
    --------
    >>> from hardlimit import LinearClassifier, rules
    >>> clf = LinearClassifier(rules.SecondOrderPerceptron(), readout="last")
    >>> clf.partial_fit([[1, 1], [1, 0], [0, 1]], [1, 0, 1], classes=[0, 1]).coef_
    array([[0. , 0.5]])
    """

    a: float = 1.0
    covariance: str = "diagonal"
    required = 0
    equality_violates = True
    exact = True
    # w_j = V_j / A_jj holds column by column; one margin for all would break it.
    apart = True
    ranges = {
        "a": "start of A, > 0; larger is closer to the perceptron",
        "covariance": COVARIANCE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "a")

    @property
    def initial_variance(self) -> Any:
        """S = I / a."""
        return 1 / self.a

    def tau(self, margin: Scalar, variance: Scalar, weight: Scalar = 1) -> Any:
        """``(1 - margin) beta`` and ``beta = weight / (1 + weight variance)``."""
        beta = weight / (1 + weight * variance)
        return (1 - margin) * beta, beta

    def mistake_bound(self, geometry: Geometry) -> Bound:
        """``sqrt((a + spread) sum ln(1 + lambda / a)) / gamma``."""
        if geometry.gamma <= 0:
            return INSEPARABLE
        if not self.is_full:
            return Bound(None, "proved for covariance='full' only")
        if geometry.spectrum is None or geometry.spread is None:
            return Bound(None, "needs the spectrum and the spread of the corrected examples")
        growth = sum(math.log1p(value / self.a) for value in geometry.spectrum)
        value = math.sqrt((self.a + geometry.spread) * growth) / geometry.gamma
        return Bound(value, "Cesa-Bianchi, Conconi and Gentile, no deviations")

    def split(self) -> Split:
        """Rows -w, +w: V changes its sign, A is that of both."""
        return Split(1.0, self)
