"""How a classifier learns: from all examples at once, or from a stream."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native, guards, orders, readouts, scaling, schedules
from hardlimit.classifiers import measuring, together
from hardlimit.classifiers.balancing import ClassCounts
from hardlimit.classifiers.base import LinearModel
from hardlimit.classifiers.example_weights import (
    check_class_weight,
    check_weighed,
    example_weights,
    present_labels,
)
from hardlimit.classifiers.labels import LabelBook, as_list, sorted_book
from hardlimit.classifiers.many_labels import ManyLabels
from hardlimit.classifiers.model.choices import Default
from hardlimit.classifiers.training import Method, Training, new_examples
from hardlimit.engine import sqnorms
from hardlimit.exceptions import (
    ConvergenceWarning,
    HardlimitWarning,
    InputError,
    KindError,
    abbreviate,
)
from hardlimit.foundation.parameters import as_float, resolve_seed
from hardlimit.foundation.stacklevel import caller_stacklevel
from hardlimit.learner import Outcome, Plan, check_skip

UNREACHED = {
    "max_iter": " in max_iter={n} epochs ({wrong} mistakes in the last); the examples may not be "
    "separable, or need more epochs",
    "settled": ": settled after {n} epochs with {wrong} mistakes, since no example is left that "
    "could be corrected",
    "stalled": ": stalled after {n} epochs with {wrong} examples wrong, whose corrections cancel "
    "each other; the order 'shuffled' moves on",
    "cycling": ": cycling after {n} epochs, with period {period} ({corrections} corrections), "
    "which proves that the examples are not separable ({wrong} mistakes in the last); use a kernel "
    "or a map, or readout='averaged'",
}


class Examples(NamedTuple):
    """Labels as class numbers (int32), and weights or None, with the book of the classes."""

    book: LabelBook
    targets: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any] | None

    @property
    def present(self) -> np.ndarray[Any, Any] | None:
        """The rows that are there (int64); None: all of them."""
        if self.weights is None or self.weights.all():
            return None
        return np.flatnonzero(self.weights)


class Stream(NamedTuple):
    """Plain labels of a batch, weights or None, and the classes seen after it where they count."""

    labels: Any
    weights: np.ndarray[Any, Any] | None
    class_counts: ClassCounts | None = None


class LearningModel(LinearModel):
    """Fit and stream, on rows that were checked and labels that are plain."""

    def _check_parameters(self) -> Method:
        """What corrects, as objects; everything else in range and fit to go with it."""
        self._check_settings()
        method = self._method
        together.check(method, orders.resolve(self.order))
        self._kept  # noqa: B018
        return method

    def _check_settings(self) -> None:
        """Everything but the rule: a model predicts without its rule's class."""
        orders.resolve(self.order)
        schedules.resolve(self.schedule)
        guards.resolve(self.guard)
        scaling.resolve(self.scale)
        check_skip(self.skip)
        readouts.check(self.keep, self._readout, self.averaging)
        check_class_weight(self.class_weight)
        if not 0 < abs(as_float(self.bias_feature)) < math.inf:
            raise InputError(
                f"bias_feature: got {abbreviate(self.bias_feature)}, wanted a finite number "
                "other than "
                "0; to learn through the origin set fit_intercept=False"
            )
        if not 0 <= as_float(self.tol) < math.inf:
            raise InputError(f"tol: got {abbreviate(self.tol)}, wanted a number >= 0, finite")

    def _plan(self, callback: Any) -> Plan:
        if callback is not None and not callable(callback):
            raise KindError(
                f"callback: got {callback!r}, wanted a function of an EpochRecord, or None"
            )
        epochs = as_float(self.max_iter)
        if not epochs.is_integer():
            raise InputError(f"max_iter: got {abbreviate(self.max_iter)}, wanted a whole number")
        order = orders.resolve(self.order)
        combine = together.combination(self._method, order)
        seed = resolve_seed(self.random_state)
        return Plan(order, self.until, int(self.max_iter), seed, callback, combine, skip=self.skip)

    def _new_training(self, method: Method, book: LabelBook, n_columns: int) -> Training:
        averaged = "averaged" in self._kept
        return Training(method, self.multiclass, book, n_columns, averaged, self._given_bias)

    def _adopt(self, training: Training, outcome: Outcome, answer: Any, more: Any) -> None:
        """Take the place of the old model, all at once."""
        self.__dict__ |= {
            "_training": training,
            "_book": training.book,
            "_outcome": outcome,
            "_training_errors": {},
            "_answer": answer,
            "_version": training.version,
            "_threshold": 0.0,
            "_learnt_with": self.get_params(deep=False),
            "_fitted_bias": self._given_bias,
            "_fitted_scale": None,
            "_file": None,
            "_facts": None,
        } | more

    def _examples(self, method: Method, labels: Any, sample_weight: Any) -> Examples:
        """Check labels and weights of a fit, before anything of the old model is touched."""
        if isinstance(labels, ManyLabels):
            return self._many_examples(method, labels, sample_weight)
        present = present_labels(labels, sample_weight, self.class_weight)
        if not present:
            raise InputError(
                "sample_weight, class_weight: every example has the weight 0 and is absent; wanted "
                "examples of at least two classes"
            )
        book = sorted_book(present)
        if len(book) < 2:
            raise InputError(
                f"labels: got {len(book)} class ({', '.join(map(repr, book.numbers))}), wanted at "
                "least two; a stream whose second class comes later starts with partial_fit"
            )
        if len(present) == len(labels):
            targets = book.codes(labels)
        else:  # absent examples have a weight of 0 and any target
            targets = np.array([book.numbers.get(label, 0) for label in labels], np.int32)
        weights = example_weights(
            method.rule, sample_weight, self.class_weight, targets, book, labels
        )
        return Examples(book, targets, weights)

    def _many_examples(self, method: Method, labels: ManyLabels, sample_weight: Any) -> Examples:
        self._refuse_class_weight()
        weights = example_weights(method.rule, sample_weight, None, labels.targets, labels.book, ())
        return Examples(labels.book, labels.targets, weights)

    def _refuse_class_weight(self) -> None:
        if self.class_weight is not None:
            raise InputError(
                f"class_weight: got {self.class_weight!r} with several labels an example, wanted "
                "None: each neuron has classes of its own; use sample_weight, or a fit a label"
            )

    def _learn(
        self, method: Method, rows: _native.Rows, examples: Examples, plan: Plan, **more: Any
    ) -> None:
        """Learn from zero; what was learnt stays when the user interrupts."""
        training = self._new_training(method, examples.book, rows.n_columns)
        outcome = Outcome(weighted=measuring.is_weighed(examples.weights))
        training.check_rows(rows)
        training.check_weights(examples.weights)
        round_ = new_examples(rows, examples.targets, examples.weights, self.tol)
        quadratic = getattr(method.rule, "quadratic", False)
        if plan.combine == "sum" and plan.order.loop == "batch" and quadratic:
            largest = training.state.largest_eigenvalue(round_)
            together.check_sum(method.rule, method.schedule, largest)
            training.bound_steps(2 / largest if largest > 0 else math.inf)
        if self._balanced:
            training.class_counts = ClassCounts.of(
                list(examples.book.numbers), examples.targets, examples.weights
            )
        training.watch(self._kept, plan.seed)
        try:
            training.fit(round_, plan, outcome)
        finally:
            if training.state.presentations:
                answer = self._frozen_answer(training, self._readout)
                facts = measuring.facts_of(sqnorms(rows, self._given_bias), examples)
                self._adopt(training, outcome, answer, more | {"_facts": facts})
        self._count_errors(rows, examples)
        self._warn_unreached()

    def _count_errors(self, rows: Any, examples: Examples) -> None:
        if self._readout == "voted" and self._vote_costs_too_much(rows.n_rows):
            return
        scores = self._row_scores(rows)
        if self._readout == "voted":  # signs, which are finite whatever the scores were
            self._check_overflow(np.isfinite(self._last_numbers(rows)).all())
        wrong = examples.book.wrong(scores, self._threshold, examples.targets)
        if examples.weights is not None:
            wrong &= examples.weights > 0
        self._training_errors[self._readout] = int(np.count_nonzero(wrong))
        if self._facts is not None and self._readout != "voted":
            norms = self._norms_of(self._answer, scores)
            measuring.note_least(self._facts, self._readout, scores, examples, norms, self._scheme)

    def _norms_of(self, answer: Any, scores: Any) -> Any:
        """``||w||`` of each part of an answer, which gave these scores of the fit's examples."""
        return measuring.norms_of(answer, self._scheme)

    def _last_numbers(self, rows: Any) -> Any:
        """What shows whether the last of all hypotheses overflowed: its scores."""
        return self._state.state.scores(rows, 1, 0, 1)

    def _warn_unreached(self) -> None:
        asked = self.until is not None and not isinstance(self.until, Default)
        if not asked or self._outcome.stop_reason in ("separated", "margin_reached"):
            return
        history = self._outcome.history
        period, corrections = self._outcome.cycle or (0, 0)
        why = UNREACHED[self._outcome.stop_reason].format(
            n=len(history), wrong=history[-1].mistakes, period=period, corrections=corrections
        )
        warnings.warn(
            f"{type(self).__name__}: until={self.until!r} was not reached{why}",
            ConvergenceWarning,
            stacklevel=caller_stacklevel(),
        )

    def _validate(self, validation: Any) -> None:
        if validation is None:
            return
        X, y = validation
        known = self._classes.numbers
        if not any(label in known for label in as_list(y)):
            raise InputError(
                f"validation: got labels such as {as_list(y)[:1]!r}, none of which is one of the "
                f"classes {', '.join(map(repr, known))}; the fit itself is done"
            )
        self.validation_scores_ = {
            name: self.with_readout(name)._score_or_none(X, y) for name in self._kept
        }

    def _score_or_none(self, X: Any, y: Any) -> float | None:
        """The accuracy; None of a vote beyond the budget."""
        if self._vote_costs_too_much(len(as_list(y)), share=1):
            return None
        return self.score(X, y)

    def _begin(self, n_columns: int, labels: Any, classes: Any) -> Training:
        method = self._check_parameters()
        book: LabelBook
        if isinstance(labels, ManyLabels):
            book = labels.book
        elif classes is not None:
            book = LabelBook(as_list(classes))
        else:
            book = sorted_book(labels) if self.multiclass == "ovr" else LabelBook(labels[:1])
        return self._new_training(method, book, n_columns)

    def _stream_rows(self, training: Training, rows: Any, examples: Stream, **more: Any) -> None:
        """Present each row once, in order; from now on the current state answers."""
        training.check_rows(rows)
        training.check_weights(examples.weights)
        if self._training is not training:
            self._adopt(training, Outcome("stream"), None, more)
        if training.book.many:
            training.stream_many(rows, examples.labels.targets, examples.weights)
        else:
            training.stream(rows, examples.labels, examples.weights)
        if examples.class_counts is not None:
            training.class_counts = examples.class_counts
        self._training_errors = {}

    def _stream(self, training: Training, labels: Any, sample_weight: Any) -> Stream:
        """Check labels and weights of a batch, before anything is learnt from it."""
        if training.streams_as != (self.readout, self.order):
            self._check_streamable(training)
        if training.book.many:
            return self._many_stream(training, labels, sample_weight)
        if sample_weight is None and self.class_weight is None:
            training.check_labels(labels)
            return Stream(labels, None)
        weights = self._stream_weights(training, labels, sample_weight)
        present = labels
        if weights is not None:
            present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
        training.check_labels(present)
        if self._balanced:
            return Stream(labels, *training.class_counts.weighed(labels, weights))
        return Stream(labels, weights)

    @property
    def _balanced(self) -> bool:
        return isinstance(self.class_weight, str) and self.class_weight == "balanced"

    def _many_stream(self, training: Training, labels: Any, sample_weight: Any) -> Stream:
        self._refuse_class_weight()
        weights = example_weights(
            training.rule, sample_weight, None, labels.targets, training.book, ()
        )
        return Stream(labels, weights)

    def _check_streamable(self, training: Training) -> None:
        """Refuse a read-out that a stream cannot keep; say which ones of a fit are dropped."""
        together.check_streamed(training, orders.resolve(self.order))
        fresh = self._training is not training
        wanted = dict.fromkeys([*(self._kept if fresh else ()), self._readout])
        lost = [name for name in wanted if name not in readouts.STREAMED]
        if lost:
            raise InputError(
                f"partial_fit: a stream keeps {' and '.join(readouts.STREAMED)} only, and not "
                f"{', '.join(lost)}, which need a fit over known examples; learn with "
                f"keep={readouts.STREAMED!r}"
            )
        if training.kept:
            warnings.warn(
                f"partial_fit: of the fit, {', '.join(training.kept)} are dropped, since a stream "
                f"keeps {' and '.join(readouts.STREAMED)} only",
                HardlimitWarning,
                stacklevel=caller_stacklevel(),
            )
        training.streams_as = (self.readout, self.order)

    def _stream_weights(self, training: Training, labels: Any, sample_weight: Any) -> Any:
        check_class_weight(self.class_weight)
        if self._balanced:
            check_weighed(training.rule, "class_weight")
            return example_weights(training.rule, sample_weight, None, labels, training.book, ())
        training.book.check_kinds(labels)
        book = LabelBook(training.book.numbers)
        for label in labels:
            book.add(label)
        known = {k: v for k, v in (self.class_weight or {}).items() if k in book.numbers} or None
        codes = book.codes(labels)
        return example_weights(training.rule, sample_weight, known, codes, book, labels)


def checked_pair(validation: Any) -> Any:
    """Examples to validate with, as they were given: None, or a pair."""
    if validation is not None and (
        not isinstance(validation, tuple | list) or len(validation) != 2
    ):
        raise InputError(
            f"validation: got {type(validation).__name__}, wanted the pair (X, y) of examples that "
            "were not learnt from"
        )
    return validation


def labels_for(n_rows: int, y: Any, rows_name: str) -> list[Any]:
    """One plain label a row, or an error that says how many there should be."""
    require_rows(n_rows, rows_name)
    labels = as_list(y)
    require_length(len(labels), n_rows, rows_name)
    return labels


def require_rows(n_rows: int, rows_name: str) -> None:
    """Refuse an empty batch."""
    if n_rows == 0:
        raise InputError(f"{rows_name}: got nothing, wanted at least one example")


def require_length(n_labels: int, n_rows: int, rows_name: str) -> None:
    """Refuse labels that are not one for each row."""
    if n_labels != n_rows:
        raise InputError(
            f"labels: got {n_labels}, wanted {n_rows}, one for each example of {rows_name}"
        )
