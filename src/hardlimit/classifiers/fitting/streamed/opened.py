"""What a fit asks of a stream, and what is known once its first examples were looked at."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting.streamed.position import Position, RunningDigest
from hardlimit.classifiers.fitting.streamed.several import LabelReader
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.streaming.batches import BatchSource
from hardlimit.streaming.blocks import Block
from hardlimit.streaming.pipeline import Pipeline


@dataclass
class Asked:
    """What a fit asks of a stream.

    size : rows of a block.
    cached : whether all rows are kept for later passes.
    digest : of what goes by, for checkpoints; None without.
    labels : reads the labels of the batches.
    resumed, position : the model of a run that was broken off, and how far it was.
    """

    choices: Choices
    source: BatchSource
    pipeline: Pipeline
    classes: Any
    size: int
    labels: LabelReader = field(default_factory=LabelReader)
    cached: bool = False
    digest: RunningDigest | None = None
    resumed: Any = None
    position: Position | None = None

    @property
    def blocks_learnt(self) -> int:
        """Blocks of the first pass that an earlier run has learnt already."""
        return 0 if self.position is None else self.position.n_blocks


@dataclass
class Opened:
    """The classes, blocks of rows that are made as they are asked for, and what the model holds.

    weighted : whether the first examples have weights.
    counts : examples of each class, of a stream that was counted.
    kind, more : the class of the model, and what it holds besides.
    passes : what each pass over the input is for.      counts_terms : whether one of them did.
    """

    book: LabelBook
    blocks: Iterator[Block]
    n_columns: int
    kind: type[Model]
    more: dict[str, Any]
    weighted: bool = False
    counts: dict[Hashable, int] | None = None
    passes: list[str] = field(default_factory=list)
    counts_terms: bool = False


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
