"""Where in a text the terms are that made its answer: for pages that highlight them.

The features of a piece of a text are those that the model makes of the piece alone, so that folding
of letters and cutting into words are the model's own. A term is first looked for in single words,
then in words in a row, as many as the model's longest term has; what it adds to the margin is
shared by its places, and within a place by its words::

    span(word) = sum over terms t at the word of push(t) / (places of t * words of a place)

What no piece explains, such as the intercept, belongs to no span.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from typing import NamedTuple

from hardlimit.live.state import State
from hardlimit.live.why import pushes_by_key
from hardlimit.live.writing import Writing

# A run without spaces, but each letter of a script without spaces by itself.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_UNSPACED}\U00020000-\U0003ffff]|[^\\s{_UNSPACED}\U00020000-\U0003ffff]+")
# Of a longer text, the words after these have no spans: each costs some microseconds.
MOST_WORDS = 20_000
MOST_IN_A_ROW = 5


class Span(NamedTuple):
    """Characters ``start <= i < end`` of a text, and what they add to the margin of its answer."""

    start: int
    end: int
    contribution: float


def find_spans(live: Writing, state: State, text: str, most: int) -> list[Span]:
    """Return the words that add most to the margin of the answer, in the order of the text."""
    words = [one.span() for one, _ in zip(_WORD.finditer(text), range(MOST_WORDS), strict=False)]
    pushes = pushes_by_key(live, state, live.base.row(state.overlay, text, False))
    totals = [0.0] * len(words)
    left = {key for key, push in pushes.items() if push}
    for length in range(1, _longest(live) + 1):
        places: dict[int, list[int]] = {}
        for first, key in _terms_of_pieces(live, state, text, words, length):
            if key in left:
                places.setdefault(key, []).append(first)
        for key, firsts in places.items():
            share = pushes[key] / (len(firsts) * length)
            for first in firsts:
                for place in range(first, first + length):
                    totals[place] += share
        left -= places.keys()
    found = [Span(*word, total) for word, total in zip(words, totals, strict=True) if total]
    largest = heapq.nlargest(most, found, key=lambda one: abs(one.contribution))
    return sorted(largest)


def _longest(live: Writing) -> int:
    """Return of how many words the longest terms are."""
    words = live.base.words_in_a_row
    return min(MOST_IN_A_ROW, max(1, words))


def _terms_of_pieces(
    live: Writing, state: State, text: str, words: list[tuple[int, int]], length: int
) -> Iterator[tuple[int, int]]:
    """Yield the first word and the key of each term of so many words in a row."""
    known: dict[str, list[int]] = {}
    for first in range(len(words) - length + 1):
        piece = text[words[first][0] : words[first + length - 1][1]]
        keys = known.get(piece)
        if keys is None:
            keys = known[piece] = list(live.base.row(state.overlay, piece, False).keys)
        for key in keys:
            yield first, key
