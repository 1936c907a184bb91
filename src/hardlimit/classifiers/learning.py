"""How a classifier learns: from all examples at once, or from a stream."""

from __future__ import annotations

import secrets
import warnings
from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native, keep, orders, rules
from hardlimit.classifiers.base import LinearModel
from hardlimit.classifiers.example_weights import example_weights
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


class LearningModel(LinearModel):
    """Fit and stream, on rows that were checked and labels that are plain."""

    def _check_parameters(self) -> Any:
        """The rule as an object; everything else in range."""
        keep.check(self.keep, self.readout, self.averaging)
        if not np.isfinite(self.bias_feature) or self.bias_feature == 0:
            raise InputError(
                f"bias_feature: got {self.bias_feature!r}, wanted a finite number other than 0; "
                "to learn through the origin set fit_intercept=False"
            )
        if not (self.tol >= 0):
            raise InputError(f"tol: got {self.tol!r}, wanted a number >= 0")
        return rules.resolve(self.rule)

    def _plan(self, callback: Any) -> Plan:
        seed = self.random_state
        if seed is None:
            seed = secrets.randbits(63)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"random_state: got {seed!r}, wanted an int >= 0, or None for chance")
        return Plan(orders.resolve(self.order), self.until, self.max_iter, int(seed), callback)

    def _new_training(self, rule: Any, book: LabelBook, n_columns: int) -> Training:
        averaged = "averaged" in keep.check(self.keep, self.readout, self.averaging)
        self._outcome, self._training_errors = Outcome(), {}
        self._book = book
        self._training = Training(rule, self.multiclass, book, n_columns, averaged)
        return self._training

    def _examples(self, rule: Any, labels: Any, sample_weight: Any) -> Examples:
        """Check labels and weights of a fit, before anything of the old model is touched."""
        book = sorted_book(labels)
        if len(book) < 2:
            raise InputError(
                f"labels: got {len(book)} class ({', '.join(map(repr, book.numbers))}), wanted at "
                "least two; a stream whose second class comes later starts with partial_fit"
            )
        targets = book.codes(labels)
        weights = example_weights(rule, sample_weight, self.class_weight, targets, book)
        return Examples(book, targets, weights)

    def _learn(self, rule: Any, rows: _native.Rows, examples: Examples, plan: Plan) -> None:
        """Learn from zero; what was learnt stays when the user interrupts."""
        training = self._new_training(rule, examples.book, rows.n_columns)
        self._threshold = 0.0
        try:
            training.fit(rows, examples.targets, examples.weights, plan, self.tol, self._outcome)
        finally:
            self._freeze()
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

    def _begin(self, n_columns: int, labels: Any, classes: Any) -> None:
        rule = self._check_parameters()
        if classes is not None:
            book = LabelBook(as_list(classes))
        else:
            book = sorted_book(labels) if self.multiclass == "ovr" else LabelBook(labels[:1])
        self._new_training(rule, book, n_columns)
        self._outcome.stop_reason = "stream"

    def _stream_rows(self, rows: _native.Rows, labels: Any, sample_weight: Any) -> None:
        """Present each row once, in order; from now on the current state answers."""
        training = self._state
        training.check_labels(labels)
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = self._stream_weights(training, labels, sample_weight)
        training.stream(rows, labels, weights)
        self._answer = None
        self._training_errors = {}

    def _stream_weights(self, training: Training, labels: Any, sample_weight: Any) -> Any:
        if isinstance(self.class_weight, str):
            raise InputError(
                "class_weight='balanced': partial_fit does not know the classes to come; pass the "
                "weights as a dict, or as sample_weight"
            )
        book = LabelBook(training.book.numbers)
        for label in labels:
            book.add(label)
        known = {k: v for k, v in (self.class_weight or {}).items() if k in book.numbers} or None
        return example_weights(training.rule, sample_weight, known, book.codes(labels), book)


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
