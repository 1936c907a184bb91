"""What all linear classifiers share: read-outs, predictions, counters."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from hardlimit import guards, orders, readouts, rules, scaling, schedules
from hardlimit.classifiers import measuring, together
from hardlimit.classifiers.labels import LabelBook, as_list
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.packing import packed, unpacked
from hardlimit.classifiers.training import Method, Training
from hardlimit.classifiers.votes import Votes
from hardlimit.exceptions import InputError, NotFittedError, abbreviate
from hardlimit.foundation.parameters import Parameterised, as_float
from hardlimit.learner import EpochRecord, Outcome
from hardlimit.theory.cycling import Cycle

if TYPE_CHECKING:
    from hardlimit.model_file import ModelFile
    from hardlimit.theory.bounds import Bounds

Labels = np.ndarray[Any, Any]
Scores = np.ndarray[Any, Any]


class Counts(NamedTuple):
    """What a model counted while it learnt."""

    corrections: int
    mistakes: int


class LinearModel(Parameterised):
    """The frozen answer, the training state behind it, and what was counted.

    The answer is an array (n_columns + 1, n_outputs), the bias's weights last; it is None after
    ``partial_fit``, when the current state answers on the columns of the row at hand.
    """

    rule: Any
    order: Any
    schedule: Any
    guard: Any
    keep: Any
    readout: str
    averaging: str
    multiclass: str
    until: str | None
    max_iter: int
    tol: float
    fit_intercept: bool
    bias_feature: float
    class_weight: Any
    random_state: int | None
    scale: Any = "none"  # of numbers only
    skip: bool | str = "auto"

    _single_precision: ClassVar[bool] = False  # the answer as float32
    _threshold: float = 0.0  # a score above it means the second of two classes

    _book: LabelBook | None = None
    _training: Training | None = None
    _learnt_with: Mapping[str, Any] = {}  # the parameters as they were then
    _fitted_bias: float | None = None
    _fitted_scale: scaling.Scale | None = None
    _version: int = 0  # of the training state when the answer was frozen
    _file: ModelFile | None = None  # where the training state lies until it is asked for
    _answer: Any = None
    _outcome: Outcome
    _counts: Counts
    _training_errors: dict[str, int]
    _facts: measuring.Facts | None = None  # of the examples of the fit

    @functools.cached_property
    def metadata(self) -> dict[str, Any]:
        """Plain JSON of your own that the model file keeps, for example how the data were read."""
        return {}

    def _inside(self, name: str) -> Any:
        value = getattr(self, name)
        if name == "rule" and isinstance(value, str) and value in rules.names():
            return rules.get(value)
        if name == "order" and isinstance(value, str):
            return orders.resolve(value)
        if name == "schedule":
            return schedules.resolve(value)
        if name == "guard" and isinstance(value, tuple | list):
            return guards.Several(guards.resolve(value))
        return value

    @property
    def _method(self) -> Method:
        """What corrects, as objects."""
        rule = rules.resolve(self.rule)
        return Method(rule, schedules.resolve(self.schedule), guards.resolve(self.guard))

    @property
    def _readout(self) -> str:
        """The read-out that answers: the default is `last` where the rule has no average."""
        if not isinstance(self.readout, Default):
            return str(self.readout)
        rule = self._inside("rule") if self._training is None else self._training.rule
        return str(self.readout) if readouts.averages(rule) else "last"

    @property
    def _kept(self) -> tuple[str, ...]:
        order, rule = orders.resolve(self.order), self._inside("rule")
        return together.kept(self.keep, self._readout, self.averaging, rule, order)

    @property
    def threshold_(self) -> float:
        """With two classes, a score above it means the second; 0 unless it was moved."""
        self._classes  # noqa: B018
        return self._threshold

    @threshold_.setter
    def threshold_(self, value: float) -> None:
        self._move_threshold(value)

    def _move_threshold(self, value: Any) -> None:
        if not math.isfinite(as_float(value)):
            raise InputError(f"threshold_: got {abbreviate(value)}, wanted a finite number")
        self._threshold = float(value)

    @property
    def _bias(self) -> float:
        """The bias feature of the fit; parameters that are set later count from the next fit."""
        if self._fitted_bias is not None:
            return self._fitted_bias
        return self._given_bias

    def _as_learnt(self) -> Self:
        """A copy with the parameters of the fit; those of ``partial_fit`` and of its answers stay.

        Parameters that are set later count from the next fit.
        """
        streamed = self._training is not None and self._version != self._training.version
        live = {"class_weight", "readout", "averaging"} if streamed else {"class_weight"}
        learnt = {name: value for name, value in self._learnt_with.items() if name not in live}
        other = type(self).__new__(type(self))  # a copy would load the training state
        other.__dict__ |= self.__dict__ | learnt
        return other

    @property
    def _given_bias(self) -> float:
        return float(self.bias_feature) if self.fit_intercept else 0.0

    @property
    def _classes(self) -> LabelBook:
        if self._book is None:
            raise NotFittedError(f"{type(self).__name__}: asked before fit; call fit(X, y) first")
        return self._book

    @property
    def _state(self) -> Training:
        """What training continues; a model saved without it can only predict."""
        self._classes  # noqa: B018
        if self._training is None and self._file is not None and self._file.has_state:
            self._restore_training(self._file)
        if self._training is None:
            raise NotFittedError(
                f"{type(self).__name__}: this model was saved without its training state and can "
                "only predict; save it with training_state=True"
            )
        return self._training

    def _restore_training(self, file: ModelFile) -> None:
        from hardlimit.classifiers.loading import training_of

        self._training = training_of(file, self._as_learnt())

    def __getstate__(self) -> dict[str, Any]:
        alone = self._without_file()
        return alone | {"_answer": packed(alone.get("_answer"))}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept | {"_answer": unpacked(kept.get("_answer"))})

    def __copy__(self) -> Self:
        """Another object on the same arrays and the same training state."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self._without_file())
        return other

    def _without_file(self) -> dict[str, Any]:
        if self._file is not None and self._file.has_state:
            self._state  # noqa: B018
        return self.__dict__ | {"_file": None}

    def _freeze(self) -> None:
        """Fix the answer to what the read-out says now."""
        training = self._state
        self._answer = self._frozen_answer(training, self._readout)
        self._version = training.version

    def _frozen_answer(self, training: Training, readout: str) -> Any:
        answer = training.answer(readout, self.averaging, self._single_precision)
        self._check_overflow(training.state.finite)
        return answer

    def _frozen_now(self) -> Any:
        """The frozen answer; None where a stream has moved the state, by whichever copy."""
        if self._training is not None and self._version != self._training.version:
            self._answer = None
        return self._answer

    def _check_overflow(self, finite: Any) -> None:
        if not finite:
            raise InputError(
                f"{type(self).__name__}: the weights or scores overflowed; scale the columns of X"
            )

    def _row_scores(self, rows: Any) -> Scores:
        """Scores (n_rows, n_outputs), finite, by the answer, or by the state after partial_fit."""
        scores = self._unchecked_scores(rows)
        self._check_overflow(np.isfinite(scores).all())
        return scores

    def _unchecked_scores(self, rows: Any) -> Scores:
        answer = self._frozen_now()
        if isinstance(answer, Votes):
            return answer.scores(rows)
        if answer is not None:
            scores: Scores = rows.scores(answer)
            return scores
        training = self._state
        return training.state.scores(rows, *training.mixture(self._readout, self.averaging))

    def _class_numbers(self, scores: Scores) -> Labels:
        """The class of each row; a tie goes to the first."""
        return self._classes.chosen(scores, self._threshold)

    def with_readout(self, readout: str) -> Self:
        """The same fit answering by another read-out that was kept; nothing is learnt anew.

        Cost: O(columns x outputs). The training state is shared: what one learns, both know.
        """
        training = self._state
        readouts.check((readout,), readout, self.averaging)
        if not training.remembers(readout):
            loop = orders.resolve(self.order).loop
            reason = readouts.reason_against(readout, self._inside("rule"), loop)
            raise InputError(
                f"with_readout({readout!r}): it was not kept; "
                + (f"it does not go with {reason}" if reason else f"fit with keep={(readout,)!r}")
            )
        other = copy.copy(self)
        other.readout = readout
        other._learnt_with = {**self._learnt_with, "readout": readout}
        if self._frozen_now() is not None:
            other._freeze()
        return other

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right predictions (accuracy), in 0 .. 1.

        Of several labels the subset accuracy: a row is right where all its labels are.
        """
        return float(np.average(self._right(X, y), weights=sample_weight))

    def _right(self, X: Any, y: Any) -> np.ndarray[Any, Any]:
        """Whether each prediction is right."""
        labels, answers = as_list(y), self.predict(X).tolist()
        if len(labels) != len(answers):
            raise InputError(f"labels: got {len(labels)}, wanted {len(answers)}, one an example")
        return np.fromiter((a == b for a, b in zip(answers, labels, strict=True)), bool)

    def _vote_costs_too_much(self, n_rows: int, share: int = 8) -> bool:
        """Whether a vote takes more than this part of the budget."""
        answer = self._frozen_now()
        return isinstance(answer, Votes) and answer.cost(n_rows) > readouts.VOTING_BUDGET // share

    def predict(self, X: Any) -> Labels:
        """Classes of the rows, shape (n_rows,)."""
        raise NotImplementedError

    @property
    def classes_(self) -> Labels:
        """The classes; a score above 0 means the second of two. Of several labels, their names."""
        return self._classes.array

    @property
    def coef_(self) -> np.ndarray[Any, Any]:
        """Weights (n_outputs, n_columns) of the read-out that answers, computed when asked for.

        In the units of the rows given, whatever ``scale`` the learner saw (``scale="rows"``: of
        rows of unit length).
        """
        return self._weights_now().coef

    @property
    def intercept_(self) -> np.ndarray[Any, Any]:
        """Bias weight times bias_feature (n_outputs,); the threshold w0 is its negative."""
        return self._weights_now().intercept

    def _weights_now(self) -> scaling.Weights:
        answer = self._answer_now()
        learnt = scaling.Weights(answer[:-1].T, answer[-1] * self._bias)
        return learnt if self._fitted_scale is None else self._fitted_scale.weights(learnt)

    def _answer_or_votes(self) -> Any:
        answer = self._frozen_now()
        return answer if isinstance(answer, Votes) else self._answer_now()

    def _answer_now(self) -> Any:
        answer = self._frozen_weights()
        if answer is not None:
            return answer
        training = self._state
        return training.state.weights(*training.mixture(self._readout, self.averaging))

    def _frozen_weights(self) -> Any:
        """The frozen answer where it is weights; None after a stream."""
        answer = self._frozen_now()
        if isinstance(answer, Votes):
            raise InputError(
                f"{type(self).__name__}: a vote has no single weight vector; ask "
                "with_readout('averaged') or with_readout('last') for one"
            )
        return answer

    @property
    def _counted(self) -> Counts:
        self._classes  # noqa: B018
        if self._training is None:
            return self._counts
        return Counts(self._training.corrections, self._training.mistakes)

    @property
    def n_corrections_(self) -> int:
        """Corrections of the weights so far; also right answers that were too close cause them."""
        return self._counted.corrections

    @property
    def n_mistakes_(self) -> int:
        """Presentations so far with a margin of at most 0."""
        return self._counted.mistakes

    @property
    def n_i_(self) -> np.ndarray[Any, Any]:
        """How often each example of the fit was corrected, (n_rows,) or (n_rows, n_outputs).

        Kept for guards and rules that ask for it, until the model is saved.
        """
        return self._of_examples("n_i")

    @property
    def alpha_i_(self) -> np.ndarray[Any, Any]:
        """The sum of the ``tau`` of each example of the fit, shaped and kept like ``n_i_``."""
        return self._of_examples("alpha_i")

    def _of_examples(self, name: str) -> np.ndarray[Any, Any]:
        found = self._state.examples.get(name)
        if found is None:
            raise AttributeError(
                f"{name}_: nothing was kept of the single examples; fit with a guard that asks, "
                "for example guards.AlphaBound(alpha=10)"
            )
        counts: np.ndarray[Any, Any] = found[:, 0] if found.shape[1] == 1 else found
        return counts

    @property
    def n_iter_(self) -> int:
        """Epochs of the last fit."""
        self._classes  # noqa: B018
        return len(self._outcome.history)

    @property
    def stop_reason_(self) -> str:
        """Why the last fit ended, in the words of :mod:`hardlimit.learner`; or stream.

        ``separated`` is said of the last weights; another read-out may still err:
        ``n_training_errors_`` counts that.
        """
        self._classes  # noqa: B018
        return self._outcome.stop_reason

    @property
    def cycle_(self) -> Cycle | None:
        """The period where ``stop_reason_`` is ``cycling``: its epochs, and corrections in them.

        >>> from hardlimit import LinearClassifier
        >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]]
        >>> LinearClassifier(order="cyclic").fit(xor, [0, 1, 1, 0]).cycle_
        Cycle(epochs=1, corrections=4)
        """
        self._classes  # noqa: B018
        return self._outcome.cycle

    @property
    def bounds_(self) -> Bounds:
        """What the theorems promise of the last fit, beside what occurred.

        Made of what the fit learnt of its examples on its way; ``hardlimit.bounds.of(clf, X, y)``
        looks at them again and tells the rest.

        >>> from hardlimit import LinearClassifier
        >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
        >>> found = LinearClassifier(order="cyclic", readout="last").fit(X, y).bounds_
        >>> round(found["Novikoff"].value, 9), found["Novikoff"].count
        (9.0, 3)
        """
        self._classes  # noqa: B018
        from hardlimit.theory import bounds

        run = measuring.run_of(self)
        return bounds.evaluate(run, measuring.known_parts(self, run))

    @property
    def _scheme(self) -> str:
        """How the outputs learn: single, coupled or independent."""
        return str(self._classes.scheme(self._as_learnt().multiclass))

    def _last_lengths(self) -> Any:
        """``||w||`` of the last weights, a part each; None where they are not at hand."""
        if self._training is None:
            return None
        return np.sqrt(self._training.state.squared_lengths())

    def _vectors(self) -> dict[str, Any]:
        """The answers of all read-outs that are kept, single hypotheses by name."""
        found: dict[str, Any] = {}
        training = None if self._file is not None and not self._file.has_state else self._state
        for name in dict.fromkeys(["last", "averaged", *(training.kept if training else ())]):
            if training is not None and training.remembers(name) and name != "voted":
                found[name] = training.answer(name, self.averaging, False)
        if training is None and measuring.is_vector(self._answer_or_votes()):
            found[self._readout] = self._answer_now()
        return found

    @property
    def history_(self) -> list[EpochRecord]:
        """What each epoch of the last fit did: see :class:`~hardlimit.learner.EpochRecord`."""
        self._classes  # noqa: B018
        return self._outcome.history

    @property
    def n_training_errors_(self) -> int | None:
        """Training examples that the read-out of the fit gets wrong; None for another read-out."""
        self._classes  # noqa: B018
        return self._training_errors.get(self._readout)

    def __sklearn_is_fitted__(self) -> bool:
        return self._book is not None

    def __sklearn_tags__(self) -> Any:
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
