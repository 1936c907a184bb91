"""Rows of numbers: dense, or sparse as svmlight has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit.classifiers.features.numbers import NumberFeatures
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import absent_classes
from hardlimit.distributed.featurisers._protocol import (
    Ask,
    Chosen,
    Featuriser,
    Kept,
    Look,
    ShardRows,
)
from hardlimit.engine import rows_of
from hardlimit.examples.dense import Dense
from hardlimit.examples.sparse import Csr
from hardlimit.foundation.types import Array
from hardlimit.readers.numbers import check_columns
from hardlimit.sources.numeric_pieces import Loaded, widest
from hardlimit.sources.pieces import Shard

if TYPE_CHECKING:
    from hardlimit.examples._protocol import Examples


class Shape(NamedTuple):
    """The question for the shape of a shard, and for its labels as they stand in the files."""


class Shaped(NamedTuple):
    """The width of a shard, its smallest index of sparse rows, and its different labels."""

    width: int
    lowest: int | None
    labels: list[Any]


class RowsOfNumbers(Featuriser):
    """Rows of numbers.

    shift : what is taken from the indices of sparse rows.
    """

    kind = Model
    fix = "scale the columns of X"

    def __init__(self, choices: Choices) -> None:
        self.shift, self._width, self._n_columns = 0, 0, 0
        self.features = NumberFeatures(choices)

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Learn how wide the rows are, and what their labels are."""
        pieces: list[Any] = [piece for shard in shards for piece in shard.pieces]
        found: list[Shaped] = ask(Shape())
        lowest = min((one.lowest for one in found if one.lowest is not None), default=1)
        if pieces[0].format == "svmlight" and pieces[0].zero_based is None:
            self.shift = int(lowest > 0)
        self._width = max(one.width for one in found) - self.shift
        wanted = widest(shards)
        check_columns(pieces[0].path, self._width, wanted or self._width)
        self._width = self._n_columns = wanted or self._width
        labels = list(chain.from_iterable(one.labels for one in found))
        self.targets = self.targets.settled(labels)

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Return nothing: numbers are what they are."""
        return {}

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Measure the columns, where a scale asks for that."""
        self.features = NumberFeatures(choices)
        self._n_columns = self.features.fit_map(self._width)
        if not self.features.counts:
            return
        absent, number = frozenset(absent_classes(choices)), 0
        while number < len(self.features.passes):
            self.features.settle(number, ask(Look(number, absent)))
            number += 1

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the numbers and labels of a shard."""
        pieces: Any = shard.pieces
        loaded: list[Loaded] = [piece.load() for piece in pieces]
        labels = [label for one in loaded for label in one.labels]
        return ShardRows(_stack([one.X for one in loaded]), labels).kept(kept)

    def answer(self, question: Any, number: int, found: ShardRows) -> Any:
        """Look at the columns of a shard."""
        X: Any = found.examples
        if isinstance(question, Shape):
            lowest = int(X.indices.min()) if isinstance(X, Csr) and len(X.indices) else None
            return Shaped(X.shape[1], lowest, list(dict.fromkeys(found.labels)))
        if question.absent:
            labels = self.targets.plain(found.labels)
            present = [label not in question.absent for label in labels]
            X = X.take(np.flatnonzero(present))
        return self.features.look(question.number, self.features.mapped(self._wide(X)))

    def keys(self, examples: Examples, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows; folds are dealt without."""
        return None if of_model else self._wide(examples).hold_out_keys()

    def join(self, parts: list[ShardRows]) -> ShardRows:
        """Return all rows, as wide as the model."""
        found = super().join(parts)
        return ShardRows(self._wide(found.examples), found.labels)

    def _wide(self, X: Any) -> Dense | Csr:
        """Return sparse rows with the columns of all shards."""
        if isinstance(X, Dense):
            return X
        found: Csr = X
        indices = found.indices - np.int32(self.shift)
        return Csr(found.indptr, indices, found.data, self._width)

    @property
    def n_columns(self) -> int:
        """Columns of all shards, as they are learnt."""
        return self._n_columns

    def rows(self, examples: Examples, bias: float) -> tuple[Any, int]:
        """Return numbers as rows of the engine, in the units of the scale."""
        X = self.features.mapped(self._wide(examples))
        rows = rows_of(X, bias)
        n_bytes = X.size()
        scale = self.features.scale
        if scale is None:
            return rows, n_bytes
        # As many again where a scale centres its columns, which are rarely sparse.
        return scale.rows(rows), 2 * n_bytes

    @property
    def of_model(self) -> dict[str, Any]:
        """The map and the scale."""
        return self.features.of_model

    def restore(self, model: Model, stored: dict[str, Any]) -> None:
        """Take the map and the scale of a model."""
        self.features.restore(model)
        self._n_columns = model.n_columns


def _stack(parts: list[Any]) -> Dense | Csr:
    whole: Dense | Csr = parts[0].joined(parts)
    return whole
