"""What a kind of targets is: how an example says what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.many_labels import ManyLabels
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.foundation import types
from hardlimit.foundation.types import Array, SampleWeight

if TYPE_CHECKING:
    from hardlimit.evaluation import Goal
    from hardlimit.readers import Spellings
    from hardlimit.streaming.blocks import Block

L = TypeVar("L")
# All labels of a fit: one an example, or the targets of several neurons.
Labels = list[Any] | ManyLabels
# What was counted of the labels of some examples; counts of other examples are added by update.
Counts = Counter[Any]
Weighted = tuple[Array, Array | None]


class Encoded(NamedTuple):
    """Labels as class numbers (int32), and weights or None, with the book of the classes."""

    book: LabelBook
    targets: Array
    weights: Array | None

    @property
    def present(self) -> Array | None:
        """The rows that are there (int64); None: all of them."""
        if self.weights is None or self.weights.all():
            return None
        # Weight 0 means absent: such rows are never presented, and count nowhere.
        return np.flatnonzero(self.weights)

    @property
    def absent(self) -> Array | None:
        """Whether each row is not there; None: all of them are."""
        return None if self.weights is None or self.weights.all() else self.weights == 0

    @property
    def n_present(self) -> int:
        """How many rows are there."""
        present = self.present
        return len(self.targets) if present is None else len(present)

    @property
    def weighted(self) -> bool:
        """Whether any example weighs other than 0 and 1."""
        weights = self.weights
        return weights is not None and not bool(((weights == 0) | (weights == 1)).all())


class Sides(NamedTuple):
    """Scores, and the examples that a threshold should put above it: see ``choose_threshold``.

    upwards : whether a larger score of the model is a larger one of these.
    """

    scores: Array
    truth: Array
    upwards: bool


class Encoder(Protocol):
    """Makes targets and weights of the labels of a stream, block by block.

    late : labels that came after the first rows, in the order of their first examples.
    weighted : whether an example weighed other than 0 and 1.
    """

    late: list[Hashable]
    weighted: bool

    def encode(self, training: Training, block: Block) -> Weighted:
        """Return the targets (int32) and the weights of a block, or None where all are 1."""

    def warn(self, book: LabelBook) -> None:
        """Warn at the end of what the labels make useless."""


class Targets(Protocol[L]):
    """A kind of targets.

    The labels of examples that are read part by part are a list of items, one an example: its
    label, the tuple of its labels, or the tuple of its values. All labels of a fit, which are of
    the type ``L``, are one of :data:`Labels`.
    """

    # Items, read part by part.

    def read(self, n_rows: int, y: types.Targets, rows_name: str) -> list[Any]:
        """Return the items of some examples."""

    def settled(self, items: Sequence[Any]) -> Self:
        """Return targets that know what the labels of files of numbers are, by all of them."""

    def folded(self, spellings: Spellings) -> Self:
        """Return targets that make labels one that differ only in case or blanks."""

    def plain(self, items: list[Any]) -> list[Any]:
        """Return items as they are learnt, of items as they stand in files."""

    def count(self, items: Sequence[Any]) -> Counts:
        """Count the labels of some examples; pure, and counts can be added."""

    def plain_counts(self, counts: Counts) -> Counts:
        """Return the counts of labels as they are learnt, of labels as they stand in files."""

    def n_rows(self, counts: Counts) -> int:
        """Return the number of examples that were counted."""

    def require(self, counts: Counts, where: str) -> None:
        """Refuse examples of which none has a label."""

    def open_book(
        self,
        choices: Choices,
        head: Sequence[Any],
        counts: Counts | None = None,
        named: object = None,
        *,
        whole: bool = False,
    ) -> LabelBook:
        """Return the classes at the start: those named, those counted, or those of the head.

        head : items of the first examples; ``whole``: of all.
        """

    def rows_of_each(self, counts: Counts, book: LabelBook | None = None) -> Counts:
        """Return the examples of each label of the book; of all that were counted without one."""

    def n_learnt(self, counts: Counts, book: LabelBook) -> int:
        """Return the number of examples that are learnt."""

    def warn_of_counts(self, counts: Counts, book: LabelBook) -> None:
        """Warn of what the labels make useless, by what was counted."""

    def encoder(self, choices: Choices, counts: Counts | None) -> Encoder:
        """Return what makes targets of a stream."""

    def encode(
        self,
        book: LabelBook,
        items: list[Any],
        rule: rules.Rule,
        class_weight: Mapping[Any, float] | None,
    ) -> Weighted:
        """Return the targets (int32) of examples whose labels were all counted, and weights."""

    def split(
        self, digests: Sequence[bytes], items: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Return the rows to learn from and those held out: of each label its part.

        digests : of :func:`~hardlimit.evaluation.holdout.row_digest`; equal rows stay together.
        """

    def known(self, items: list[Any], book: LabelBook) -> L:
        """Return all labels of a fit, of items whose labels the book knows."""

    # All labels of a fit.

    def read_all(
        self,
        n_rows: int,
        y: types.Targets,
        book: LabelBook | None,
        classes: object,
        rows_name: str,
    ) -> L:
        """Return all labels, by the book of a model or by the classes that are named."""

    def check(
        self, choices: Choices, labels: L | WholeNumbers, sample_weight: SampleWeight
    ) -> Encoded:
        """Check labels and weights of a fit, before anything of an old model is touched."""

    def check_validation(self, y: types.Targets, book: LabelBook) -> None:
        """Refuse labels to validate with that the model does not know."""

    def begin_book(self, choices: Choices, labels: L, classes: object) -> LabelBook:
        """Return the classes of a stream of which this is the first batch."""

    def warn(self, labels: L | WholeNumbers, present: Array | None) -> None:
        """Warn of labels that tell nothing, of the rows that are there."""

    def take(self, labels: L, rows: Array) -> L:
        """Return the labels of some examples."""

    def deal(self, labels: L, folds: int, keys: Sequence[Hashable] | None) -> Array:
        """Return the fold of each example, every label with its share; -1: always learnt."""

    def smallest(self, labels: L) -> int:
        """Return how many examples the rarest label has."""

    def describe_few(self, labels: L) -> tuple[str, str]:
        """Say what was given and wanted, where no example can be held out."""

    def codes(self, labels: L, book: LabelBook, rows: Sequence[int] | Array) -> Array:
        """Return the class numbers of some examples, or the truth of their labels."""

    def are_right(self, answers: Array, y: types.Targets, book: LabelBook) -> Array:
        """Return whether each answer is right, in every label."""

    def sides(
        self, book: LabelBook, scores: Array, y: types.Targets, goal: Goal, positive: Hashable
    ) -> Sides:
        """Return what a threshold is chosen by; refuse a goal that it cannot have."""

    def accuracy(self, labels: L, answers: Sequence[Any]) -> float:
        """Return the share of examples whose answer is right in every label."""

    def micro_f1(self, labels: L, answers: Sequence[Any]) -> float:
        """Return the F1 of all labels together; of one label an example that is the accuracy."""

    def macro_f1(self, labels: L, answers: Sequence[Any]) -> float:
        """Return the mean F1 of the labels, each counted once."""
