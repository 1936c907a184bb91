"""The second-order perceptron, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.second_order_perceptron import SecondOrderPerceptron


@dataclass(kw_only=True, repr=False, eq=False)
class SecondOrderPerceptronClassifier(BaseOnlineClassifier, StartingWeighted):
    """The second-order perceptron: the perceptron in coordinates that past mistakes whitened.

    The guarantee and the update are in :class:`~hardlimit.rules.SecondOrderPerceptron`.

    Parameters
    ----------
    a : float
        What the correlation matrix starts at, a multiple of the identity, > 0.
    covariance : "diagonal" or "full"
        A variance a column, or the matrix: O(columns^2) a correction.
    class_weight : None, "balanced" or dict
        Weighs the examples.
    others
        As in :class:`~hardlimit.PerceptronClassifier`; the mean of all hypotheses answers.

    Examples
    --------
    >>> from hardlimit import SecondOrderPerceptronClassifier
    >>> X, y = [[-1, -10], [1, -9], [-1, 11], [1, 10]], [0, 0, 1, 1]
    >>> SecondOrderPerceptronClassifier().fit(X, y).score(X, y)
    1.0
    """

    a: float = 1.0
    covariance: str = "diagonal"
    class_weight: Any = None

    def _make_rule(self) -> SecondOrderPerceptron:
        return SecondOrderPerceptron(self.a, self.covariance)
