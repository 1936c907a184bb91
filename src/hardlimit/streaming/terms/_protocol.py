"""What counts terms, and what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from hardlimit.examples.texts import TEXT
from hardlimit.text.batches import Texts
from hardlimit.text.vectorizer import TextVectorizer

# Bytes of terms that are in memory at once where some are left out, and the fewest.
BUDGET = 64 << 20
LEAST_BUDGET = 1 << 20
CHOSEN = 200  # bytes of a kept term while it is chosen
# Texts that are gathered before they are counted, and their characters.
_MOST_TEXTS, _MOST_CHARACTERS = 8192, 1 << 22


class TextQueue:
    """Texts that come a few at a time, held until they are worth a call of all threads."""

    def __init__(self) -> None:
        self._texts: list[Any] = []
        self._size = 0

    def add(self, texts: Texts) -> Iterator[Texts]:
        """Yield what is to be counted now, in the order in which it came."""
        if not isinstance(texts, list) or len(texts) >= _MOST_TEXTS:
            yield from self.rest()
            yield texts
            return
        self._texts += texts
        # What is no text is refused where it is counted.
        self._size += sum(len(text) for text in texts if isinstance(text, TEXT))
        if len(self._texts) >= _MOST_TEXTS or self._size >= _MOST_CHARACTERS:
            yield from self.rest()

    def rest(self) -> Iterator[Texts]:
        """Yield the texts that are held."""
        if self._texts:
            texts, self._texts, self._size = self._texts, [], 0
            yield texts


class TermCounts(Protocol):
    """What was counted of a part of the texts."""

    def packed(self) -> TermCounts:
        """Return this as it travels."""

    def fit(self, vectorizer: TextVectorizer, others: Sequence[TermCounts]) -> TextVectorizer:
        """Return the vectorizer of this part and of those behind it, counted in the same way."""


class TermCounter(TermCounts, Protocol):
    """Counts the terms of texts as they come."""

    def add(self, texts: Texts) -> None:
        """Count more texts."""


class _Columns(Protocol):
    @property
    def hash_bits(self) -> int | None:
        """The bits of a hash, or None."""

    @property
    def vocabulary(self) -> Any:
        """The terms that were given, or None."""


def finds_terms(settings: _Columns) -> bool:
    """Whether the terms of the texts become columns: these are neither hashed nor given.

    settings : a vectorizer, or the settings of one.

    >>> finds_terms(TextVectorizer()), finds_terms(TextVectorizer(hash_bits=20))
    (True, False)
    """
    return settings.hash_bits is None and settings.vocabulary is None
