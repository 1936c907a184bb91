"""Rows of numbers: dense, or sparse as svmlight has them.

Sums of columns are added over a fixed binary tree by the number of the shard, so that a scale
depends on the shards and on nothing else. One shard has the sums of an ordinary fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.fitting.streamed.labels import absent_classes
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed.featurisers._protocol import (
    Ask,
    Chosen,
    Featuriser,
    Kept,
    ShardRows,
)
from hardlimit.distributed.numeric_recipes import Loaded, widest
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import column_sums, rows_of
from hardlimit.engine.scaled import ColumnSums
from hardlimit.examples.dense import Dense
from hardlimit.examples.sparse import Csr
from hardlimit.foundation.types import Array
from hardlimit.readers.numbers import as_targets, check_columns, parse_targets
from hardlimit.scaling import Scale


class Shape(NamedTuple):
    """The question for the shape of a shard, and for its labels as they stand in the files."""


class Sums(NamedTuple):
    """The question for the sums of the columns, less a center."""

    center: Array | None
    absent: frozenset[Any]  # labels that weigh 0


class Shaped(NamedTuple):
    """The width of a shard, its smallest index of sparse rows, and its different labels."""

    width: int
    lowest: int | None
    labels: list[Any]


class RowsOfNumbers(Featuriser):
    """Rows of numbers.

    shift : what is taken from the indices of sparse rows.    as_label : what labels are: "text",
    "whole" or "number"; None while nobody knows.    as_labels : that of each column of labels.
    """

    kind = Model
    fix = "scale the columns of X"

    def __init__(self, choices: Choices) -> None:
        self.as_label: str | None = None
        self.as_labels: list[str] = []
        self.shift, self._width = 0, 0
        self.scale: Scale | None = None

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Learn how wide the rows are, and what their labels are."""
        pieces: list[Any] = [piece for shard in shards for piece in shard.pieces]
        self.label_names = pieces[0].labels
        found: list[Shaped] = ask(Shape())
        lowest = min((one.lowest for one in found if one.lowest is not None), default=1)
        if pieces[0].format == "svmlight" and pieces[0].zero_based is None:
            self.shift = int(lowest > 0)
        self._width = max(one.width for one in found) - self.shift
        wanted = widest(shards)
        check_columns(pieces[0].path, self._width, wanted or self._width)
        self._width = wanted or self._width
        labels = list(chain.from_iterable(one.labels for one in found))
        if self.label_names:
            self.as_labels = [_kind_of_labels(list(own)) for own in zip(*labels, strict=True)]
        else:
            self.as_label = _kind_of_labels(labels)

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Return nothing: numbers are what they are."""
        return {}

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Measure the columns, where a scale asks for that."""
        scaling = choices.scale
        if scaling is None or not scaling.measures:
            self.scale = None if scaling is None else scaling.fitted(None)
            return
        absent = frozenset(absent_classes(choices))

        def look(center: Array | None) -> tuple[int, ColumnSums]:
            found = ask(Sums(center, absent))
            return sum(n for n, _ in found), _add_all([sums for _, sums in found])

        self.scale = scaling.measured(look)

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
        labels = self.plain_labels(found.labels)
        present = None
        if question.absent:
            present = np.flatnonzero([label not in question.absent for label in labels])
        n = len(labels) if present is None else len(present)
        return n, column_sums(rows_of(self._wide(X), 0.0, "X"), question.center, present)

    def keys(self, examples: Any, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows; folds are dealt without."""
        return None if of_model else self._wide(examples).hold_out_keys()

    def join(self, parts: list[ShardRows]) -> ShardRows:
        """Return all rows, as wide as the model."""
        found = super().join(parts)
        return ShardRows(self._wide(found.examples), found.labels)

    def plain_labels(self, labels: list[Any]) -> list[Any]:
        """Return labels as the numbers or the words that they are."""
        if self.label_names and labels:
            pairs = zip(zip(*labels, strict=True), self.as_labels, strict=True)
            return list(zip(*(_convert(list(own), kind) for own, kind in pairs), strict=True))
        if not labels or isinstance(labels[0], tuple):
            return super().plain_labels(labels)
        return super().plain_labels(_convert(labels, self.as_label))

    def _wide(self, X: Any) -> Dense | Csr:
        """Return sparse rows with the columns of all shards."""
        if isinstance(X, Dense):
            return X
        found: Csr = X
        indices = found.indices - np.int32(self.shift)
        return Csr(found.indptr, indices, found.data, self._width)

    @property
    def n_columns(self) -> int:
        """Columns of all shards."""
        return self._width

    def rows(self, examples: Any, bias: float) -> tuple[Any, int]:
        """Return numbers as rows of the engine, in the units of the scale."""
        X = self._wide(examples)
        rows = rows_of(X, bias)
        n_bytes = X.size()
        if self.scale is None:
            return rows, n_bytes
        # As many again where a scale centres its columns, which are rarely sparse.
        return self.scale.rows(rows), 2 * n_bytes

    @property
    def of_model(self) -> dict[str, Any]:
        """The scale."""
        return {"scale": self.scale}

    def restore(self, model: Model, stored: dict[str, Any]) -> None:
        """Take the scale of a model."""
        self.scale, self._width = model.scale, model.n_columns


def _stack(parts: list[Any]) -> Dense | Csr:
    whole: Dense | Csr = parts[0].joined(parts)
    return whole


def _convert(labels: list[Any], kind: str | None) -> list[Any]:
    if kind == "number":
        return list(map(float, labels))
    if kind != "whole":
        return labels
    return [label if type(label) is int else int(float(label)) for label in labels]


def _kind_of_labels(labels: list[Any]) -> str:
    """Return what all labels are, by the different ones of all files."""
    if any(isinstance(label, tuple | bool) for label in labels):
        return "text"  # as they are
    if all(isinstance(label, str) for label in labels):
        found = parse_targets(labels)
    elif any(isinstance(label, str) for label in labels):
        return "text"
    elif all(isinstance(label, int) for label in labels):
        return "whole"
    else:
        found = as_targets(np.array(labels, np.float64))
    return {"i": "whole", "f": "number"}.get(found.dtype.kind, "text")


def _add_all(parts: list[ColumnSums]) -> ColumnSums:
    """Add sums over a fixed binary tree."""
    while len(parts) > 1:
        pairs = [parts[at : at + 2] for at in range(0, len(parts), 2)]
        parts = [_add(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return parts[0]


def _add(one: ColumnSums, other: ColumnSums) -> ColumnSums:
    return ColumnSums(
        one.counts + other.counts,
        np.minimum(one.lowest, other.lowest),
        np.maximum(one.highest, other.highest),
        one.sums + other.sums,
        one.squares + other.squares,
    )
