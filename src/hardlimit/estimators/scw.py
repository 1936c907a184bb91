"""Soft confidence-weighted learning, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.exceptions import InputError
from hardlimit.rules.scw1 import SCW1
from hardlimit.rules.scw2 import SCW2


@dataclass(kw_only=True, repr=False, eq=False)
class SCWClassifier(BaseOnlineClassifier, StartingWeighted):
    """SCW: the nearest Gaussian over weights that is right with probability eta, at a price C.

    The update is in :class:`~hardlimit.rules.SCW1` and :class:`~hardlimit.rules.SCW2`.

    Parameters
    ----------
    C : float
        Aggressiveness, > 0; larger follows each example more closely. ``inf`` in the first form is
        confidence-weighted learning itself.
    eta : float
        The probability with which an example is to be right, > 0.5 and < 1.
    form : 1 or 2
        SCW-I charges the loss, SCW-II its square.
    covariance : "diagonal" or "full"
        A variance a column, or the matrix: O(columns^2) a correction.
    class_weight : None, "balanced" or dict
        Multiplies C.
    others
        As in :class:`~hardlimit.PerceptronClassifier`; the mean of all hypotheses answers.

    Examples
    --------
    >>> from hardlimit import SCWClassifier
    >>> X, y = [[-1, -10], [1, -9], [-1, 11], [1, 10]], [0, 0, 1, 1]
    >>> SCWClassifier(form=2).fit(X, y).score(X, y)
    1.0
    """

    C: float = 1.0
    eta: float = 0.9
    form: int = 1
    covariance: str = "diagonal"
    class_weight: Any = None

    def _make_rule(self) -> Any:
        if self.form not in (1, 2):
            raise InputError(who="SCWClassifier", parameter="form", got=self.form, wanted="1 or 2")
        rule = SCW1 if self.form == 1 else SCW2
        return rule(self.C, self.eta, self.covariance)
