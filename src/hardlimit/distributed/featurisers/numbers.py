"""Rows of numbers: dense, or sparse as svmlight has them.

Sums of columns are added over a fixed binary tree by the number of the shard, so that a scale
depends on the shards and on nothing else. One shard has the sums of an ordinary fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed.featurisers._protocol import Ask, Examples, Featuriser
from hardlimit.distributed.numeric_recipes import NumericPiece
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import column_sums, rows_of
from hardlimit.engine.scaled import ColumnSums
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.types import Array
from hardlimit.readers.numbers import Csr, Numbers, as_targets, parse_targets
from hardlimit.scaling import Scale


class Shape(NamedTuple):
    """The question for the shape of a shard, and the labels of each file as they stand there."""


class Sums(NamedTuple):
    """The question for the sums of the columns, less a center."""

    center: Array | None
    absent: tuple[Any, ...]  # labels that weigh 0


class Shaped(NamedTuple):
    """The width of a shard, its smallest index of sparse rows, and its labels."""

    width: int
    lowest: int | None
    labels: dict[str, dict[Any, None]]


class RowsOfNumbers(Featuriser):
    """Rows of numbers.

    words : what labels are: "text", "int" or "float"; None while nobody knows.
    shift : what is taken from the indices of sparse rows.
    """

    kind = Model
    fix = "scale the columns of X"

    def __init__(self, choices: Choices) -> None:
        self.words: str | None = None
        self.shift, self._width = 0, 0
        self.scale: Scale | None = None

    def choose(
        self,
        choices: Choices,
        shards: Sequence[Shard],
        kept: Callable[[int], Array | None],
        ask: Ask,
    ) -> dict[str, Any]:
        """Learn how wide the rows are, and what the labels are."""
        found: list[Shaped] = ask(Shape())
        lowest = [one.lowest for one in found if one.lowest is not None]
        self.shift = int(bool(lowest) and _counts_from_1(shards, min(lowest)))
        self._width = max(one.width for one in found) - self.shift
        self._width = max([self._width, *_wanted(shards)])
        labels: dict[str, dict[Any, None]] = {}
        for one in found:
            for path, own in one.labels.items():
                labels.setdefault(path, {}).update(own)
        self.words = _kind_of_labels(labels)
        return {}
