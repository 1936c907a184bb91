"""Littlestone's Winnow, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_non_negative

from hardlimit.estimators._base import Unweighted
from hardlimit.estimators._linear import BaseOnlineClassifier
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.rules.winnow1 import Winnow1
from hardlimit.rules.winnow2 import Winnow2


@dataclass(kw_only=True, repr=False, eq=False)
class WinnowClassifier(BaseOnlineClassifier, Unweighted):
    """Winnow: positive weights that a mistake multiplies, for columns >= 0 of which few matter.

    ::

        missed (y = +1):   w_j <- w_j alpha^x_j
        false alarm:       w_j <- 0 where x_j > 0 (first form)   or   w_j alpha^-x_j (second form)

    Many classes are as many neurons; a correction shared by two classes would have no threshold.
    The guarantee is in :class:`~hardlimit.rules.Winnow1` and :class:`~hardlimit.rules.Winnow2`.

    Parameters
    ----------
    alpha : float
        Factor of a promotion, > 1.
    threshold : float or None
        Of ``<w, x>``, > 0; None is the number of columns.
    form : 1 or 2
        Winnow 1 sets the weights of a false alarm to 0, for ever; Winnow 2 divides them.
    others
        As in :class:`~hardlimit.PerceptronClassifier`. The threshold is held as the weight of the
        bias, so that ``fit_intercept`` is no choice.

    Examples
    --------
    >>> from hardlimit import WinnowClassifier
    >>> X, y = [[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]], [1, 0, 0, 1]
    >>> clf = WinnowClassifier(readout="last").fit(X, y)
    >>> clf.stop_reason_, clf.predict([[1, 0, 0, 0], [0, 1, 1, 1]])
    ('separated', array([0, 1]))
    """

    alpha: float = 2.0
    threshold: float | None = None
    form: int = 2
    # Its threshold belongs to one neuron, which coupled classes do not have.
    multiclass: str = "ovr"
    guard: Any = None

    def _make_rule(self) -> Any:
        if self.form not in (1, 2):
            raise InputError(
                who=type(self).__name__, parameter="form", got=self.form, wanted="1 or 2"
            )
        rule = Winnow1 if self.form == 1 else Winnow2
        return rule(self.alpha, self.threshold)

    def check_data(self, X: ArrayLike, y: Labels, reset: bool) -> tuple[ArrayLike, Labels]:
        """Return X and y, of which X holds nothing below 0."""
        X, y = super().check_data(X, y, reset)
        check_non_negative(X, f"{type(self).__name__} (its weights are multiplied)")
        return X, y

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = (
            True  # a class that lies low in every column has no w >= 0
        )
        return tags
