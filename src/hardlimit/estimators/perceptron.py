"""The perceptron, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.perceptron import Perceptron


@dataclass(kw_only=True, repr=False, eq=False)
class PerceptronClassifier(BaseOnlineClassifier, StartingWeighted):
    """The textbook's perceptron: on a mistake, add the example.

    ::

        y <w, x> <= 0:   w <- w + y x

    It stops when a whole look at the training examples finds no mistake, or after ``max_iter``
    epochs; ``stop_reason_`` says which. The last weights answer; ``readout="averaged"`` is steadier
    where classes overlap. :class:`~hardlimit.rules.Perceptron` has the guarantee.

    Parameters
    ----------
    schedule, guard
        What multiplies the steps, and what guards against wrong labels:
        :mod:`hardlimit.schedules`, :mod:`hardlimit.guards`.
    class_weight : None, "balanced" or dict
        Multiplies the steps.
    order, readout, multiclass, until, max_iter, tol, fit_intercept, bias_feature, random_state
        As in :class:`~hardlimit.LinearClassifier`.
    n_jobs : int or None
        Threads for ``multiclass="ovr"``, whose neurons are independent, 12 a thread at least: the
        same bits as one.
    probability : bool
        Whether ``fit`` also calibrates ``predict_proba``, which costs five fits more.

    Examples
    --------
    >>> from hardlimit import PerceptronClassifier
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], ["no", "yes", "yes", "yes"]
    >>> clf = PerceptronClassifier(order="cyclic").fit(X, y)
    >>> clf.stop_reason_, clf.coef_, clf.intercept_
    ('separated', array([[1., 1.]]), array([1.]))
    """

    readout: str = "last"
    schedule: Any = None
    guard: Any = None
    class_weight: Any = None

    def _make_rule(self) -> Perceptron:
        return Perceptron()
