"""What counts terms, and what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from hardlimit.text.batches import Texts
from hardlimit.text.vectorizer import TextVectorizer

# Bytes of terms that are in memory at once where some are left out, and the fewest.
BUDGET = 64 << 20
LEAST_BUDGET = 1 << 20
CHOSEN = 200  # bytes of a kept term while it is chosen


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
