"""How a classifier learns: from all examples at once, or from a stream."""

from __future__ import annotations

import numbers
import secrets
import warnings
from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native, guards, keep, orders, schedules
from hardlimit.classifiers import together
from hardlimit.classifiers.base import Default, LinearModel
from hardlimit.classifiers.example_weights import example_weights, present_labels
from hardlimit.classifiers.labels import LabelBook, as_list, sorted_book
from hardlimit.classifiers.training import Method, Training, new_examples
from hardlimit.exceptions import ConvergenceWarning, InputError
from hardlimit.learner import Outcome, Plan

UNREACHED = {
    "max_iter": " in max_iter={n} epochs ({wrong} mistakes in the last); the examples may not be "
    "separable, or need more epochs",
    "settled": ": settled after {n} epochs with {wrong} mistakes, since no example is left that "
    "could be corrected",
    "stalled": ": stalled after {n} epochs with {wrong} examples wrong, whose corrections cancel "
    "each other; the order 'shuffled' moves on",
}


class Examples(NamedTuple):
    """Labels as class numbers (int32), and weights or None, with the book of the classes."""

    book: LabelBook
    targets: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any] | None


class Stream(NamedTuple):
    """Plain labels of a batch, and weights or None."""

    labels: list[Any]
    weights: np.ndarray[Any, Any] | None


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
        keep.check(self.keep, self._readout, self.averaging)
        if not is_number(self.bias_feature) or not np.isfinite(self.bias_feature * 1.0):
            raise InputError(f"bias_feature: got {self.bias_feature!r}, wanted a finite number")
        if self.bias_feature == 0:
            raise InputError(
                f"bias_feature: got {self.bias_feature!r}, wanted a finite number other than 0; "
                "to learn through the origin set fit_intercept=False"
            )
        if not is_number(self.tol) or not (self.tol >= 0):
            raise InputError(f"tol: got {self.tol!r}, wanted a number >= 0")

    def _plan(self, callback: Any) -> Plan:
        seed = self.random_state
        if seed is None:
            seed = secrets.randbits(63)
        whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
        if not whole or not 0 <= seed < 1 << 64:
            raise InputError(
                f"random_state: got {seed!r}, wanted an int >= 0 below 2**64, or None for chance"
            )
        epochs = self.max_iter
        if not is_number(epochs) or epochs != int(epochs):
            raise InputError(f"max_iter: got {epochs!r}, wanted a whole number")
        order = orders.resolve(self.order)
        combine = together.combination(self._method, order)
        return Plan(order, self.until, int(epochs), int(seed), callback, combine)

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
            "_fitted_bias": self._given_bias,
            "_file": None,
        } | more

    def _examples(self, method: Method, labels: Any, sample_weight: Any) -> Examples:
        """Check labels and weights of a fit, before anything of the old model is touched."""
        present = present_labels(labels, sample_weight, self.class_weight)
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

    def _learn(
        self, method: Method, rows: _native.Rows, examples: Examples, plan: Plan, **more: Any
    ) -> None:
        """Learn from zero; what was learnt stays when the user interrupts."""
        training, outcome = self._new_training(method, examples.book, rows.n_columns), Outcome()
        training.check_rows(rows)
        round_ = new_examples(rows, examples.targets, examples.weights, self.tol)
        if plan.combine == "sum" and plan.order.loop == "batch" and method.rule.quadratic:
            largest = training.state.largest_eigenvalue(round_)
            together.check_sum(method.rule, method.schedule, largest)
        training.watch(self._kept, plan.seed)
        try:
            training.fit(round_, plan, outcome)
        finally:
            if training.state.presentations:
                answer = self._frozen_answer(training, self._readout)
                self._adopt(training, outcome, answer, more)
        self._count_errors(rows, examples)
        self._warn_unreached()

    def _count_errors(self, rows: Any, examples: Examples) -> None:
        if self._readout == "voted" and self._vote_costs_too_much(rows.n_rows):
            return
        scores = self._row_scores(rows)
        self._check_overflow(np.isfinite(scores).all())
        wrong = self._class_numbers(scores) != examples.targets
        if examples.weights is not None:
            wrong &= examples.weights > 0
        self._training_errors[self._readout] = int(np.count_nonzero(wrong))

    def _warn_unreached(self) -> None:
        asked = self.until is not None and not isinstance(self.until, Default)
        if not asked or self._outcome.stop_reason in ("separated", "margin_reached"):
            return
        history = self._outcome.history
        why = UNREACHED[self._outcome.stop_reason].format(
            n=len(history), wrong=history[-1].mistakes
        )
        warnings.warn(
            f"{type(self).__name__}: until={self.until!r} was not reached{why}",
            ConvergenceWarning,
            stacklevel=4,
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
        if classes is not None:
            book = LabelBook(as_list(classes))
        else:
            book = sorted_book(labels) if self.multiclass == "ovr" else LabelBook(labels[:1])
        return self._new_training(method, book, n_columns)

    def _stream_rows(self, training: Training, rows: Any, examples: Stream, **more: Any) -> None:
        """Present each row once, in order; from now on the current state answers."""
        training.check_rows(rows)
        if self._training is not training:
            self._adopt(training, Outcome("stream"), None, more)
        training.stream(rows, examples.labels, examples.weights)
        self._training_errors = {}

    def _stream(self, training: Training, labels: Any, sample_weight: Any) -> Stream:
        """Check labels and weights of a batch, before anything is learnt from it."""
        self._check_streamable(training)
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = self._stream_weights(training, labels, sample_weight)
        present = labels
        if weights is not None:
            present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
        training.check_labels(present)
        return Stream(labels, weights)

    def _check_streamable(self, training: Training) -> None:
        kept = self._kept if self._training is None else training.kept
        wanted = dict.fromkeys([*kept, self._readout])
        lost = [name for name in wanted if name not in keep.STREAMED]
        if lost:
            raise InputError(
                f"partial_fit: a stream keeps {' and '.join(keep.STREAMED)} only, and not "
                f"{', '.join(lost)}, which need a fit over known examples; learn with "
                f"keep={keep.STREAMED!r}"
            )

    def _stream_weights(self, training: Training, labels: Any, sample_weight: Any) -> Any:
        if isinstance(self.class_weight, str):
            raise InputError(
                "class_weight='balanced': partial_fit does not know the classes to come; pass the "
                "weights as a dict, or as sample_weight"
            )
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


def is_number(value: Any) -> bool:
    """Whether a parameter is a real number."""
    return isinstance(value, numbers.Real)


def labels_for(n_rows: int, y: Any, rows_name: str) -> list[Any]:
    """One plain label a row, or an error that says how many there should be."""
    if n_rows == 0:
        raise InputError(f"{rows_name}: got nothing, wanted at least one example")
    labels = as_list(y)
    if len(labels) != n_rows:
        raise InputError(
            f"labels: got {len(labels)}, wanted {n_rows}, one for each example of {rows_name}"
        )
    return labels
