"""A fitted model: what answers, what training continues, and what was noticed on the way.

A classifier holds one :class:`Model` and nothing else that a fit made. A fit builds its model aside
and the classifier takes it by one assignment, so that a fit that is refused leaves the old one as
it was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, cast

import numpy as np

from hardlimit import readouts, scaling
from hardlimit.classifiers.model.answers import (
    LEAST_BLOCK,
    Answer,
    LiveWeights,
    Votes,
    Weights,
    row_blocks,
    score_blocks,
)
from hardlimit.classifiers.model.choices import Choices, resolve_readout
from hardlimit.classifiers.model.forms import POINTS_OF_KERNEL, ROW_OF_NUMBERS, NumbersForm
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.packed_weights import PackedWeights
from hardlimit.classifiers.model.parts import Calibration, Counts, Facts, Origin
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import ModelLock, Points, Reading, count_rows, rows_of, sparse_scores
from hardlimit.exceptions import Given, InputError, NotFittedError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.tables import Names, check_feature_names
from hardlimit.learner import FitOutcome

if TYPE_CHECKING:
    from hardlimit._native import Rows
    from hardlimit.classifiers.model.explanation import Explanation
    from hardlimit.evaluation.calibration import Slope
    from hardlimit.foundation.types import ArrayLike
    from hardlimit.maps import FeatureMap

Array = np.ndarray[Any, Any]

# Of a model without a training state: nothing of it can move.
STILL = contextlib.nullcontext()


class StoredTraining(Protocol):
    """Where the training state of a loaded model lies until it is asked for.

    lock : held by the one thread that reads it: of two states, one would be forgotten with all that
        it learnt.
    """

    lock: ModelLock

    @property
    def has_state(self) -> bool:
        """Whether there is one: a model may be saved without."""

    def restore(self, model: Model) -> Training:
        """Read it, for this model."""


@dataclass(eq=False)
class Model:
    """What a fit or a stream made.

    classes : shared with the training state, to which new classes may come.
    training : what ``partial_fit`` continues; None of a file until it is asked for, or for ever
        where it was saved without. Copies and read-outs of one fit share it.
    frozen : the answer of the fit; None once a stream has moved the weights.
    version : of the training state when the answer was frozen. Any of the models that share a state
        may stream it, and none of them tells the others: each compares this number when asked.
    counts : of a file that has no training state to ask.
    training_errors : mistakes on the examples of the fit, by read-out.
    stored : the file that holds the training state.
    origin : the file of a loaded model, shared by all its read-outs; a pickle has none.
    estimator : class and parameters of the estimator around it, as plain JSON; None without.
    map : of rows of numbers, fitted to their columns; what is learnt from comes out of it.
    feature_names : of the columns of the fit or of the first rows of a stream; None without.
    calibration : what makes probabilities of scores; None without.
    """

    codec: ClassVar[str] = "linear"  # the module in ``files`` that writes it

    choices: Choices
    classes: LabelBook
    outcome: FitOutcome
    training: Training | None = None
    frozen: Answer | None = None
    version: int = 0
    scale: scaling.Scale | None = None
    facts: Facts | None = None
    counts: Counts | None = None
    threshold: float = 0.0
    training_errors: dict[str, int] = field(default_factory=dict)
    validation_scores: dict[str, float | None] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    stored: StoredTraining | None = None
    origin: Origin | None = None
    feature_names: Names | None = None
    calibration: Calibration | None = None
    map: FeatureMap | None = None
    estimator: dict[str, Any] | None = None

    @property
    def form(self) -> NumbersForm:
        """What an example is, and what is done with it."""
        return ROW_OF_NUMBERS if self.choices.kernel is None else POINTS_OF_KERNEL

    @property
    def meets_terms(self) -> bool:
        """Whether what a new example adds depends on those behind it, so that all are looked at."""
        return False

    @property
    def state(self) -> Training:
        """What training continues; a model saved without it can only predict."""
        # The file is read on first use: a process that only predicts never pays for it.
        training = self.training or self.restore()
        if training is None:
            raise NotFittedError(
                "this model was saved without its training state and can only predict",
                fix="save it with training_state=True",
                topic="no-training-state",
            )
        return training

    def restore(self) -> Training | None:
        """Read the training state from the file, where it has one; return it."""
        stored = self.stored
        # Asked before the lock, which a model that was just fitted need not take.
        if stored is None or not stored.has_state:
            return self.training
        with stored.lock:
            # Another thread may have been faster while this one waited.
            if self.training is None:
                self.training = stored.restore(self)
        return self.training

    @property
    def reading(self) -> Reading | contextlib.nullcontext[None]:
        """What is held by whoever wants several things of one moment of the stream.

        ::

            with model.reading: ...
        """
        training = self.training
        return STILL if training is None else training.reading

    @property
    def live(self) -> bool:
        """Whether the current state answers, since a stream moved it after the answer was made."""
        training = self.training
        # A state that nobody restored cannot have moved.
        return self.frozen is None or (training is not None and training.version != self.version)

    @property
    def slope(self) -> Slope | None:
        """What makes probabilities of scores; None without, and since a stream moved them."""
        calibration, training = self.calibration, self.training
        if calibration is None:
            return None
        of = calibration.version
        moved = training is not None and of is not None and training.version != of
        return None if moved else calibration.slope

    def calibrate(self, slope: Slope) -> None:
        """Make probabilities by this slope, until the weights move."""
        training = self.training
        self.calibration = Calibration(slope, 0 if training is None else training.version)

    @property
    def answer(self) -> Answer:
        """What answers now: the frozen answer, or the state itself after a stream."""
        frozen, training = self.frozen, self.training
        if frozen is not None:
            # Any model that shares the state may have streamed it; the version tells all of them.
            if training is None or training.version == self.version:
                return frozen
            self.frozen = None  # it will never answer again
        choices = self.choices
        return self.state.live_answer(choices.readout, choices.averaging)

    @property
    def votes(self) -> Votes | None:
        """The votes, where they answer."""
        answer = self.answer
        return answer if isinstance(answer, Votes) else None

    def freeze(self) -> None:
        """Fix the answer to what the read-out says now."""
        training = self.state
        with training.reading:
            self.frozen = freeze(training, self.choices)
            self.version = training.version

    @property
    def scheme(self) -> str:
        """How the outputs learn: single, coupled or independent."""
        return self.classes.scheme(self.choices.multiclass)

    @property
    def n_columns(self) -> int:
        """Columns of the rows that the model takes."""
        # The state is wider than a frozen answer where columns came since.
        if self.training is not None:
            return self.training.state.n_columns
        return self.answer.n_columns

    @property
    def counted(self) -> Counts:
        """Corrections and mistakes so far."""
        training = self.training
        if training is None:
            return self.counts or Counts(0, 0)
        with training.reading:
            return Counts(training.corrections, training.mistakes)

    def scores(self, rows: Any, answer: Answer | None = None) -> Array:
        """Scores (n_rows, n_outputs) of rows as the learner sees them, finite.

        answer : what was asked for already, so that a row at a time costs one question less.
        """
        scores = (self.answer if answer is None else answer).scores(rows)
        # A class chosen from NaN would be the first one, without a word.
        check_finite(np.isfinite(scores).all())
        return scores

    def repeatable_scores(self, rows: Any) -> Array:
        """Scores (n_rows, n_outputs) with the same bits on every machine, for what is stored.

        Only kernels have faster ones: by matrix products, whose bits depend on the processor.
        """
        scores: Array = getattr(self.answer, "repeatable_scores", self.answer.scores)(rows)
        check_finite(np.isfinite(scores).all())
        return scores

    def score_blocks(
        self, rows: object, answer: Answer | None = None
    ) -> Iterator[tuple[slice, Array]]:
        """Blocks of rows and their scores, finite, in bounded memory: see :meth:`scores`."""
        for block, scores in score_blocks(self.answer if answer is None else answer, rows):
            check_finite(np.isfinite(scores).all())
            yield block, scores

    # Examples as a user gives them: rows of numbers, where nothing else is said.

    def read_batch(self, X: object) -> tuple[Any, int]:
        """Return examples whose columns are those of the model, and how many; nothing is moved."""
        if self.feature_names is not None:
            check_feature_names(self.feature_names, X)
        if self.map is not None:
            X = self.map.transform(cast("ArrayLike", X))
        rows, training = rows_of(X, self.choices.bias), self.training
        # Not by `n_columns`: a call less for each row of a stream.
        wanted = self.n_columns if training is None else training.state.n_columns
        if rows.n_columns != wanted:
            raise InputError(
                parameter="X",
                got=Given(f"{plural(rows.n_columns, 'column')}"),
                wanted=f"{wanted}, as the model was fitted with",
            )
        return rows, rows.n_rows

    def rows_to_learn(self, batch: Any) -> Rows | Points:
        """Return the rows of a batch; make room for what is new in them."""
        rows: Rows = batch if self.scale is None else self.scale.rows(batch)
        return rows

    def read(self, X: object) -> Rows | Points:
        """Return examples as they are scored."""
        return self.rows_to_learn(self.read_batch(X)[0])

    def scores_of(self, X: object) -> Array:
        """Scores (n_rows, n_outputs) of examples, finite."""
        answer = self.answer
        # The fast path of sparse rows: one look at the numbers, without rows of the engine.
        if type(answer) is Weights and self.scale is None and self.map is None:
            scores = sparse_scores(X, self.choices.bias, answer.array)
            if scores is not None:
                return scores
        return self.scores(self.read(X), answer)

    def repeatable_scores_of(self, X: object) -> Array:
        """Scores (n_rows, n_outputs) of examples with the same bits on every machine."""
        return self.scores_of(X)

    def scores_and_known(self, X: object) -> tuple[Array, Iterable[int | None]]:
        """Scores of examples, and of how many features of each training saw, where it counts."""
        scores = self.scores_of(X)
        return scores, [None] * len(scores)

    def predict(self, X: object) -> Array:
        """The class of each example."""
        # The scores of all rows by all classes could be far larger than X.
        n_rows = count_rows(X)
        if n_rows > LEAST_BLOCK and len(row_blocks(self.answer, n_rows)) > 1:
            return self.decide(self.read(X))
        return self.classes.decide(self.scores_of(X), self.threshold)

    def explain(
        self,
        x: object,
        top: int | None,
        against: Hashable | None = None,
        label: Hashable | None = None,
    ) -> Explanation:
        """Why an example gets its class, and not its best rival or the class ``against``.

        Of several labels: why it gets the one named ``label``, or does not.
        """
        from hardlimit.classifiers.model.number_explanation import explain_row  # few processes do

        return explain_row(self, x, top, against, label)

    def explain_labels(self, x: object, top: int | None) -> dict[Hashable, Explanation]:
        """Why each of several labels is predicted or not."""
        from hardlimit.classifiers.model.number_explanation import explain_row_labels

        self.classes.require_several("explain_labels", "explain(x)")
        return explain_row_labels(self, x, top)

    def decide(self, rows: Any, answer: Answer | None = None) -> Array:
        """The class of each row, in bounded memory besides."""
        answer = self.answer if answer is None else answer
        # Nobody learns between two blocks of a state that moves.
        with self.reading if isinstance(answer, LiveWeights) else STILL:
            if 0 < rows.n_rows <= LEAST_BLOCK:  # a row by itself costs microseconds
                return self.classes.decide(self.scores(rows, answer), self.threshold)
            decided = [
                self.classes.decide(scores, self.threshold)
                for _, scores in self.score_blocks(rows, answer)
            ]
        if len(decided) == 1:
            return decided[0]
        return (
            np.concatenate(decided)
            if decided
            else self.classes.decide(np.empty((0, self.classes.n_outputs)), self.threshold)
        )

    def weights(self) -> Array:
        """Weights (n_columns + 1, n_outputs) of the read-out that answers, the bias's last."""
        return self.frozen_weights().weights()

    def frozen_weights(self, single_precision: bool = False) -> Weights | PackedWeights:
        """The weights that answer now, which no stream moves, however they lie in memory.

        single_precision : as files of texts hold them.
        """
        answer = self.answer
        if isinstance(answer, Votes):
            raise InputError(
                "a vote has no single weight vector",
                fix="ask with_readout('averaged') or with_readout('last') for one",
            )
        return answer.frozen(single_precision)

    def weights_as_given(self) -> scaling.UnscaledWeights:
        """Weights and intercepts in the units of the rows that the user gives."""
        weights = self.weights()
        learnt = scaling.UnscaledWeights(weights[:-1].T, weights[-1] * self.choices.bias)
        return learnt if self.scale is None else self.scale.weights(learnt)

    def vectors(self) -> dict[str, Answer]:
        """The answers of all read-outs that are kept and are single hypotheses, by name."""
        # Saved without its state: the one answer in the file is all there is.
        if self.stored is not None and not self.stored.has_state:
            return {} if self.votes is not None else {self.choices.readout: self.answer}
        training = self.state
        with training.reading:
            names = dict.fromkeys(["last", "averaged", *training.kept])
            return {
                name: training.answer(name, self.choices.averaging)
                for name in names
                if name != "voted" and training.remembers(name)
            }

    def count_of_examples(self, name: str) -> Array:
        """``n_i`` or ``alpha_i``: what became of each example of the fit."""
        counts: Array | None = self.state.examples.get(name)
        if counts is None:
            raise AttributeError(
                f"{name}_: nothing was kept of the single examples; fit(X, y, "
                "count_examples=True) does so, or a guard that asks"
            )
        return counts[:, 0] if counts.shape[1] == 1 else counts

    def with_readout(self, readout: str) -> Self:
        """Return a model of the same fit that answers by another read-out."""
        training, choices = self.state, self.choices
        readouts.check((readout,), readout, choices.averaging)
        if not training.remembers(readout):
            reason = readouts.reason_against(readout, choices.rule, choices.order.loop)
            raise InputError(
                "it was not kept" + (f", and does not go with {reason}" if reason else ""),
                who=f"with_readout({readout!r})",
                fix="" if reason else f"fit with keep={(readout,)!r}",
            )
        with training.reading:
            # A live model goes on live; of a fit the other read-out is frozen, too.
            live = self.live
            other = replace(self, choices=choices.answering_by(readout))
            if choices.readout != other.choices.readout:
                other.calibration = None  # scores of another length
            if not live:
                other.freeze()
        return other

    def answer_by(self, readout: str) -> None:
        """Answer by this read-out of the fit, although the default is another.

        What was given stays what it was, so that the next fit begins with the default again.
        """
        self.choices = replace(self.choices, readout=readout)
        self.frozen = (
            None  # let go of before the other is made: the answer of many classes is large
        )
        self.freeze()

    def follow(self, readout: str, averaging: str) -> None:
        """Answer by the read-out that is asked for now: of a stream it is no part of the fit."""
        given = self.choices.given
        # The same objects in nearly every call: no comparison of texts for each row.
        if readout is given["readout"] and averaging is given["averaging"]:
            return
        choices = self.choices
        answering = resolve_readout(readout, choices.rule, choices.budget, choices.mixture)
        self.choices = replace(
            self.choices,
            readout=answering,
            averaging=averaging,
            given={**given, "readout": readout, "averaging": averaging},
        )

    def __getstate__(self) -> dict[str, Any]:
        self.restore()  # a pickle or a copy goes where the file may not be
        kept = self.__dict__ | {"stored": None, "origin": None}
        # What a stream moves comes with the training state, all of one moment.
        return kept if self.training is None else kept | {"classes": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if self.training is None:
            return
        self.classes = self.training.book
        if self.live:  # a step came between the two: the errors are of other weights
            self.frozen, self.training_errors = None, {}

    def __copy__(self) -> Self:
        """Return another model on the same arrays and the same training state."""
        self.restore()
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__ | {"stored": None})
        return other


def freeze(training: Training, choices: Choices) -> Answer:
    """Return the answer of this read-out as it is now, which no stream moves."""
    answer = training.frozen_answer(choices.readout, choices.averaging)
    check_finite(training.state.finite)
    return answer


def check_finite(finite: bool | np.bool_) -> None:
    """Refuse weights or scores that are not finite any more."""
    if not finite:
        raise InputError("the weights or scores overflowed", fix="scale the columns of X")
