"""Texts, one or several an example."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Self

from hardlimit.classifiers.features import make_features
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
from hardlimit.examples.of_rows import GatheredTuples
from hardlimit.examples.texts import Texts
from hardlimit.examples.tuples import TextTuples
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.types import Array
from hardlimit.sources.pieces import Shard
from hardlimit.text import default_features


class FeaturesOfShards(Featuriser):
    """Features that are settled by the driver, and looked at and made by workers."""

    features: Any

    def __init__(self, choices: Choices) -> None:
        self.features = make_features(choices)
        self.kind = self.features.kind

    def __copy__(self) -> Self:
        """Return features of other rows, which keep what was found out of all."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, features=copy.copy(self.features))
        return other

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Go through all rows for what must be known before anything is chosen."""
        features, number = self.features, 0
        while number < len(features.passes) and features.passes[number].of_all:
            features.settle(number, ask(Look(number)))
            number += 1

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features by the first examples."""
        self.features.choose(self._head(shards, kept))
        return dict(self.features.chosen)

    def _head(self, shards: Sequence[Shard], kept: Kept) -> Any:
        raise NotImplementedError

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


class OneText(FeaturesOfShards):
    """A text an example."""

    def _head(self, shards: Sequence[Shard], kept: Kept) -> list[Any]:
        texts = (text for shard in shards for text in self._first(shard, kept(shard.number)))
        return list(islice(texts, default_features.SAMPLE))

    def _first(self, shard: Shard, kept: Array | None) -> list[Any]:
        """Return the first texts of a shard."""
        left = None if kept is None else set(kept.tolist())
        found = (
            example
            for at, (example, _) in enumerate(self._rows(shard))
            if left is None or at in left
        )
        return list(islice(found, default_features.SAMPLE))

    def _rows(self, shard: Shard) -> Any:
        """Yield examples and labels."""
        return ((row.text, row.label) for row in shard.rows())

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the texts and labels of a shard."""
        found = list(self._rows(shard))
        examples = self._gathered(example for example, _ in found)
        return ShardRows(examples, [label for _, label in found]).kept(kept)

    def _gathered(self, examples: Iterable[Any]) -> Texts | TextTuples:
        return Texts(examples)


class SeveralTexts(OneText):
    """Texts in several columns."""

    def _rows(self, shard: Shard) -> Any:
        texts_of = GatheredTuples(self.features.names).texts_of
        for piece in shard.pieces:
            try:
                with piece.open_checked() as table:
                    yield from ((texts_of(table, row), row.label) for row in table)
            except DataFormatError as error:
                raise piece.located(error) from None

    def _gathered(self, examples: Iterable[Any]) -> Texts | TextTuples:
        return TextTuples(examples, self.features.names)
