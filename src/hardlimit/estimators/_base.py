"""What all linear estimators share: data checked by scikit-learn, learning by LinearClassifier.

The classes are dataclasses, so that a parameter stands once, with its default, where it belongs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from hardlimit import keep, orders, rules
from hardlimit.classifiers import LinearClassifier, calibration
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.exceptions import InputError, NotFittedError
from hardlimit.foundation.parameters import Parameterised

FLOATS = (np.float64, np.float32)


def told(name: str, of: Any = LinearClassifier) -> property:
    """An attribute of the classifier inside, told as one's own once it is fitted."""

    def get(self: Any) -> Any:
        check_is_fitted(self)
        try:
            return getattr(self.model_, name)
        except InputError as error:
            raise AttributeError(str(error)) from None

    return property(get, doc=getattr(of, name).__doc__)


def _calibrated(self: Any) -> bool:
    if not self.probability:
        raise AttributeError("predict_proba: wanted probability=True before fit")
    return True


def _streams(self: Any) -> bool:
    readout = getattr(self, "readout", None)  # passive-aggressive has ``average`` instead
    if readout is not None and readout not in keep.STREAMED:
        raise AttributeError(
            f"partial_fit: readout={readout!r} needs a fit over known examples; a stream answers "
            f"by {' or '.join(map(repr, keep.STREAMED))}"
        )
    return True


@dataclass(kw_only=True, repr=False, eq=False)
class Skin(ClassifierMixin, Parameterised, BaseEstimator):
    """Base of the estimators: a subclass says its rule, and what else it takes.

    A parameter that the classifier knows by the same name is passed on to it.

    Attributes
    ----------
    model_ : LinearClassifier
        What learns and predicts: read-outs, ``save``, ``explain`` and counts are to be had there.
    classes_, n_iter_, stop_reason_, history_, cycle_, bounds_, n_corrections_, n_mistakes_
        As :class:`~hardlimit.LinearClassifier` tells them.
    n_features_in_, feature_names_in_
        Columns of the first fit, and their names where X had some.
    calibration_ : Slope
        With ``probability=True``: what makes probabilities of scores.
    """

    multiclass: str = "coupled"
    max_iter: int = 1000
    fit_intercept: bool = True
    bias_feature: float = 1.0
    random_state: Any = 0
    probability: bool = False

    _Model: ClassVar[Any] = LinearClassifier

    classes_ = told("classes_")
    n_iter_ = told("n_iter_")
    stop_reason_ = told("stop_reason_")
    history_ = told("history_")
    cycle_ = told("cycle_")
    bounds_ = told("bounds_")
    n_corrections_ = told("n_corrections_")
    n_mistakes_ = told("n_mistakes_")

    __repr__ = BaseEstimator.__repr__

    def _rule(self) -> Any:
        """The rule that corrects, from the estimator's parameters."""
        raise NotImplementedError

    def _new_model(self) -> Any:
        """The classifier that these parameters mean, not yet fitted."""
        return self._Model(**self._settings())

    def _settings(self) -> dict[str, Any]:
        """What the classifier is made from."""
        given = self.get_params(deep=False)
        mine = {name: given[name] for name in self._Model._parameter_names() if name in given}
        return mine | {"rule": self._rule(), "random_state": self._seed()}

    def _inside(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, str) and name in ("rule", "order"):
            return {"rule": rules, "order": orders}[name].resolve(value)
        return value

    def _seed(self) -> Any:
        """An int or None; a generator of numpy's is asked for one."""
        if isinstance(self.random_state, np.random.RandomState):
            return int(check_random_state(self.random_state).randint(1 << 31))
        return self.random_state

    def _checked(self, X: Any, y: Any, reset: bool) -> tuple[Any, Any]:
        """X and y as arrays or CSR, their columns and names as in the first fit."""
        if is_many(y):
            return validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=reset), y
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, reset=reset)
        return X, y

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        X, y = self._checked(X, y, reset=True)
        if self.probability and is_many(y):
            raise InputError("probability: got several labels an example, wanted one")
        if not is_many(y):
            check_classification_targets(y)
        model = self._new_model()
        try:
            self._learn(model, X, y, sample_weight)
        finally:  # what was learnt stays when the user interrupts
            if model.__sklearn_is_fitted__():
                self.model_ = model
                self.__dict__.pop("calibration_", None)
        if self.probability:
            self.calibration_ = calibration.cross_validated(
                self._new_model, X, y, sample_weight, pairwise=get_tags(self).input_tags.pairwise
            )
        return self

    def _learn(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        model.fit(X, y, sample_weight)

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> Self:
        first = "model_" not in self.__dict__
        X, y = self._checked(X, y, reset=first)
        if not is_many(y) and (first or y.dtype.kind == "f"):  # later a look at the type is enough
            check_classification_targets(y)
        model = self._new_model() if first else self.model_
        model.partial_fit(X, y, sample_weight, classes=classes if first else None)
        self.model_ = model
        return self

    def decision_function(self, X: Any) -> Any:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes)."""
        X = self._rows(X)
        return self.model_.decision_function(X)

    def predict(self, X: Any) -> Any:
        """Classes of the rows, shape (n_rows,); a tie goes to the first class."""
        X = self._rows(X)
        return self.model_.predict(X)

    def calibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the slope of ``predict_proba`` on a validation set, which was not learnt from."""
        X, y = self._checked(X, y, reset=False)
        check_is_fitted(self)
        self.calibration_ = calibration.validated(self.model_, X, y, sample_weight)
        return self

    @available_if(_calibrated)
    def predict_proba(self, X: Any) -> Any:
        """Probabilities (n_rows, n_classes): the largest is the prediction's."""
        X = self._rows(X)
        if "calibration_" not in self.__dict__:
            raise NotFittedError(
                f"{type(self).__name__}: predict_proba was asked before a calibration; call fit "
                "with probability=True, or after a stream calibrate(X, y) on a validation set"
            )
        return self.calibration_.probabilities(calibration.scores(self.model_, X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class Weighed(Skin):
    """Base of the estimators whose rule gives the weight of an example a meaning."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from all examples, from zero weights.

        Parameters
        ----------
        X : (n_rows, n_columns) array, table or sparse matrix of finite numbers
        y : (n_rows,) labels, at least two different ones
        sample_weight : (n_rows,) numbers >= 0; what a weight means is the rule's affair
        """
        return self._fit(X, y, sample_weight)

    @available_if(_streams)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Present each row once, in order, continuing from what was learnt.

        ``classes`` names classes that have yet to come; with ``multiclass="coupled"`` new ones may
        come at any time all the same.

        Cost: O(non-zeros x outputs) and scikit-learn's check of the data, whatever the number of
        columns.
        """
        return self._partial_fit(X, y, classes, sample_weight)


class Unweighed(Skin):
    """Base of the others: there is no ``sample_weight``, rather than one that is refused."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from all examples, from the weights at the start: see :class:`Weighed`."""
        return self._fit(X, y)

    @available_if(_streams)
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Present each row once, in order: see :class:`Weighed`."""
        return self._partial_fit(X, y, classes)
