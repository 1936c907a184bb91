"""What sets of labels and columns of labels share: a neuron for each label."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.model import many_labels
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook, example_weights
from hardlimit.classifiers.model.many_labels import ManyBook, ManyLabels
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.classifiers.targets._checks import (
    ROWS,
    mixed_batches,
    no_threshold,
    refuse_class_weight,
    require_length,
    require_rows,
)
from hardlimit.classifiers.targets._protocol import Counts, Encoded, Sides, Weighted
from hardlimit.foundation.types import Array, SampleWeight

if TYPE_CHECKING:
    from hardlimit.evaluation import Goal
    from hardlimit.evaluation.several_labels import LabelFigures
    from hardlimit.foundation.types import Targets
    from hardlimit.streaming.blocks import Block


class SeveralLabels:
    """Each example has several labels, of which each is learnt by itself."""

    def items_of(self, y: Targets) -> list[tuple[Any, ...]]:
        """Return the items of labels that are known to be of this kind."""
        raise NotImplementedError

    def known(self, items: Sequence[Any], book: LabelBook) -> ManyLabels:
        """Return the targets of examples whose labels the book knows."""
        raise NotImplementedError

    def rows_of_each(self, counts: Counts, book: LabelBook | None = None) -> Counts:
        """Return the examples that have each label."""
        raise NotImplementedError

    def figures(self, labels: ManyLabels, answers: Sequence[Any]) -> LabelFigures:
        """Compare answers with labels."""
        raise NotImplementedError

    def read(self, n_rows: int, y: Targets, rows_name: str) -> list[tuple[Any, ...]]:
        """Return a tuple an example."""
        require_rows(n_rows, rows_name)
        if not many_labels.is_many(y):
            raise mixed_batches("one label an example", "several, as in the first batch")
        items = self.items_of(y)
        require_length(len(items), n_rows, rows_name)
        return items

    def n_rows(self, counts: Counts) -> int:
        """Return the number of examples, which is counted beside their labels."""
        return counts[ROWS]

    def n_learnt(self, counts: Counts, book: LabelBook) -> int:
        """Return the number of examples: none weighs 0."""
        return self.n_rows(counts)

    def warn_of_counts(self, counts: Counts, book: LabelBook) -> None:
        """Warn of labels that all examples have, or none."""
        each, n_rows = self.rows_of_each(counts, book), self.n_rows(counts)
        found = np.array([each[label] for label in book.numbers])
        _warn_of_constants(book, found > 0, found == n_rows)

    def encode(
        self,
        book: LabelBook,
        items: list[Any],
        rule: rules.Rule,
        class_weight: Mapping[Any, float] | None,
    ) -> Weighted:
        """Return the targets of neurons, (n, M), or (n,) of a single one."""
        return self.known(items, book).targets, None

    def encoder(self, choices: Choices, counts: Counts | None) -> NeuronEncoder:
        """Return what makes targets of a stream."""
        return NeuronEncoder(self)

    def read_all(
        self,
        n_rows: int,
        y: Targets,
        book: LabelBook | None,
        classes: object,
        rows_name: str,
    ) -> ManyLabels:
        """Return the targets of neurons, in the names of a book where one is known."""
        require_rows(n_rows, rows_name)
        labels = many_labels.read_targets(y, book if isinstance(book, ManyBook) else None, classes)
        require_length(len(labels), n_rows, rows_name)
        return labels

    def check(
        self, choices: Choices, labels: ManyLabels | WholeNumbers, sample_weight: SampleWeight
    ) -> Encoded:
        """Return the targets, and weights of examples."""
        assert isinstance(labels, ManyLabels)  # of these targets
        refuse_class_weight(choices)
        weights = example_weights(
            choices.rule, sample_weight, None, labels.targets, labels.book, ()
        )
        return Encoded(labels.book, labels.targets, weights)

    def check_validation(self, y: Targets, book: LabelBook) -> None:
        """Refuse labels and values that the model does not know."""
        assert isinstance(book, ManyBook)  # of these targets
        many_labels.read_targets(y, book)

    def begin_book(self, choices: Choices, labels: ManyLabels, classes: object) -> LabelBook:
        """Return the labels of the first batch, which says how many neurons there are."""
        return labels.book

    def warn(self, labels: ManyLabels | WholeNumbers, present: Array | None) -> None:
        """Warn of labels on which all examples agree."""
        assert isinstance(labels, ManyLabels)  # of these targets
        labels.warn_of_constants(present)

    def take(self, labels: ManyLabels, rows: Array) -> ManyLabels:
        """Return the targets of some examples."""
        return labels.take(rows)

    def deal(self, labels: ManyLabels, folds: int, keys: Sequence[Hashable] | None) -> Array:
        """Deal examples so that every label has its share of each fold."""
        from hardlimit.evaluation.calibration import deal_label_folds  # start-up: few deal folds

        return deal_label_folds(labels.truth, folds, keys)

    def smallest(self, labels: ManyLabels) -> int:
        """Return how many examples the rarest label has."""
        return int(np.count_nonzero(labels.truth, axis=0).min())

    def describe_few(self, labels: object) -> tuple[str, str]:
        """Say that there is one example."""
        return "one example", "two at least"

    def codes(self, labels: ManyLabels, book: LabelBook, rows: Sequence[int] | Array) -> Array:
        """Return the truth of the labels of some examples."""
        truth: Array = labels.truth[rows]
        return truth

    def are_right(self, answers: Array, y: Targets, book: LabelBook) -> Array:
        """Return whether all labels of each example are right."""
        labels = self.read_all(len(answers), y, book, None, "X")
        same: Array = labels.book.name_targets(labels.truth) == answers
        return np.asarray(same.reshape(len(answers), -1).all(axis=1))

    def sides(
        self, book: LabelBook, scores: Array, y: Targets, goal: Goal, positive: Hashable
    ) -> Sides:
        """Return which labels each example has."""
        if goal.max_false_positive is not None or positive is not None:
            name = "positive" if goal.max_false_positive is None else "max_false_positive"
            raise no_threshold(name, "several labels a row")
        return Sides(scores, self.read_all(len(scores), y, book, None, "X").truth, True)

    def accuracy(self, labels: ManyLabels, answers: Sequence[Any]) -> float:
        """Return the share of examples whose labels are all right."""
        return self.figures(labels, answers).exact_match

    def micro_f1(self, labels: ManyLabels, answers: Sequence[Any]) -> float:
        """Return the F1 of all labels together."""
        return self.figures(labels, answers).micro_f1

    def macro_f1(self, labels: ManyLabels, answers: Sequence[Any]) -> float:
        """Return the mean F1 of the labels."""
        return self.figures(labels, answers).macro_f1


class NeuronEncoder:
    """Makes targets (n, M) and weights of the labels of a stream."""

    def __init__(self, targets: SeveralLabels) -> None:
        self._targets = targets
        self.late: list[Hashable] = []
        self.weighted = False
        self._ever: Array | None = None
        self._always: Array | None = None

    def learnable(self, book: LabelBook, items: Sequence[Any]) -> Sequence[Any]:
        """Return the items without what cannot be learnt any more."""
        return items

    def encode(self, training: Training, block: Block) -> Weighted:
        """Return the targets (int32) and the weights of a block, or None where all are 1."""
        book = training.book
        found = self._targets.known(self.learnable(book, block.labels), book)
        self._look(found.truth)
        targets = found.targets
        weights = example_weights(training.rule, block.weights, None, targets, book, ())
        if weights is not None and not self.weighted:
            self.weighted = not bool((weights == 1).all())
        training.check_weights(weights)
        return targets, weights

    def _look(self, truth: Array) -> None:
        ever, always = np.asarray(truth.any(axis=0)), np.asarray(truth.all(axis=0))
        self._ever = ever if self._ever is None else self._ever | ever
        self._always = always if self._always is None else self._always & always

    def warn(self, book: LabelBook) -> None:
        """Say which neurons have never seen the other answer."""
        if self._ever is not None and self._always is not None:
            _warn_of_constants(book, self._ever, self._always)


def _warn_of_constants(book: LabelBook, ever: Array, always: Array) -> None:
    """Warn of labels that no example has ever, or that all have always."""
    assert isinstance(book, ManyBook)  # of several labels
    ManyLabels(book, np.stack([ever, always])).warn_of_constants(None)
