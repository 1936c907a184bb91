"""One label an example: its class."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import rules
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import (
    LabelBook,
    as_list,
    book_of_fit,
    check_weighed,
    example_weights,
    present_labels,
    refuse_continuous,
    sorted_book,
)
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.model.whole_numbers import WholeNumbers
from hardlimit.classifiers.targets._checks import (
    absent_classes,
    mixed_batches,
    no_threshold,
    require_length,
    require_rows,
)
from hardlimit.classifiers.targets._protocol import Counts, Encoded, Sides, Weighted
from hardlimit.classifiers.targets.spelled import TEXT, Spelled, convert_labels, kind_of_labels
from hardlimit.exceptions import DataWarning, Given, InputError, KindError, abbreviate
from hardlimit.foundation import types
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.types import Array, SampleWeight

if TYPE_CHECKING:
    from hardlimit.evaluation import Goal
    from hardlimit.foundation.types import Targets
    from hardlimit.readers import Spellings
    from hardlimit.streaming.blocks import Block

_FIX = "name all classes, classes=[...], or shuffle the rows"


def labels_for(n_rows: int, y: types.Targets, rows_name: str) -> list[Any]:
    """Return one plain label a row, or say how many there should be."""
    if n_rows == 0:
        require_rows(n_rows, rows_name)
    labels = as_list(y)
    if len(labels) != n_rows:
        require_length(len(labels), n_rows, rows_name)
    return labels


@dataclass(frozen=True)
class OneLabel:
    """Each example has one label.

    kind : what labels of files of numbers are, "text", "whole" or "number".    spellings : what
    makes labels one that differ only in case or blanks; None where none are made one.
    """

    kind: str = TEXT
    spellings: Spellings | None = None

    def read(self, n_rows: int, y: Targets, rows_name: str) -> list[Any]:
        """Return a label an example."""
        if is_many(y):
            raise mixed_batches("several labels an example", "one, as in the first batch")
        return labels_for(n_rows, y, rows_name)

    def settled(self, items: Sequence[Any]) -> OneLabel:
        """Return targets that know whether all labels are numbers."""
        return replace(self, kind=kind_of_labels(list(items)))

    def folded(self, spellings: Spellings) -> OneLabel:
        """Return targets that make labels one that differ only in their spelling."""
        return replace(self, spellings=spellings)

    def plain(self, items: list[Any]) -> list[Any]:
        """Return labels as the numbers or the words that they are."""
        items = convert_labels(items, self.kind)
        return items if self.spellings is None else self.spellings.names(items)

    def count(self, items: Sequence[Any]) -> Counts:
        """Count the examples of each label."""
        return Counter(items)

    def plain_counts(self, counts: Counts) -> Counts:
        """Return the examples of each label as it is learnt."""
        found: Counts = Counter()
        for label, n in zip(self.plain(list(counts)), counts.values(), strict=True):
            found[label] += n
        return found

    def n_rows(self, counts: Counts) -> int:
        """Return the number of labels."""
        return counts.total()

    def require(self, counts: Counts, where: str) -> None:
        """Each example has a label."""

    def open_book(
        self,
        choices: Choices,
        head: Sequence[Any],
        counts: Counts | None = None,
        named: object = None,
        *,
        whole: bool = False,
    ) -> LabelBook:
        """Return the classes at the start.

        Raises
        ------
        InputError
            Where there is one class only.
        """
        if counts is not None:
            head, whole = list(counts), True
        if isinstance(named, Spelled):
            named = named.read(head)
        if named is not None:
            return book_of_fit(list(dict.fromkeys(as_list(named))))
        absent = absent_classes(choices)
        seen = [label for label in dict.fromkeys(head) if label not in absent]
        if len(seen) == 1 and not whole:
            raise InputError(
                "the first rows are all of one class",
                parameter="labels",
                got=Given(repr(seen[0])),
                wanted="rows in no particular order",
                fix=_FIX,
                topic="one-class-first",
            )
        return book_of_fit(seen)

    def rows_of_each(self, counts: Counts, book: LabelBook | None = None) -> Counts:
        """Return the examples of each label."""
        return counts

    def n_learnt(self, counts: Counts, book: LabelBook) -> int:
        """Return the examples of classes that do not weigh 0."""
        return sum(counts[label] for label in book.numbers)

    def warn_of_counts(self, counts: Counts, book: LabelBook) -> None:
        """Say nothing: each class is learnt against another."""

    def encoder(self, choices: Choices, counts: Counts | None) -> ClassEncoder:
        """Return what makes class numbers of a stream."""
        return ClassEncoder(choices, counts)

    def encode(
        self,
        book: LabelBook,
        items: list[Any],
        rule: rules.Rule,
        class_weight: Mapping[Any, float] | None,
    ) -> Weighted:
        """Return class numbers, and weights; a class that weighs 0 is in no book."""
        codes = np.array([book.numbers.get(one, 0) for one in items], np.int32)
        return codes, example_weights(rule, None, class_weight, codes, book, items)

    def split(
        self, digests: Sequence[bytes], items: Sequence[Any], part: float
    ) -> tuple[list[int], list[int]]:
        """Hold out a part of the rows of each class."""
        from hardlimit.evaluation.holdout import hold_out  # start-up: few hold rows out

        return hold_out(digests, items, part)

    def known(self, items: list[Any], book: LabelBook) -> list[Any]:
        """Return the labels."""
        return items

    def read_all(
        self,
        n_rows: int,
        y: Targets,
        book: LabelBook | None,
        classes: object,
        rows_name: str,
    ) -> list[Any]:
        """Return a plain label an example."""
        if is_many(y):
            raise KindError(
                parameter="y",
                got=Given("several labels an example"),
                wanted="one, as the model learnt",
            )
        return labels_for(n_rows, y, rows_name)

    def check(
        self, choices: Choices, labels: list[Any] | WholeNumbers, sample_weight: SampleWeight
    ) -> Encoded:
        """Return class numbers and weights; a class whose examples all weigh 0 does not exist."""
        if isinstance(labels, WholeNumbers):
            if sample_weight is None and choices.class_weight is None:
                return Encoded(book_of_fit(labels.classes), labels.codes, None)
            labels = labels.to_list()
        present = present_labels(labels, sample_weight, choices.class_weight)
        if not present:
            raise InputError(
                "every example has the weight 0 and is absent",
                parameter="sample_weight, class_weight",
                wanted="examples of at least two classes",
            )
        book = book_of_fit(present)
        weights = example_weights(
            choices.rule,
            sample_weight,
            choices.class_weight,
            targets := _codes(labels, book, len(present)),
            book,
            labels,
        )
        return Encoded(book, targets, weights)

    def check_validation(self, y: Targets, book: LabelBook) -> None:
        """Refuse labels of which the model knows none."""
        labels = as_list(y)
        if not any(label in book.numbers for label in labels):
            raise InputError(
                parameter="validation",
                got=Given(
                    f"labels such as {labels[:1]!r}, none of which is one of the classes "
                    f"{', '.join(map(repr, book.numbers))}"
                ),
                fix="the fit itself is done",
            )

    def begin_book(self, choices: Choices, labels: list[Any], classes: object) -> LabelBook:
        """Return the named classes, or those of the first batch that a stream begins with."""
        refuse_continuous(labels)
        if classes is not None:
            return LabelBook(as_list(classes))
        # Coupled classes come in the order of their first examples, so the first alone is enough.
        return sorted_book(labels) if choices.multiclass == "ovr" else LabelBook(labels[:1])

    def warn(self, labels: object, present: Array | None) -> None:
        """Say nothing: a fit has two classes at least."""

    def take(self, labels: list[Any], rows: Array) -> list[Any]:
        """Return the labels of some examples."""
        return [labels[i] for i in rows.tolist()]

    def deal(self, labels: list[Any], folds: int, keys: Sequence[Hashable] | None) -> Array:
        """Deal the examples of each class to the folds in turn."""
        from hardlimit.evaluation.calibration import deal_folds  # start-up: few fits deal folds

        return deal_folds(labels, folds, keys)

    def smallest(self, labels: list[Any]) -> int:
        """Return how many examples the rarest class has.

        >>> OneLabel().smallest(["a", "b", "a"])
        1
        """
        return min(Counter(labels).values())

    def describe_few(self, labels: list[Any]) -> tuple[str, str]:
        """Say that each class has one example."""
        classes = plural(len(set(labels)), "class", "classes")
        return f"one example of each of {classes}", "a class with two at least"

    def codes(self, labels: list[Any], book: LabelBook, rows: Sequence[int] | Array) -> Array:
        """Return class numbers."""
        return book.codes([labels[i] for i in rows])

    def are_right(self, answers: Array, y: Targets, book: LabelBook) -> Array:
        """Return whether each answer is right; labels that the model does not know never are."""
        labels = as_list(y)
        if len(labels) != len(answers):
            wanted = f"{len(answers)}, one an example"
            raise InputError(parameter="labels", got=len(labels), wanted=wanted)
        # Not by arrays: labels of several kinds would be turned into texts and compare wrongly.
        return np.fromiter((a == b for a, b in zip(answers.tolist(), labels, strict=True)), bool)

    def sides(
        self, book: LabelBook, scores: Array, y: Targets, goal: Goal, positive: Hashable
    ) -> Sides:
        """Return which examples are on the side of the class that a threshold is chosen for."""
        if len(book) != 2:
            raise no_threshold(goal.given[0], plural(len(book), "class", "classes"))
        first, second = book.numbers
        if positive not in (None, first, second):
            wanted = f"{first!r} or {second!r}"
            raise InputError(parameter="positive", got=positive, wanted=wanted)
        # A model's score grows towards its second class.
        is_second = positive in (None, second)
        given = as_list(y)
        if len(given) != len(scores):
            wanted = f"{len(scores)}, one an example"
            raise InputError(parameter="labels", got=len(given), wanted=wanted)
        # Labels that the model does not know have no side, and count in neither.
        known = [place for place, label in enumerate(given) if label in book.numbers]
        truth = np.array(
            [given[place] == (second if is_second else first) for place in known], bool
        )
        return Sides(scores[known] * (1 if is_second else -1), truth, is_second)

    def accuracy(self, labels: list[Any], answers: Sequence[Any]) -> float:
        """Return the share of right answers.

        >>> OneLabel().accuracy(["a", "b"], ["a", "a"])
        0.5
        """
        right = sum(label == answer for label, answer in zip(labels, answers, strict=True))
        share: float = right / len(labels)
        return share

    def micro_f1(self, labels: list[Any], answers: Sequence[Any]) -> float:
        """Return the accuracy, which it is."""
        return self.accuracy(labels, answers)

    def macro_f1(self, labels: list[Any], answers: Sequence[Any]) -> float:
        """Return the mean F1 of the classes."""
        from hardlimit.evaluation.figures import figures

        found: float = figures(labels, answers).macro_f1
        return found


def _codes(labels: Sequence[Any], book: LabelBook, n_present: int) -> Array:
    """Class numbers; absent examples have a weight of 0 and any target."""
    if n_present == len(labels):
        # No label can be unknown, so the fast look-up needs no default.
        return book.codes(labels)
    return np.array([book.numbers.get(label, 0) for label in labels], np.int32)


class ClassEncoder:
    """Makes class numbers and weights of the labels of a stream; classes may come late."""

    def __init__(self, choices: Choices, counts: Counts | None) -> None:
        self._choices, self._counts = choices, counts
        self.late: list[Hashable] = []
        self.weighted = False

    def warn(self, book: LabelBook) -> None:
        """Warn of weights of classes that no example had."""
        weights = self._choices.class_weight
        if not isinstance(weights, dict):
            return
        # Of "1" and the number 1, given together since nobody knew the kind of labels, one came.
        met = {str(label) for label in weights if label in book.numbers}
        unmet = [
            label
            for label, weight in weights.items()
            if weight and label not in book.numbers and str(label) not in met
        ]
        if unmet:
            there = ", ".join(abbreviate(label) for label in list(book.numbers)[:10])
            warnings.warn(
                DataWarning(
                    f"no example had the class {unmet[0]!r}; there were {there}",
                    parameter="class_weight",
                    topic="unmet-class",
                ),
                stacklevel=caller_stacklevel(),
            )

    def encode(self, training: Training, block: Block) -> Weighted:
        """Return the class numbers (int32) and the weights of a block, or None where all are 1."""
        labels = block.labels
        training.book.check_kinds(labels)
        if not training.book.knows(labels):
            self._meet(training, labels)
        codes = training.book.codes(labels)
        weights = self._weights(training, codes, block)
        if weights is not None and not self.weighted:
            self.weighted = not bool((weights == 1).all())
        training.check_weights(weights)
        return codes, weights

    def _meet(self, training: Training, labels: Sequence[Hashable]) -> None:
        """Add the classes of a block that nobody has seen before it."""
        training.check_labels(labels)
        for label in dict.fromkeys(labels):
            if label in training.book.numbers:
                continue
            training.add_class(label)
            self.late.append(label)
            warnings.warn(
                DataWarning(
                    f"the class {label!r} came first after the rows that the classes were taken "
                    "from, and was no rival of the others until then",
                    parameter="labels",
                    fix=_FIX,
                    topic="late-class",
                ),
                stacklevel=caller_stacklevel(),
            )

    def _weights(self, training: Training, codes: Array, block: Block) -> Array | None:
        choices, book = self._choices, training.book
        class_weight: Any = choices.class_weight
        if choices.balanced:
            check_weighed(training.rule, "class_weight")
            return self._balanced(book, codes, block.weights)
        if isinstance(class_weight, dict):
            class_weight = {k: w for k, w in class_weight.items() if k in book.numbers}
        labels = block.labels
        return example_weights(training.rule, block.weights, class_weight, codes, book, labels)

    def _balanced(self, book: LabelBook, codes: Array, given: Array | None) -> Array:
        """Weigh the classes alike, by the counts of the pass before."""
        counted: Counts = self._counts or Counter()
        counts = [counted.get(label, 0) for label in book.numbers]
        factors = np.array([sum(counts) / (len(book) * float(max(n, 1))) for n in counts])
        weights: Array = factors[codes]
        return weights if given is None else given * weights
