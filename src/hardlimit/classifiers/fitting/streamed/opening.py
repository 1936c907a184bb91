"""How a stream is opened: its first rows, passes that count, and blocks of rows from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from hardlimit.classifiers.features import Pass
from hardlimit.classifiers.fitting.initial_terms import Start
from hardlimit.classifiers.fitting.streamed.position import (
    Chunk,
    Position,
    RunningDigest,
    StreamCheckpoints,
)
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook, read_weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import (
    ONE_LABEL,
    Counts,
    Targets,
    absent_classes,
    require_rows,
    targets_of,
)
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, ArrayLike
from hardlimit.streaming.batches import BatchSource, RowBatch
from hardlimit.streaming.blocks import Block
from hardlimit.streaming.pipeline import Pipeline

if TYPE_CHECKING:
    from hardlimit.text import TextVectorizer


Labelled = TypeVar("Labelled", Block, Chunk)
AGAIN = "let each call of the function give the batches from their beginning"


@dataclass
class Asked:
    """What a fit asks of a stream.

    size : rows of a block.
    cached : whether all rows are kept for later passes.
    digest : of what goes by, for checkpoints; None without.
    targets : reads the labels of the batches; the first of them shows of which kind they are.
    start : the weights that the run begins at; None: 0.
    checkpoints : where what was learnt is written, or None.    resumed, position : the model of a
    run that was broken off, and how far it was.
    """

    choices: Choices
    source: BatchSource
    pipeline: Pipeline
    classes: Any
    size: int
    targets: Targets[Any] = ONE_LABEL
    cached: bool = False
    digest: RunningDigest | None = None
    start: Start | None = None
    checkpoints: StreamCheckpoints | None = None
    resumed: Any = None
    position: Position | None = None
    _has_begun: bool = field(default=False, init=False)

    def batches(self) -> Iterator[RowBatch]:
        """Yield the batches from their beginning, read ahead."""
        return self.pipeline.ahead(self.source)

    def read_present(
        self, n_rows: int, batch: RowBatch, rows_name: str
    ) -> tuple[list[int] | None, list[Any], Array | None]:
        """Return which examples of a batch are there (None: all), their labels and weights."""
        if not self._has_begun and n_rows:
            self.targets, self._has_begun = targets_of(batch.labels), True
        labels, weights = self.targets.read(n_rows, batch.labels, rows_name), None
        if batch.weights is not None:
            weights = read_weights(batch.weights, n_rows)
        absent = absent_classes(self.choices)
        if not absent and weights is None:
            return None, labels, None
        return _leave_out(labels, weights, absent)

    def weights_at_start(
        self, book: LabelBook, vectorizer: TextVectorizer | None = None
    ) -> ArrayLike | None:
        """Return the weights to begin at; terms that no text has are added to the vectorizer."""
        start = self.start
        return None if start is None else start.at_start(vectorizer, book, self.choices.bias)

    @property
    def mark(self) -> str:
        """The digest of what went by so far, where somebody asked for it."""
        return "" if self.digest is None else self.digest.now

    def compare(self, mark: str) -> None:
        """Refuse rows whose digest is not that of the rows which an earlier run has learnt."""
        if self.checkpoints is not None and self.position is not None:
            self.checkpoints.check_digest(self.position, mark)

    @property
    def blocks_learnt(self) -> int:
        """Blocks of the first pass that an earlier run has learnt already."""
        return 0 if self.position is None else self.position.n_blocks


@dataclass
class Opened:
    """The classes, blocks of rows that are made as they are asked for, and what the model holds.

    weighted : whether the first examples have weights.
    counts : of the labels, of a stream that was counted.
    kind, more : the class of the model, and what it holds besides.
    start : weights to begin at, or None.
    passes : what each pass over the input is for.      counts_terms : whether one of them did.
    """

    book: LabelBook
    blocks: Iterator[Block]
    n_columns: int
    kind: type[Model]
    more: dict[str, Any]
    weighted: bool = False
    counts: Counts | None = None
    passes: list[str] = field(default_factory=list)
    start: ArrayLike | None = None
    counts_terms: bool = False


def _as_counted(
    items: Iterable[Labelled], counts: Counts, targets: Targets[Any]
) -> Iterator[Labelled]:
    """Yield what goes by a second time, and refuse it where the first time had other labels."""
    found: Counts = Counter()
    for item in items:
        found.update(targets.count(item.labels))
        yield item
    if found != counts:
        n_found, n_before = targets.n_rows(found), targets.n_rows(counts)
        raise InputError(
            "the examples to learn from are not those that were counted in the pass before",
            parameter="batches",
            got=Given(f"{plural(n_found, 'example')}, after {n_before:,}"),
            fix=AGAIN,
            topic="other-rows",
        )


def _leave_out(
    labels: list[Any], weights: Array | None, absent: set[Any]
) -> tuple[list[int], list[Any], Array | None]:
    """Return the places, labels and weights of examples that are there: of a weight above 0."""
    kept = [
        i
        for i, label in enumerate(labels)
        if label not in absent and (weights is None or weights[i] > 0)
    ]
    left = None if weights is None else weights[np.array(kept, np.int64)]
    return kept, [labels[i] for i in kept], left


class Looking(Protocol):
    """What looks at all rows."""

    @property
    def passes(self) -> list[Pass]:
        """What the looks are for; the first is there, and those behind may come with it."""

    def look(self, number: int, examples: Any, before: Any = None) -> Any:
        """Return what was seen so far."""

    def settle(self, number: int, found: list[Any]) -> None:
        """Learn from what was seen of all."""


class RowsOfStream(Protocol[Labelled]):
    """The rows of a stream, as their kind is read, looked at and made.

    kind : the class of the model.
    """

    kind: type[Model]

    @property
    def head_rows(self) -> int:
        """How many rows are looked at before anything is learnt."""

    @property
    def why_counted(self) -> str:
        """Why all rows are looked at, where that is known before the first one is read."""

    def items(self) -> Iterator[Labelled]:
        """Yield the rows as they are read, from their beginning."""

    def measure(self, item: Labelled) -> int:
        """Return how large some rows are."""

    def is_enough(self, n_rows: int, size: int, last: Labelled) -> bool:
        """Whether the first rows are enough to look at."""

    def looks(self, head: list[Labelled]) -> Iterator[tuple[Looking, str]]:
        """Choose by the first rows; yield what looks at all rows, one after another, and why."""

    def blocks(self, items: Iterator[Labelled], learn: bool) -> Iterator[Block]:
        """Yield blocks of rows; ``learn``: whether nobody has looked at them before."""

    def restore(self, model: Any) -> bool:
        """Go on with the rows of an earlier run; return whether it had not looked at them."""

    @property
    def n_columns(self) -> int:
        """The columns that are learnt, as far as they are known."""

    @property
    def of_model(self) -> Mapping[str, Any]:
        """What the model holds besides its weights."""

    @property
    def finds_terms(self) -> bool:
        """Whether the looks find terms."""


def open_stream(asked: Asked, rows: RowsOfStream[Labelled]) -> Opened:
    """Find classes and columns; blocks of rows come as they are asked for."""
    if asked.resumed is not None and asked.position is not None:
        return _go_on(asked, rows, asked.position)
    if rows.why_counted:  # before batches that come once are used up
        asked.source.require_repeats(rows.why_counted)
    items = rows.items()
    passes: list[str] = []
    counts: Counts | None = None
    head, whole = _read_head(items, rows)
    items = chain(head, items)
    for looking, why in rows.looks(head):
        asked.source.require_repeats(why)
        counts = _look_at_all(looking, items, rows.items, asked.targets)
        passes += [each.what for each in looking.passes]
        items = _as_counted(rows.items(), counts, asked.targets)
    labels = [label for item in head for label in item.labels][: rows.head_rows]
    book = asked.targets.open_book(asked.choices, labels, counts, asked.classes, whole=whole)
    more = dict(rows.of_model)
    # Before the rows are made: of terms that no text has there are columns too.
    start = asked.weights_at_start(book, more.get("fitted_vectorizer"))
    return Opened(
        book,
        rows.blocks(items, counts is None),
        rows.n_columns,
        rows.kind,
        more,
        any(item.weights is not None for item in head),
        counts,
        [*passes, "learn"],
        start,
        counts is not None and rows.finds_terms,
    )


def _go_on(asked: Asked, rows: RowsOfStream[Labelled], position: Position) -> Opened:
    """Return the stream of a run that was broken off, with its features and classes."""
    model, items = asked.resumed, rows.items()
    learn = rows.restore(model)
    first = [item for item in [next(items, None)] if item is not None]  # which names the columns
    require_rows(len(first), "batches")
    blocks, more = rows.blocks(chain(first, items), learn), dict(rows.of_model)
    start = asked.weights_at_start(model.classes, more.get("fitted_vectorizer"))
    counts = Counter(model.state.class_counts.counts) or None
    weighted, passes = position.has_weights, ["learn"]
    book, n_columns = model.classes, rows.n_columns
    return Opened(book, blocks, n_columns, rows.kind, more, weighted, counts, passes, start)


def _read_head(
    items: Iterator[Labelled], rows: RowsOfStream[Labelled]
) -> tuple[list[Labelled], bool]:
    """Return the first rows, looked at before anything is learnt, and whether these are all."""
    head, n_rows, size = list[Labelled](), 0, 0
    whole = False
    while not head or not rows.is_enough(n_rows, size, head[-1]):
        item = next(items, None)
        if item is None:
            whole = True
            break
        head.append(item)
        n_rows, size = n_rows + len(item.labels), size + rows.measure(item)
    require_rows(n_rows, "batches")
    return head, whole


def _look_at_all(
    looking: Looking,
    first: Iterable[Labelled],
    again: Callable[[], Iterator[Labelled]],
    targets: Targets[Any],
) -> Counts:
    """Go through all examples, once a pass; return the counts of the labels.

    first, again : the examples, and what gives them from their beginning; labels that differ then
    are refused.
    """
    counts: Counts = Counter()

    def counted() -> Iterator[Labelled]:
        for item in first:
            counts.update(targets.count(item.labels))
            yield item

    items, number = counted(), 0
    while True:
        seen, n_rows = None, 0
        for item in items:
            seen, n_rows = looking.look(number, item.examples, seen), n_rows + len(item.labels)
            progress.report(looking.passes[number].what, n_rows, 0, "rows")
        looking.settle(number, [seen])
        number += 1
        if number == len(looking.passes):
            return counts
        items = _as_counted(again(), counts, targets)
