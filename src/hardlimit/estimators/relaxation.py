"""Relaxation with margin, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingUnweighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.relaxation import Relaxation


@dataclass(kw_only=True, repr=False, eq=False)
class RelaxationClassifier(BaseOnlineClassifier, StartingUnweighted):
    """Relaxation: move a share of the way to the violated plane ``margin = b``.

    ::

        y <w, x> <= b:   w <- w + eta (b - y <w, x>) / ||x||^2 y x

    An example's weight is 0 or 1: to multiply the step would be another ``eta``. So there is no
    ``class_weight`` here; :class:`~hardlimit.rules.Relaxation` has the guarantee.

    Parameters
    ----------
    eta : float
        Share of the way, > 0 and < 2; 1 projects, more over-relaxes.
    b : float
        Required margin, > 0; it scales the weights.
    others
        As in :class:`~hardlimit.PerceptronClassifier`; the mean of all hypotheses answers.

    Examples
    --------
    >>> from hardlimit import RelaxationClassifier
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = RelaxationClassifier(eta=1.5, order="cyclic", bias_feature=-1.0, readout="last",
    ...                            until="margin").fit(X, y)
    >>> clf.coef_ * 64, clf.n_corrections_
    (array([[83., 69.]]), 6)
    """

    eta: float = 1.0
    b: float = 1.0
    schedule: Any = None
    guard: Any = None

    def _make_rule(self) -> Relaxation:
        return Relaxation(self.eta, self.b)
