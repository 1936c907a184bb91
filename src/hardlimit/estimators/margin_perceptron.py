"""The perceptron with margin, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import StartingWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.rules.margin_perceptron import MarginPerceptron


@dataclass(kw_only=True, repr=False, eq=False)
class MarginPerceptronClassifier(BaseOnlineClassifier, StartingWeighted):
    """The perceptron with margin: also correct examples with a margin below b are corrected.

    ::

        y <w, x> <= b:   w <- w + y x

    The guarantee is in :class:`~hardlimit.rules.MarginPerceptron`: with ``until="margin"`` and
    separable examples at least half the best margin, for large ``b``.

    Parameters
    ----------
    b : float
        Required margin, >= 0, in the units of ``<w, x>``.
    others
        As in :class:`~hardlimit.PerceptronClassifier`; the mean of all hypotheses answers.

    Examples
    --------
    >>> from hardlimit import MarginPerceptronClassifier
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = MarginPerceptronClassifier(b=1.0, until="margin").fit(X, y)
    >>> clf.stop_reason_, clf.score(X, y)
    ('margin_reached', 1.0)
    """

    b: float = 1.0
    schedule: Any = None
    guard: Any = None
    class_weight: Any = None

    def _make_rule(self) -> MarginPerceptron:
        return MarginPerceptron(self.b)
