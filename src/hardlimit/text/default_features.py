"""Which features a text classifier takes when it is left to choose.

Words alone serve long texts; short messages say little in whole words, and gain from the letters
inside them (``benchmarks/DEFAULTS.md`` has the measurement).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any, TypeAlias

# A range of sizes, None for no such features, or "auto".
Range: TypeAlias = "tuple[int, int] | str | None"

SAMPLE = 10_000  # texts that are looked at
SHORT = 500  # characters (bytes, for bytes): texts with a median below are short messages

WORDS = (1, 2)
CHARS = (2, 5)
# Of words and of characters beside them; 0.85^2 + 0.53^2 = 1.003, so that rows have length 1.
BLOCK_WEIGHTS = (0.85, 0.53)


def choose(words: Range, chars: Range, texts: Iterable[Any]) -> tuple[Range, Range, Iterable[Any]]:
    """Replace ``"auto"``; gives (words, chars, the same texts).

    >>> choose("auto", "auto", ["win a prize now", "lunch at noon?"])[:2]
    ((1, 2), (2, 5))
    """
    items = iter(texts)
    first = list(islice(items, SAMPLE))
    if isinstance(words, str) and words == "auto":
        words = WORDS
    if isinstance(chars, str) and chars == "auto":
        chars = CHARS if first and _median_length(first) < SHORT else None
    # A list stays one: how much there is in all is known of it.
    return words, chars, texts if isinstance(texts, list) else chain(first, items)


def _median_length(texts: list[Any]) -> int:
    lengths = sorted(len(text) for text in texts if isinstance(text, str | bytes))
    return lengths[len(lengths) // 2] if lengths else SHORT
