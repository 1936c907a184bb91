"""Texts, one or several an example."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from hardlimit.classifiers.fitting.vectorizing import check_names, new_vectorizer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.text_model import ColumnsModel, TextModel
from hardlimit.distributed.exact_terms import (
    ExactCounts,
    count_exact,
    fit_exact,
    keeps_all_terms,
)
from hardlimit.distributed.featurisers._protocol import (
    Ask,
    Chosen,
    Featuriser,
    Kept,
    ShardRows,
    size_of,
)
from hardlimit.distributed.fixed_terms import FixedCounts, count_fixed, fit_fixed
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import rows_of
from hardlimit.examples.of_rows import GatheredTuples
from hardlimit.examples.texts import Texts
from hardlimit.examples.tuples import TextTuples
from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.foundation.types import Array
from hardlimit.streaming.counting import TermCounts, count_part, fit_parts
from hardlimit.text import TextVectorizer, default_features

Counts = ExactCounts | TermCounts | FixedCounts


class Terms(NamedTuple):
    """The question for the terms of the texts."""


def count_terms(vectorizer: TextVectorizer, texts: list[Any], number: int) -> Counts:
    """Count the terms of the texts of a shard."""
    if _is_fixed(vectorizer):
        return count_fixed(vectorizer, texts)
    if keeps_all_terms(vectorizer):
        return count_exact(vectorizer, texts)
    return count_part(vectorizer, texts, number)


def fit_terms(vectorizer: TextVectorizer, parts: list[Any]) -> TextVectorizer:
    """Return the vectorizer that ``fit`` makes of all texts in the order of the shards."""
    if _is_fixed(vectorizer):
        return fit_fixed(parts)
    return (fit_exact if keeps_all_terms(vectorizer) else fit_parts)(vectorizer, parts)


def _is_fixed(vectorizer: TextVectorizer) -> bool:
    """Whether the columns are known before any text is."""
    return vectorizer.hash_bits is not None or vectorizer.vocabulary is not None


class OneText(Featuriser):
    """A text an example."""

    kind = TextModel
    vectorizer: Any

    def __init__(self, choices: Choices) -> None:
        """Choices are looked at when the first rows are there."""

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features by the first texts."""
        self.vectorizer, _ = new_vectorizer(choices, self._head(shards, kept))
        return {"words": self.vectorizer.words, "chars": self.vectorizer.chars}

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

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Count the terms."""
        self.vectorizer = fit_terms(self.vectorizer, ask(Terms()))

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the texts and labels of a shard."""
        found = list(self._rows(shard))
        examples = self._gathered(example for example, _ in found)
        return ShardRows(examples, [label for _, label in found]).kept(kept)

    def _gathered(self, examples: Iterable[Any]) -> Texts | TextTuples:
        return Texts(examples)

    def answer(self, question: Any, number: int, found: ShardRows) -> Any:
        """Count the terms of a shard."""
        texts: Any = found.examples
        return count_terms(self.vectorizer, texts, number)

    @property
    def n_columns(self) -> int:
        """Terms of all shards."""
        return int(self.vectorizer.n_columns_)

    def rows(self, examples: Any, bias: float) -> tuple[Any, int]:
        """Return texts as rows of the engine."""
        found = self.vectorizer.rows(examples)
        return rows_of(found, bias, "texts"), size_of(found.indptr, found.indices, found.data)

    @property
    def of_model(self) -> dict[str, Any]:
        """The vectorizer."""
        return {"fitted_vectorizer": self.vectorizer}

    def restore(self, model: Any, stored: dict[str, Any]) -> None:
        """Take the vectorizer of a model."""
        self.vectorizer = model.vectorizer


class SeveralTexts(OneText):
    """Texts in several columns."""

    kind = ColumnsModel

    def __init__(self, choices: Choices) -> None:
        assert choices.text is not None  # texts in columns
        self._names = check_names(choices.text.text_columns)

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features of each column by its first texts."""
        self.vectorizer, _ = new_vectorizer(choices, self._head(shards, kept))
        return {}

    def _rows(self, shard: Shard) -> Any:
        texts_of = GatheredTuples(self._names).texts_of
        for piece in shard.pieces:
            try:
                with piece.open_checked() as table:
                    yield from ((texts_of(table, row), row.label) for row in table)
            except DataFormatError as error:
                raise piece.located(error) from None

    def _gathered(self, examples: Iterable[Any]) -> Texts | TextTuples:
        return TextTuples(examples, self._names)

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Count the terms of each column."""
        found = ask(Terms())
        blocks = self.vectorizer.blocks
        for k, name in enumerate(self._names):
            try:
                blocks[k] = fit_terms(blocks[k], [counts[k] for counts in found])
            except InputError as error:  # of limits that leave this column no term
                raise error.replaced(where=f"the column {name!r}") from None
        self.vectorizer.place_blocks()

    def answer(self, question: Any, number: int, found: ShardRows) -> Any:
        """Count the terms of each column of a shard."""
        examples: Any = found.examples
        return [
            count_terms(block, examples.column(k), number)
            for k, block in enumerate(self.vectorizer.blocks)
        ]
