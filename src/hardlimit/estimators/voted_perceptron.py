"""The voted perceptron, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.estimators._base import SampleWeighted
from hardlimit.estimators._linear import BaseOnlineClassifier


@dataclass(kw_only=True, repr=False, eq=False)
class VotedPerceptronClassifier(BaseOnlineClassifier, SampleWeighted):
    """The voted perceptron: every hypothesis votes, as often as it lived.

    ::

        score(x) = sum_t sign(<w_t, x>) / n      over the weights after each presentation t of n

    Freund and Schapire's algorithm, for any rule that adds multiples of examples. Scores are
    shares of the votes, and there is no ``coef_``: ``model_.with_readout("averaged")`` answers much
    like the vote and has one. A stream knows no past examples, so that there is no ``partial_fit``.

    Cost of a prediction: O(non-zeros of the corrected examples + corrections).

    Parameters
    ----------
    rule : str or rule
        Of :mod:`hardlimit.rules`; its parameters are ``rule__C`` and so on.
    max_iter : int
        Epochs; one or a few are enough for a vote.
    others
        As in :class:`~hardlimit.PerceptronClassifier`.

    Freund and Schapire, Machine Learning 37 (1999).

    Examples
    --------
    >>> from hardlimit import VotedPerceptronClassifier
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
    >>> clf = VotedPerceptronClassifier(order="cyclic", max_iter=2).fit(X, y)
    >>> clf.decision_function(X)
    array([-1.  ,  0.75,  0.5 ,  1.  ])
    """

    rule: Any = "perceptron"
    readout: str = "voted"
    until: str | None = None
    max_iter: int = 10
    schedule: Any = None
    guard: Any = None
    class_weight: Any = None

    def _make_rule(self) -> Any:
        return self.rule
