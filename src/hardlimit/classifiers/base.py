"""What all classifiers share: scikit-learn's protocol, and the attributes of a fitted model."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hardlimit import guards, orders, readouts, rules, schedules
from hardlimit.classifiers import files
from hardlimit.classifiers.model import geometry
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.choices import (
    NOTHING_ASKED,
    Choices,
    LearningParameters,
    resolve_choices,
)
from hardlimit.classifiers.model.compatibility import check_asked, check_choices
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import of_book
from hardlimit.exceptions import InputError, NotFittedError
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.types import ArrayLike, PathLike, SampleWeight, Targets
from hardlimit.foundation.workers import count_workers, with_own_workers
from hardlimit.learner import EpochRecord
from hardlimit.rules import RuleLike
from hardlimit.theory.cycling import Cycle

if TYPE_CHECKING:
    from hardlimit.theory.bounds import Bounds

Labels = np.ndarray[Any, Any]
Scores = np.ndarray[Any, Any]


@cache
def _names_of_parameters(kind: type[BaseClassifier]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


class BaseClassifier(LearningParameters):
    """Parameters as they were given, and the model that the last fit made of them.

    The model is all that a fit leaves here. It keeps the choices that it was made with, so that a
    parameter that is set later counts from the next fit; only ``partial_fit`` asks for the class
    weights each time, and the answers of a stream for the read-out.
    """

    rule: RuleLike

    # A class attribute: __init__ may store nothing but its arguments (scikit-learn's clone).
    _model: Model | None = None

    @property
    def fitted(self) -> Model:
        """The model of the last fit, for parts of this package that look inside."""
        model = self._model
        if model is None:
            raise NotFittedError(
                "not fitted yet", who=type(self).__name__, fix="call fit(X, y) first"
            )
        # A frozen answer belongs to the fit; only a live one obeys parameters that are set later.
        if model.live:
            model.follow(self.readout, self.averaging)
        return model

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_beginning_lock", None)
        return state

    def adopt(self, model: Model) -> Self:
        """Answer by this model from now on; the metadata stay."""
        # The metadata may have been set before the first fit, and outlive each of them.
        model.metadata = self.metadata
        self._model = model
        return self

    def resolve_parameters(
        self,
        given: Mapping[str, Any] | None = None,
        *,
        rule_known: bool = True,
        ask: Ask = NOTHING_ASKED,
    ) -> Choices:
        """Turn the parameters, or others, into objects that are in range, each by itself."""
        if given is None:
            # A subclass may take fewer in its constructor: the others have their defaults.
            names = _names_of_parameters(type(self))  # type: ignore[arg-type]
            given = {name: getattr(self, name) for name in names}
        given = dict(given)
        count_workers(given.pop("n_jobs", None))  # how a model was made is no part of it
        return resolve_choices(given, rule_known=rule_known, ask=ask)

    def check_parameters(
        self, given: Mapping[str, Any] | None = None, ask: Ask = NOTHING_ASKED
    ) -> Choices:
        """Resolve the parameters, or others, and refuse what does not go together.

        ask : what is asked of the training beside them.

        Raises
        ------
        InputError, KindError
            With the parameter, what it should be, and the reason.
        """
        choices = self.resolve_parameters(given, ask=ask)
        # Each value is in range by now; what is left is what does not go together.
        check_choices(choices.combination)
        if ask is not NOTHING_ASKED:
            check_asked(choices.combination)
        return choices

    @property
    def metadata(self) -> dict[str, Any]:
        """Plain JSON of your own that the model file keeps, for example how the data were read."""
        model = self._model
        if model is not None:
            return model.metadata
        # Made on first use, for the same reason as above.
        before: dict[str, Any] = self.__dict__.setdefault("_metadata", {})
        return before

    @metadata.setter
    def metadata(self, metadata: dict[str, Any]) -> None:
        model = self._model
        if model is not None:
            model.metadata = metadata
        else:
            self.__dict__["_metadata"] = metadata

    def _inside(self, name: str) -> Any:
        value = getattr(self, name)
        # An unknown name has no parameters; fit is the one that refuses it.
        if name == "rule" and isinstance(value, str) and value in rules.names():
            return rules.get(value)
        if name == "order" and isinstance(value, str):
            return orders.resolve(value)
        if name == "schedule":
            return schedules.resolve(value)
        if name == "guard" and isinstance(value, tuple | list):
            return guards.Several(guards.resolve(value))
        return value

    def __copy__(self) -> Self:
        """Return another classifier on the same arrays and the same training state."""
        other = type(self).__new__(type(self))
        # Not by the constructor: the copy of a fitted classifier is fitted.
        other.__dict__.update(self.__getstate__() | {"_model": copy.copy(self._model)})
        return other

    def _validate(self, model: Model, validation: tuple[Any, Any] | None) -> None:
        """Score examples that were not learnt from, by every read-out that was kept."""
        if validation is None:
            return
        X, y = validation
        # After the fit, since only then the classes are known; what was learnt stays.
        of_book(model.classes).check_validation(y, model.classes)
        model.validation_scores = {
            name: self._answering_by(model, name)._score_within_budget(X, y)
            for name in model.choices.kept
        }

    def _score_within_budget(self, X: ArrayLike, y: Targets) -> float | None:
        """The accuracy; None of a vote beyond the budget."""
        # A vote over many rows could take longer than the fit that asked for the score.
        labels: Any = y
        n_rows = labels.shape[0] if hasattr(labels, "shape") else len(list(labels))
        if self.fitted.answer.cost(n_rows) > readouts.VOTING_BUDGET:
            return None
        return self.score(X, y)

    # Answers

    def with_readout(self, readout: str) -> Self:
        """The same fit answering by another read-out that was kept; nothing is learnt anew.

        Cost: O(columns x outputs). The training state is shared: what one learns, both know.
        """
        return self._answering_by(self.fitted, readout)

    def _answering_by(self, model: Model, readout: str) -> Self:
        other = type(self).__new__(type(self))
        # No refit and no copy: both answer from one training state, by different read-outs.
        changed = {"readout": readout, "_model": model.with_readout(readout)}
        other.__dict__.update(self.__getstate__() | changed)
        return other

    @with_own_workers
    def score(self, X: ArrayLike, y: Targets, sample_weight: SampleWeight = None) -> float:
        """The share of right predictions (accuracy), in 0 .. 1.

        Of several labels the subset accuracy: a row is right where all its labels are.
        """
        book = self.fitted.classes
        right = of_book(book).are_right(self.predict(X), y, book)
        weights = None if sample_weight is None else read_weights(sample_weight, len(right))
        if weights is not None and not weights.any():
            raise InputError("every example has the weight 0", parameter="sample_weight")
        return float(np.average(right, weights=weights))

    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,)."""
        raise NotImplementedError

    @property
    def threshold_(self) -> float:
        """With two classes, a score above it means the second; 0 unless it was moved.

        Of several labels, a score above it means the label, the same for all of them.
        ``choose_threshold(X, y)`` finds one.
        """
        return self.fitted.threshold

    @threshold_.setter
    def threshold_(self, value: float) -> None:
        if not math.isfinite(as_float(value)):
            raise InputError(parameter="threshold_", got=value, wanted="a finite number")
        self.fitted.threshold = float(value)

    # What was learnt

    @property
    def feature_names_in_(self) -> np.ndarray[Any, Any]:
        """Names of the columns, (n_columns,), where X was a table whose names are texts.

        A table with other names, or in another order, is refused from then on.
        """
        names = self.fitted.feature_names
        if names is None:
            raise AttributeError("feature_names_in_: X of the fit had no names for its columns")
        return np.array(names, dtype=object)

    @property
    def classes_(self) -> Labels:
        """The classes; a score above 0 means the second of two. Of several labels, their names."""
        model = self.fitted
        with model.reading:
            return model.classes.array

    @property
    def coef_(self) -> np.ndarray[Any, Any]:
        """Weights (n_outputs, n_columns) of the read-out that answers, computed when asked for.

        In the units of the rows given, whatever ``scale`` the learner saw (``scale="rows"``: of
        rows of unit length).
        """
        return self.fitted.weights_as_given().coef

    @property
    def intercept_(self) -> np.ndarray[Any, Any]:
        """Bias weight times bias_feature (n_outputs,); the threshold w0 is its negative."""
        return self.fitted.weights_as_given().intercept

    @property
    def n_corrections_(self) -> int:
        """Corrections of the weights so far; also right answers that were too close cause them."""
        return self.fitted.counted.corrections

    @property
    def n_mistakes_(self) -> int:
        """Presentations so far with a margin of at most 0."""
        return self.fitted.counted.mistakes

    @property
    def n_i_(self) -> np.ndarray[Any, Any]:
        """How often each example of the fit was corrected, (n_rows,) or (n_rows, n_outputs).

        Kept for guards and rules that ask for it, until the model is saved.
        """
        return self.fitted.count_of_examples("n_i")

    @property
    def alpha_i_(self) -> np.ndarray[Any, Any]:
        """The sum of the ``tau`` of each example of the fit, shaped and kept like ``n_i_``."""
        return self.fitted.count_of_examples("alpha_i")

    @property
    def n_iter_(self) -> int:
        """Epochs of the last fit."""
        return len(self.fitted.outcome.history)

    @property
    def stop_reason_(self) -> str:
        """Why the last fit ended, in the words of :mod:`hardlimit.learner`; or stream, or given.

        ``separated`` is said of the last weights. A read-out that was asked for may still err:
        ``n_training_errors_`` counts that.
        """
        return self.fitted.outcome.stop_reason

    @property
    def readout_(self) -> str:
        """The read-out that answers.

        ``"last"`` where the default ``"averaged"`` has given way: the rule has no average, or the
        fit ended ``separated`` and the average errs on training examples.

        >>> from hardlimit import LinearClassifier
        >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
        >>> clf = LinearClassifier().fit(X, y)
        >>> clf.stop_reason_, clf.readout_, clf.n_training_errors_
        ('separated', 'last', 0)
        >>> clf = LinearClassifier(readout="averaged").fit(X, y)
        >>> clf.readout_, clf.n_training_errors_
        ('averaged', 1)
        """
        return self.fitted.choices.readout

    @property
    def cycle_(self) -> Cycle | None:
        """The period where ``stop_reason_`` is ``cycling``: its epochs, and corrections in them.

        >>> from hardlimit import LinearClassifier
        >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
        >>> LinearClassifier(order="cyclic").fit(xor, [0, 1, 1, 0]).cycle_
        Cycle(epochs=1, corrections=4)
        """
        return self.fitted.outcome.cycle

    @property
    def bounds_(self) -> Bounds:
        """What the theorems promise of the last fit, beside what occurred.

        Made of what the fit learnt of its examples on its way; ``hardlimit.bounds.of(clf, X, y)``
        looks at them again and tells the rest.

        >>> from hardlimit import LinearClassifier
        >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
        >>> bounds = LinearClassifier(order="cyclic", readout="last").fit(X, y).bounds_
        >>> round(bounds["Novikoff"].value, 9), bounds["Novikoff"].count
        (9.0, 3)
        """
        model = self.fitted
        from hardlimit.theory import bounds  # start-up: who only predicts does not ask

        with model.reading:
            run = geometry.run_of(model)
            parts = geometry.known_parts(model, run)
        return bounds.evaluate(run, parts)

    @property
    def history_(self) -> list[EpochRecord]:
        """What each epoch of the last fit did: see :class:`~hardlimit.learner.EpochRecord`."""
        return self.fitted.outcome.history

    @property
    def progressive_error_(self) -> float:
        """The error of progressive validation, 0 .. 1, of a model that ``fit_stream`` made.

        In the first pass each example is predicted by the last weights before it is learnt, so that
        it was not seen before: a margin of 0 or less is a mistake. With ``multiclass="ovr"`` each
        class judges each example.
        """
        progressive = self.fitted.outcome.progressive
        if progressive is None:
            raise AttributeError("progressive_error_: only fit_stream measures it")
        return progressive.error

    @property
    def n_training_errors_(self) -> int | None:
        """Training examples that the read-out of the fit gets wrong; None for another read-out."""
        model = self.fitted
        # Another read-out of the same fit may have moved the weights that it was counted of.
        return None if model.live else model.training_errors.get(model.choices.readout)

    @property
    def validation_scores_(self) -> dict[str, float | None]:
        """The accuracy of each read-out that was kept, on the examples of ``validation=``."""
        scores = self.fitted.validation_scores
        if scores is None:
            raise AttributeError("validation_scores_: the fit was given no validation=(X, y)")
        return scores

    # Files

    def save(self, path: PathLike, *, training_state: bool = True) -> None:
        """Write a model file, whole or not at all; ``hardlimit.load`` reads it.

        ``training_state=False`` leaves out what ``partial_fit`` would continue: a smaller file that
        only predicts. A kernel that is a function cannot be saved.
        """
        files.write(self._to_save(), path, training_state)

    def to_onnx(self, path: PathLike, *, dtype: str = "float64") -> None:
        """Write a linear model of numbers, or of a mixed table, as an ONNX file for other programs.

        Input ``X``, (N, n_columns) of ``dtype``. Of a table an input (N, 1) for each column by its
        name: numbers of ``dtype``, NaN where one is missing; categories as texts without white
        space around them, "" where one is missing. Outputs ``label``, (N,), ``scores`` as
        ``decision_function`` gives them, and after the label ``probabilities``, (N, n_classes), if
        there are some. A scale is part of the graph; a tie goes to the first class.

        Parameters
        ----------
        path : of the file, which is replaced
        dtype : ``"float64"``, whose scores differ by the order of their sums alone; ``"float32"``
            for runtimes that know no other, which may decide otherwise where scores nearly tie

        Raises
        ------
        InputError
            Texts (also as a column of a table), hashed categories, votes, kernels, feature maps,
            several labels a row: ONNX has no operators for them, or not ours. Labels of several
            kinds; numbers out of the range of float32.
        """
        from hardlimit.classifiers.exporting import onnx  # start-up: few processes export

        model = self.fitted
        onnx.write(model, path, dtype, model.slope)

    def _to_save(self) -> Model:
        """The model with the class weights of now, which a loaded model streams on with."""
        model = self.fitted
        # A stream asks for the class weights at each batch, so the file has those of now.
        model.choices = model.choices.weighing(self.class_weight)
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return self._model is not None

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn asks for tags, and then it is imported already.
        from sklearn.utils import (
            ClassifierTags,
            InputTags,
            Tags,
            TargetTags,
        )

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(sparse=True),
        )
