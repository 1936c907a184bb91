"""What is known of a stream once its first examples were looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.model.labels import LabelBook
from hardlimit.classifiers.model.model import Model
from hardlimit.streaming.blocks import Block


class Opened(NamedTuple):
    """The classes, blocks of rows that are made as they are asked for, and what the model holds.

    kind, more : the class of the model, and what it holds besides.
    """

    book: LabelBook
    blocks: Iterator[Block]
    n_columns: int
    kind: type[Model]
    more: dict[str, Any]


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
