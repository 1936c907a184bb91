"""Terms that all stay: the vocabulary grows as in one fit, and parts are joined in their order.

Terms, columns and frequencies are those of one vocabulary that met all texts in turn: a term is
numbered when the first part that has it is joined, in the order of that part. Nothing is left out,
so that a part's vocabulary needs no more memory than the one that is wanted in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hardlimit.foundation.types import Array
from hardlimit.streaming.terms._protocol import TermCounts, TextQueue, finds_terms
from hardlimit.text import freezing
from hardlimit.text.batches import Texts
from hardlimit.text.vectorizer import TextVectorizer


class WholeCounter:
    """Counts the texts of a part by the features that a fit makes of them."""

    def __init__(self, vectorizer: TextVectorizer) -> None:
        self._vectorizer = vectorizer
        self._features = vectorizer.new_features()
        self._queue = TextQueue()
        self.n_replaced = 0

    def add(self, texts: Texts) -> None:
        """Count more texts."""
        self._count(self._queue.add(texts))

    def _count(self, some: Iterable[Texts]) -> None:
        for texts in some:
            self.n_replaced += self._vectorizer.count_into(self._features, texts)

    def fit(self, vectorizer: TextVectorizer, others: Sequence[TermCounts]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it."""
        if others:
            return self.packed().fit(vectorizer, others)
        self._count(self._queue.rest())
        return vectorizer.take_features(self._features, self.n_replaced)

    def packed(self) -> TermCounts:
        """Return the tables of the vocabulary, of which those of an idf are made in the end."""
        self._count(self._queue.rest())
        header = freezing.describe_features(self._vectorizer.get_params(), self._features)
        tables = freezing.dump_tables(self._features)
        if finds_terms(self._vectorizer):
            tables = {name: table for name, table in tables.items() if not name.startswith("idf")}
            return WholeCounts(tables, header["n_documents"], self.n_replaced)
        from hardlimit.streaming.terms.fixed import FixedCounts  # late: numpy

        return FixedCounts(header, tables, self.n_replaced)


class WholeCounts(NamedTuple):
    """The tables of a vocabulary, without idf."""

    tables: dict[str, Array]
    n_documents: int
    n_replaced: int

    def packed(self) -> WholeCounts:
        """Return this."""
        return self

    def fit(self, vectorizer: TextVectorizer, others: Sequence[Any]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it.

        Cost: one or two searches for each term of each part.
        """
        features, n_replaced = vectorizer.new_features(), 0
        for part in (self, *(other.packed() for other in others)):
            freezing.absorb_tables(features, part.tables, part.n_documents)
            n_replaced += part.n_replaced
        return vectorizer.take_features(features, n_replaced)
