"""What a fit asks of a stream, and what is known once its first examples were looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hardlimit.classifiers.fitting.initial_terms import Start
from hardlimit.classifiers.fitting.streamed.position import Chunk, Position, RunningDigest
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import ONE_LABEL, Counts, Targets, targets_of
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike
from hardlimit.streaming.batches import BatchSource
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
    resumed, position : the model of a run that was broken off, and how far it was.
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
    resumed: Any = None
    position: Position | None = None
    _has_begun: bool = field(default=False, init=False)

    def read_labels(self, n_rows: int, labels: Any, rows_name: str) -> list[Any]:
        """Return an item an example of a batch."""
        if not self._has_begun and n_rows:
            self.targets, self._has_begun = targets_of(labels), True
        return self.targets.read(n_rows, labels, rows_name)

    def weights_at_start(
        self, book: LabelBook, vectorizer: TextVectorizer | None = None
    ) -> ArrayLike | None:
        """Return the weights to begin at; terms that no text has are added to the vectorizer."""
        start = self.start
        return None if start is None else start.at_start(vectorizer, book, self.choices.bias)

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


def as_counted(
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


def leave_out(
    labels: list[Any], weights: Any, absent: set[Any]
) -> tuple[list[int], list[Any], Any]:
    """Return the places, labels and weights of examples that are there: of a weight above 0.

    absent : classes whose weight is 0.
    """
    kept = [
        i
        for i, label in enumerate(labels)
        if label not in absent and (weights is None or weights[i] > 0)
    ]
    left = None if weights is None else weights[np.array(kept, np.int64)]
    return kept, [labels[i] for i in kept], left
