"""The base of the estimators: scikit-learn checks the data, a classifier learns.

The classes are dataclasses, so that a parameter stands once, with its default, where it belongs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from hardlimit import maps, orders, readouts, rules
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.engine import ModelLock
from hardlimit.estimators import _starting, calibration
from hardlimit.estimators.calibration import Classifier
from hardlimit.exceptions import InputError, KindError, NotFittedError
from hardlimit.foundation import dtypes
from hardlimit.foundation.parameters import Parameterised
from hardlimit.foundation.types import Array, ArrayLike, Labels, PathLike, SampleWeight

# Rows of float32 are passed on as they are: converting them here would copy them.
FLOATS = (np.float64, np.float32)


class ParameterKind(NamedTuple):
    """What the values of an annotated type are."""

    holds: Callable[[object], bool]
    wanted: str


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and value != 0


# Numbers stay wide here: a whole number may come as 10.0 of a search over parameters.
KINDS = {
    "bool": ParameterKind(
        lambda value: isinstance(value, bool | np.bool_ | Integral), "True or False"
    ),
    "str": ParameterKind(lambda value: isinstance(value, str), "a name"),
    "str | None": ParameterKind(
        lambda value: value is None or isinstance(value, str), "a name, or None"
    ),
    "int": ParameterKind(lambda value: isinstance(value, Real), "a whole number"),
    "float": ParameterKind(lambda value: isinstance(value, Real), "a number"),
    "float | None": ParameterKind(
        lambda value: value is None or isinstance(value, Real), "a number, or None"
    ),
    "int | None": ParameterKind(
        lambda value: value is None or _is_whole(value), "a whole number other than 0, or None"
    ),
}


def delegated(name: str, of: type[Classifier] = LinearClassifier) -> property:
    """Return a property that is the attribute of the fitted classifier inside."""

    def get(self: BaseClassifier) -> Any:
        check_is_fitted(self)
        try:
            return getattr(self.model_, name)
        except InputError as error:
            # scikit-learn asks by hasattr, which knows no other error as a no.
            raise AttributeError(str(error)) from None

    return property(get, doc=getattr(of, name).__doc__)


def _check_calibrated(self: BaseClassifier) -> bool:
    """Refuse as scikit-learn's ``available_if`` wants it: by an AttributeError."""
    if not self.probability:
        raise AttributeError("predict_proba: wanted probability=True before fit")
    return True


def _check_streams(self: BaseClassifier) -> bool:
    readout = getattr(self, "readout", None)  # passive-aggressive has ``average`` instead
    if isinstance(readout, str) and readout not in readouts.STREAMED:
        raise AttributeError(
            f"partial_fit: readout={readout!r} needs a fit over known examples; a stream answers "
            f"by {' or '.join(map(repr, readouts.STREAMED))}"
        )
    return True


def check_rows(estimator: BaseClassifier, X: ArrayLike) -> ArrayLike:
    """Return rows for the predictions of a fitted estimator, with the columns of its fit."""
    check_is_fitted(estimator)
    rows: ArrayLike = validate_data(estimator, X, accept_sparse="csr", dtype=FLOATS, reset=False)
    return rows


@dataclass(kw_only=True, repr=False, eq=False)
class BaseClassifier(ClassifierMixin, Parameterised, BaseEstimator):
    """Base of the estimators: a subclass names its rule and further parameters.

    A parameter that the classifier knows by the same name is passed on to it.

    Attributes
    ----------
    model_ : LinearClassifier
        What learns and predicts: read-outs, ``save``, ``explain`` and counts are to be had there.
    classes_, n_iter_, stop_reason_, history_, cycle_, bounds_, n_corrections_, n_mistakes_
        Those of :class:`~hardlimit.LinearClassifier`.
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

    _Model: ClassVar[type[Classifier]] = LinearClassifier

    classes_ = delegated("classes_")
    n_iter_ = delegated("n_iter_")
    stop_reason_ = delegated("stop_reason_")
    readout_ = delegated("readout_")
    history_ = delegated("history_")
    cycle_ = delegated("cycle_")
    bounds_ = delegated("bounds_")
    n_corrections_ = delegated("n_corrections_")
    n_mistakes_ = delegated("n_mistakes_")

    def __getstate__(self) -> Any:
        state = dict(super().__getstate__())
        state.pop("_beginning", None)
        return state

    # Parameterised comes first in the order of bases, but pipelines show and shorten by this one.
    __repr__ = BaseEstimator.__repr__

    def _check_kinds(self) -> None:
        """Refuse values that the estimator itself would compare or count with.

        Ranges are checked by whoever takes the parameter: the rule, the classifier.
        """
        for field in fields(self):
            value, check = getattr(self, field.name), KINDS.get(str(field.type))
            if check is not None and not check.holds(value):
                raise KindError(
                    who=type(self).__name__, parameter=field.name, got=value, wanted=check.wanted
                )

    def _make_rule(self) -> Any:
        """Return the rule of the estimator's parameters."""
        raise NotImplementedError

    def _make_model(self) -> Classifier:
        """Return the classifier of these parameters, not fitted yet."""
        return self._Model(**self._settings())

    def _settings(self) -> dict[str, Any]:
        """Return the arguments of the classifier."""
        given = self.get_params(deep=False)
        taken = inspect.signature(self._Model).parameters
        # By name: a parameter of the classifier reaches its estimators without a table.
        mine = {name: value for name, value in given.items() if name in taken}
        mine.pop("probability", None)  # which the estimator makes itself
        return mine | {"rule": self._make_rule(), "random_state": self._resolve_seed()}

    def _inside(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, str) and name in ("rule", "order", "map"):
            return {"rule": rules, "order": orders, "map": maps}[name].resolve(value)
        return value

    def _resolve_seed(self) -> Any:
        """Return an int or None; a generator of numpy's is asked for one."""
        # A generator gives another seed at each fit, as in scikit-learn; the classifier takes ints.
        if isinstance(self.random_state, np.random.RandomState):
            return int(check_random_state(self.random_state).randint(1 << 31))
        return self.random_state

    def check_data(self, X: ArrayLike, y: Labels, reset: bool) -> tuple[Any, Any]:
        """Return X and y as arrays or CSR, with the columns and names of the first fit."""
        # validate_data knows one label a row; sets of labels are checked by the classifier.
        if is_many(y):
            return validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=reset), y
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, reset=reset)
        # Fractions are targets of a regression, and would each become a class. After the first
        # batch the type is enough: the check would cost more than the row.
        if reset or dtypes.is_floating(np.asarray(y).dtype):
            check_classification_targets(y)
        return X, y

    def _fit(
        self,
        X: ArrayLike,
        y: Labels,
        sample_weight: SampleWeight = None,
        start: tuple[Any, Any] | None = None,
    ) -> Self:
        # Aside, and taken at once: until then other threads are answered by the fit before.
        self._check_kinds()
        aside = self._as_it_is()
        rows, labels = aside.check_data(X, y, reset=True)
        model = self._make_model()
        weights = None
        if start is not None:
            weights = _starting.initial_weights(model.check_parameters(), rows, labels, start)
        # A slope belongs to the scores of the weights that it was fitted to.
        aside.__dict__.pop("calibration_", None)
        try:
            self._learn(model, rows, labels, sample_weight, weights)
            if self.probability:
                aside.calibration_ = calibration.cross_calibrate(
                    self._make_model,
                    rows,
                    labels,
                    sample_weight,
                    initial_weights=weights,
                    pairwise=get_tags(self).input_tags.pairwise,
                )
        finally:  # what was learnt stays when the user interrupts
            if model.__sklearn_is_fitted__():
                aside.adopt(model)
                self._take_fit_of(aside)
        return self

    def _as_it_is(self) -> Self:
        """The estimator of now, which keeps its model while another thread fits this one anew."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def _take_fit_of(self, other: Self) -> None:
        """Take model, columns and slope by one assignment; the parameters stay."""
        fitted = {name: value for name, value in other.__dict__.items() if name.endswith("_")}
        given = {name: value for name, value in self.__dict__.items() if not name.endswith("_")}
        self.__dict__ = given | fitted

    def _learn(
        self,
        model: Classifier,
        X: ArrayLike,
        y: Labels,
        sample_weight: SampleWeight,
        start: Array | None,
    ) -> None:
        model.fit(X, y, sample_weight, initial_weights=start)

    def _partial_fit(
        self, X: ArrayLike, y: Labels, classes: Labels | None, sample_weight: SampleWeight = None
    ) -> Self:
        if "model_" not in self.__dict__:
            # Of two streams that begin at once neither is forgotten.
            with self.__dict__.setdefault("_beginning", ModelLock()):
                if "model_" not in self.__dict__:
                    return self._present(X, y, classes, sample_weight, first=True)
        return self._present(X, y, None, sample_weight, first=False)

    def _present(
        self,
        X: ArrayLike,
        y: Labels,
        classes: Labels | None,
        sample_weight: SampleWeight,
        first: bool,
    ) -> Self:
        if first:
            self._check_kinds()
        X, y = self.check_data(X, y, reset=first)
        model = self._make_model() if first else self.model_
        # scikit-learn's callers name the classes with every batch; the first time is enough.
        model.partial_fit(X, y, sample_weight, classes=classes)
        if first:
            self.adopt(model)
        return self

    def adopt(self, model: Classifier) -> None:
        """Answer by this model, which is told the names of the columns: it learnt from an array."""
        self.model_ = model
        names = self.__dict__.get("feature_names_in_")
        model.fitted.feature_names = None if names is None else tuple(map(str, names))

    def check_parameters(self) -> None:
        """Check each parameter by itself, as ``fit`` does; a rule's class may be unknown."""
        self._check_kinds()
        self._make_model().resolve_parameters(rule_known=False)

    def fits_with(self, model: object) -> bool:
        """Whether this is the kind of classifier that the estimator stands around."""
        return type(model) is self._Model

    def save(self, path: PathLike, *, training_state: bool = True) -> None:
        """Write a model file, whole or not at all; ``hardlimit.load`` gives the estimator back.

        With class, parameters, weights, classes, names of the columns and calibration, in the safe
        file of all models: nothing in it is executed. It predicts and streams on to the last bit,
        and the command line knows it. Not in it: seconds, ``bounds_``, metadata requests.

        Parameters
        ----------
        path : of the file, which is replaced
        training_state : whether ``partial_fit`` can go on with a loaded estimator

        Raises
        ------
        InputError
            A parameter that no file can hold: a function as a kernel, a rule or a schedule of your
            own, a generator as ``random_state``; an estimator of your own.
        FileError
            A path that cannot be written; the old file is intact.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import hardlimit as hl
        >>> clf = hl.PerceptronClassifier().fit([[-1, -1], [1, -1], [1, 1]], ["no", "yes", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     clf.save(pathlib.Path(folder, "or.hardlimit"))
        ...     loaded = hl.load(pathlib.Path(folder, "or.hardlimit"))
        >>> loaded, loaded.predict([[2, 0]])
        (PerceptronClassifier(), array(['yes'], dtype='<U3'))
        """
        from hardlimit.estimators import files  # start-up: few processes save

        files.save(self._as_it_is(), path, training_state)

    def to_onnx(self, path: PathLike, *, dtype: str = "float64") -> None:
        """Write the weights as an ONNX file: see :meth:`LinearClassifier.to_onnx`.

        ``probabilities`` are an output if the estimator has a calibration.
        """
        from hardlimit.classifiers.exporting import onnx  # start-up: few processes export

        now = self._as_it_is()
        check_is_fitted(now)
        names = now.__dict__.get("feature_names_in_")
        columns = None if names is None else [str(name) for name in names]
        onnx.write(now.model_.fitted, path, dtype, now.__dict__.get("calibration_"), columns)

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores: (n_rows,) for two classes, positive for the second; else (n_rows, n_classes)."""
        now = self._as_it_is()
        rows = check_rows(now, X)
        return now.model_.decision_function(rows)

    def predict(self, X: ArrayLike) -> Array:
        """Return the classes of the rows, (n_rows,); a tie goes to the first class."""
        now = self._as_it_is()
        rows = check_rows(now, X)
        return now.model_.predict(rows)

    def calibrate(self, X: ArrayLike, y: Labels, sample_weight: SampleWeight = None) -> Self:
        """Fit the slope of ``predict_proba`` on a validation set, which was not learnt from."""
        X, y = self.check_data(X, y, reset=False)
        check_is_fitted(self)
        self.calibration_ = calibration.calibrate(self.model_, X, y, sample_weight)
        return self

    @available_if(_check_calibrated)
    def predict_proba(self, X: ArrayLike) -> Array:
        """Return probabilities (n_rows, n_classes): the largest is the prediction's.

        Of several labels (n_rows, n_labels), each by itself.
        """
        now = self._as_it_is()
        rows = check_rows(now, X)
        if "calibration_" not in now.__dict__:
            raise NotFittedError(
                "predict_proba needs a calibration",
                who=type(self).__name__,
                fix="call fit with probability=True, or after a stream calibrate(X, y) on a "
                "validation set",
            )
        return now.calibration_.probabilities(calibration.centred_scores(now.model_, rows))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class SampleWeighted(BaseClassifier):
    """Base of the estimators whose rule gives the weight of an example a meaning."""

    def fit(self, X: ArrayLike, y: Labels, sample_weight: SampleWeight = None) -> Self:
        """Learn from all examples, from zero weights.

        Parameters
        ----------
        X : (n_rows, n_columns) array, table or sparse matrix of finite numbers
        y : (n_rows,) labels, at least two different ones
        sample_weight : (n_rows,) numbers >= 0; what a weight means is the rule's affair
        """
        return self._fit(X, y, sample_weight)

    @available_if(_check_streams)
    def partial_fit(
        self,
        X: ArrayLike,
        y: Labels,
        classes: Labels | None = None,
        sample_weight: SampleWeight = None,
    ) -> Self:
        """Present each row once, in order, continuing from what was learnt.

        ``classes`` names classes that have yet to come; with ``multiclass="coupled"`` new ones may
        come at any time all the same.

        Cost: O(non-zeros x outputs) and scikit-learn's check of the data, whatever the number of
        columns.
        """
        return self._partial_fit(X, y, classes, sample_weight)


class StartingWeighted(SampleWeighted):
    """Base of the estimators whose rule adds, and gives the weight of an example a meaning."""

    def fit(
        self,
        X: ArrayLike,
        y: Labels,
        sample_weight: SampleWeight = None,
        *,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
    ) -> Self:
        """Learn from all examples, from zero weights or from those that are given.

        Parameters
        ----------
        X : (n_rows, n_columns) array, table or sparse matrix of finite numbers
        y : (n_rows,) labels, at least two different ones
        sample_weight : (n_rows,) numbers >= 0; what a weight means is the rule's affair
        coef_init : (n_outputs, n_columns) weights at the start, shaped like ``coef_``; of two
            classes also (n_columns,)
        intercept_init : (n_outputs,) intercepts at the start, or one number for all; a start needs
            a rule that adds, a read-out other than ``"voted"``, and no ``scale``
        """
        return self._fit(X, y, sample_weight, (coef_init, intercept_init))


class Unweighted(BaseClassifier):
    """Base of the others: there is no ``sample_weight``, rather than one that is refused."""

    def fit(self, X: ArrayLike, y: Labels) -> Self:
        """Learn from all examples, from the weights at the start: see :class:`SampleWeighted`."""
        return self._fit(X, y)

    @available_if(_check_streams)
    def partial_fit(self, X: ArrayLike, y: Labels, classes: Labels | None = None) -> Self:
        """Present each row once, in order: see :class:`SampleWeighted`."""
        return self._partial_fit(X, y, classes)


class StartingUnweighted(Unweighted):
    """Base of the others whose rule adds."""

    def fit(
        self,
        X: ArrayLike,
        y: Labels,
        *,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
    ) -> Self:
        """Learn from all examples, from zero weights or others: see :class:`StartingWeighted`."""
        return self._fit(X, y, start=(coef_init, intercept_init))
