"""Labels of a stream as class numbers, classes that come late, and what each class weighs."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.streamed.opened import Asked
from hardlimit.classifiers.fitting.streamed.position import Chunk
from hardlimit.classifiers.fitting.streamed.several import ROWS, LabelReader, open_many_book
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import (
    LabelBook,
    as_list,
    book_of_fit,
    check_weighed,
    example_weights,
    kind_of,
)
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import DataWarning, Given, InputError, abbreviate
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.types import Array
from hardlimit.streaming.blocks import Block

Labelled = TypeVar("Labelled", Block, Chunk)
AGAIN = "let each call of the function give the batches from their beginning"
FIX = "name all classes, classes=[...], or shuffle the rows"


def absent_classes(choices: Choices) -> set[Hashable]:
    """Return the classes whose examples weigh 0."""
    weights = choices.class_weight
    if weights is None or isinstance(weights, str):
        return set()
    return {label for label, weight in weights.items() if weight == 0}


class Spelled(tuple[str, ...]):
    """Classes as they are typed, which are read as labels of the kind that the first rows have.

    >>> Spelled(["2", "3"]).read([1, 2]), Spelled(["2", "3"]).read(["1", "2"])
    ([2, 3], ['2', '3'])
    """

    __slots__ = ()

    def read(self, head: Iterable[Hashable]) -> list[Hashable]:
        """Return the labels that are meant.

        Raises
        ------
        InputError
            A name that no label of that kind has.
        """
        known = {str(label): label for label in head}
        like = next(iter(known.values()), "")
        return [known[name] if name in known else _read_name(name, like) for name in self]


def _read_name(name: str, like: Hashable) -> Hashable:
    if isinstance(like, str):
        return name
    if isinstance(like, int | float) and not isinstance(like, bool):
        for kind in (int, float) if isinstance(like, int) else (float,):
            try:
                number = kind(name)
            except ValueError:
                continue
            if math.isfinite(number):
                return number
    elif name in ("True", "False"):
        return name == "True"
    wanted = f"a {kind_of(like)}, as the labels of the first rows are"
    raise InputError(parameter="classes", got=name, wanted=wanted)


def open_book(
    choices: Choices, head: Iterable[Hashable], named: Any = None, *, whole: bool = False
) -> LabelBook:
    """Return the classes at the start: those named, else those of the rows that come first.

    whole : whether these are all rows.

    Raises
    ------
    InputError
        Where there is one class only.
    """
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
            fix=FIX,
            topic="one-class-first",
        )
    return book_of_fit(seen)


def find_book(
    choices: Choices, asked: Asked, head: list[Any], counts: Any, *, whole: bool
) -> LabelBook:
    """Return the classes, or the labels of examples that have several.

    head : labels of the first examples; ``whole``: of all.      counts : of a pass before, or None.
    """
    reader, named = asked.labels, asked.classes
    if not reader.several:
        labels = head if counts is None else counts
        return open_book(choices, labels, named, whole=whole or counts is not None)
    fit.refuse_class_weight(choices)
    if isinstance(named, Spelled):
        named = named.read(label for labels in head for label in labels)
    return open_many_book(reader, head, counts, named)


def as_counted(
    items: Iterable[Labelled], counts: dict[Hashable, int], reader: LabelReader
) -> Iterator[Labelled]:
    """Yield what goes by a second time, and refuse it where the first time had other labels."""
    found: Counter[Hashable] = Counter()
    for item in items:
        found.update(reader.counted(item.labels))
        yield item
    if found != counts:
        raise InputError(
            "the examples to learn from are not those that were counted in the pass before",
            parameter="batches",
            got=Given(f"{plural(_rows(found), 'example')}, after {_rows(counts):,}"),
            fix=AGAIN,
            topic="other-rows",
        )


def _rows(counts: Mapping[Hashable, int]) -> int:
    """Return the number of examples, of which each may have several labels."""
    return counts.get(ROWS, 0) or sum(counts.values())


def warn_unmet(choices: Choices, book: LabelBook) -> None:
    """Warn of weights of classes that no example had."""
    weights = choices.class_weight
    if not isinstance(weights, dict):
        return
    # Of "1" and the number 1, given together since nobody knew the kind of the labels, one came.
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


class Targets:
    """Makes class numbers and weights of the labels of a block.

    late : classes that came after the first rows, in the order of their first examples.
    weighted : whether an example weighed other than 0 and 1.
    """

    def __init__(self, choices: Choices, counts: dict[Hashable, int] | None = None) -> None:
        self._choices, self._counts = choices, counts
        self.late: list[Hashable] = []
        self.weighted = False

    def warn(self, book: LabelBook) -> None:
        """Warn of weights of classes that no example had."""
        warn_unmet(self._choices, book)

    def encode(self, training: Training, block: Block) -> tuple[Array, Array | None]:
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
                    fix=FIX,
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
        counted = self._counts or {}
        counts = [counted.get(label, 0) for label in book.numbers]
        factors = np.array([sum(counts) / (len(book) * float(max(n, 1))) for n in counts])
        weights: Array = factors[codes]
        return weights if given is None else given * weights
