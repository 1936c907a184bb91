"""Rows of words: a text each, several, or the columns of a table.

Nothing depends on how the rows are cut: sums are exact until they are asked for, and categories and
terms are numbered as in one pass over all rows.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from hardlimit.classifiers.features import Features, make_features
from hardlimit.classifiers.model.choices import Choices
from hardlimit.distributed.featurisers._protocol import (
    Ask,
    Chosen,
    Featuriser,
    Kept,
    Look,
    ShardRows,
    size_of,
)
from hardlimit.engine import rows_of
from hardlimit.foundation.types import Array
from hardlimit.sources.pieces import Shard
from hardlimit.text import default_features

if TYPE_CHECKING:
    pass


class RowsOfWords(Featuriser):
    """Rows whose features are settled by the driver, and looked at and made by workers."""

    features: Features

    def __init__(self, choices: Choices) -> None:
        self.features = make_features(choices)
        self.features.describes = True
        self.kind = self.features.kind

    def __copy__(self) -> Self:
        """Return features of other rows, which keep what was found out of all."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, features=copy.copy(self.features))
        return other

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Go through all rows for what must be known before anything is chosen."""
        features, number = self.features, 0
        if features.names is None:  # those of a table are told by its first file
            with shards[0].pieces[0].open() as table:
                features.open_table(table)
        while number < len(features.passes) and features.passes[number].of_all:
            features.settle(number, ask(Look(number)))
            number += 1

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features by the first examples."""
        self.features.choose(self._head(shards, kept))
        return dict(self.features.chosen)

    def _head(self, shards: Sequence[Shard], kept: Kept) -> Any:
        """Return the first examples that are there."""
        parts: list[Any] = []
        n_rows = 0
        for shard in shards:
            wanted, first = kept(shard.number), 0
            for batch in shard.batches(self.features.of_file):
                examples, end = batch.examples, first + len(batch.labels)
                if wanted is not None:
                    examples = examples.take(wanted[(wanted >= first) & (wanted < end)] - first)
                parts.append(examples)
                n_rows, first = n_rows + len(examples), end
                if n_rows >= default_features.SAMPLE:
                    return parts[0].joined(parts).part(0, default_features.SAMPLE)
        return parts[0].joined(parts) if parts else ()

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the examples and labels of a shard."""
        found = shard.read(self.features.of_file)
        return ShardRows(found.examples, found.labels).kept(kept)

    def keys(self, examples: Any, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows, or of what a model sees of them."""
        return super().keys(self.features.seen(examples) if of_model else examples, of_model)

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Learn what must be known of all rows."""
        for number, each in enumerate(self.features.passes):
            if not each.of_all:
                self.features.settle(number, ask(Look(number)))

    def answer(self, question: Look, number: int, found: ShardRows) -> Any:
        """Look at the examples of a shard."""
        seen = self.features.look(question.number, found.examples, part=number)
        return self.features.pack(question.number, seen)

    @property
    def vectorizer(self) -> Any:
        """What was learnt."""
        return self.features.vectorizer

    @property
    def n_columns(self) -> int:
        """Columns of all shards."""
        return int(self.vectorizer.n_columns_)

    def rows(self, examples: Any, bias: float) -> tuple[Any, int]:
        """Return examples as rows of the engine."""
        found = self.features.rows(examples)
        return rows_of(found, bias, "texts"), size_of(found.indptr, found.indices, found.data)

    @property
    def of_model(self) -> dict[str, Any]:
        """The vectorizer."""
        return {"fitted_vectorizer": self.vectorizer}

    def restore(self, model: Any, stored: dict[str, Any]) -> None:
        """Take the vectorizer of a model."""
        self.features.restore(model.vectorizer)
