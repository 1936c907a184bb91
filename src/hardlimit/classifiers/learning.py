"""How a classifier learns: from all examples at once, or from a stream."""

from __future__ import annotations

import numbers
import secrets
import warnings
from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native, keep, orders, rules
from hardlimit.classifiers.base import LinearModel
from hardlimit.classifiers.example_weights import example_weights, present_labels
from hardlimit.classifiers.labels import LabelBook, as_list, sorted_book
from hardlimit.classifiers.training import Training
from hardlimit.exceptions import ConvergenceWarning, InputError
from hardlimit.learner import Outcome, Plan


class Default(str):
    """A default that does what its text says, but was not asked for: not to reach it is no news."""

    __slots__ = ()


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

    def _check_parameters(self) -> Any:
        """The rule as an object; everything else in range."""
        self._check_settings()
        return rules.resolve(self.rule)

    def _check_settings(self) -> None:
        """Everything but the rule: a model predicts without its rule's class."""
        orders.resolve(self.order)
        keep.check(self.keep, self.readout, self.averaging)
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
        return Plan(orders.resolve(self.order), self.until, int(epochs), int(seed), callback)

    def _new_training(self, rule: Any, book: LabelBook, n_columns: int) -> Training:
        averaged = "averaged" in keep.check(self.keep, self.readout, self.averaging)
        return Training(rule, self.multiclass, book, n_columns, averaged, self._given_bias)

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

    def _examples(self, rule: Any, labels: Any, sample_weight: Any) -> Examples:
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
        weights = example_weights(rule, sample_weight, self.class_weight, targets, book, labels)
        return Examples(book, targets, weights)

    def _learn(
        self, rule: Any, rows: _native.Rows, examples: Examples, plan: Plan, **more: Any
    ) -> None:
        """Learn from zero; what was learnt stays when the user interrupts."""
        training, outcome = self._new_training(rule, examples.book, rows.n_columns), Outcome()
        try:
            training.fit(rows, examples.targets, examples.weights, plan, self.tol, outcome)
        finally:
            if training.state.presentations:
                self._adopt(training, outcome, self._frozen_answer(training), more)
        self._count_errors(rows, examples)
        self._warn_unreached()

    def _count_errors(self, rows: _native.Rows, examples: Examples) -> None:
        scores = self._row_scores(rows)
        self._check_overflow(np.isfinite(scores).all())
        wrong = self._class_numbers(scores) != examples.targets
        if examples.weights is not None:
            wrong &= examples.weights > 0
        self._training_errors[self.readout] = int(np.count_nonzero(wrong))

    def _warn_unreached(self) -> None:
        asked = self.until is not None and not isinstance(self.until, Default)
        if not asked or self._outcome.stop_reason != "max_iter":
            return
        warnings.warn(
            f"{type(self).__name__}: until={self.until!r} was not reached in "
            f"max_iter={self.max_iter} epochs ({self._outcome.history[-1].mistakes} mistakes in "
            "the last); the examples may not be separable, or need more epochs",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _validate(self, validation: tuple[Any, Any] | None) -> None:
        if validation is None:
            return
        X, y = validation
        kept = (self.keep,) if isinstance(self.keep, str) else self.keep
        self.validation_scores_ = {name: self.with_readout(name).score(X, y) for name in kept}

    def _begin(self, n_columns: int, labels: Any, classes: Any) -> Training:
        rule = self._check_parameters()
        if classes is not None:
            book = LabelBook(as_list(classes))
        else:
            book = sorted_book(labels) if self.multiclass == "ovr" else LabelBook(labels[:1])
        return self._new_training(rule, book, n_columns)

    def _stream_rows(self, training: Training, rows: Any, examples: Stream, **more: Any) -> None:
        """Present each row once, in order; from now on the current state answers."""
        training.check_rows(rows)
        if self._training is not training:
            self._adopt(training, Outcome("stream"), None, more)
        training.stream(rows, examples.labels, examples.weights)
        self._training_errors = {}

    def _stream(self, training: Training, labels: Any, sample_weight: Any) -> Stream:
        """Check labels and weights of a batch, before anything is learnt from it."""
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = self._stream_weights(training, labels, sample_weight)
        present = labels
        if weights is not None:
            present = [label for label, w in zip(labels, weights, strict=True) if w > 0]
        training.check_labels(present)
        return Stream(labels, weights)

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
