"""AROW, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.arow import AROW


@dataclass(kw_only=True, repr=False, eq=False)
class AROWClassifier(BaseOnlineClassifier, StartingWeighted):
    """AROW: a confidence for each weight; what is rarely seen moves further.

    The update and the guarantee are in :class:`~hardlimit.rules.AROW`.

    Parameters
    ----------
    r : float
        Regularisation, > 0; larger trusts a single example less.
    covariance : "diagonal" or "full"
        A variance a column, or the matrix: O(columns^2) a correction.
    class_weight : None, "balanced" or dict
        Divides r: with the full matrix a weight of 2 is the example twice.
    others
        As in :class:`~hardlimit.PerceptronClassifier`; the mean of all hypotheses answers.

    Examples
    --------
    >>> from hardlimit import AROWClassifier
    >>> clf = AROWClassifier(r=2.0, readout="last").partial_fit([[2, 1]], [1], classes=[0, 1])
    >>> clf.coef_, clf.intercept_
    (array([[0.25 , 0.125]]), array([0.125]))
    """

    r: float = 1.0
    covariance: str = "diagonal"
    class_weight: Any = None

    def _make_rule(self) -> AROW:
        return AROW(self.r, self.covariance)
