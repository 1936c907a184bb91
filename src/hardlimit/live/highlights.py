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
from collections.abc import Sequence
from typing import NamedTuple

from hardlimit.live.state import OverlayState
from hardlimit.live.why import BIAS, pushes_by_key, see
from hardlimit.live.writing import Writing

# Letters of scripts that are written without spaces: Thai to Lao, Burmese, Khmer, kana, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# A run without spaces, but each of those letters by itself.
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
# Of a longer text, the words after these have no spans: each costs some microseconds.
MOST_WORDS = 20_000
MOST_IN_A_ROW = 5


class Span(NamedTuple):
    """Characters ``start <= i < end`` of a text, and what they add to the margin of its answer."""

    start: int
    end: int
    contribution: float


def find_spans(live: Writing, state: OverlayState, text: str, most: int) -> list[Span]:
    """Return the words that add most to the margin of the answer, in the order of the text."""
    words = [one.span() for one, _ in zip(_WORD.finditer(text), range(MOST_WORDS), strict=False)]
    pieces = _Pieces(live, state, text, words)
    with live.reading:
        whole = live.base.row(state.overlay, text, False)
        seen = see(state, whole)
    pushes = pushes_by_key(live.base, whole, seen)
    left = {key for key, push in pushes.items() if push and key != BIAS}
    totals = [0.0] * len(words)
    for chosen, length in pieces.rounds():
        if not left:
            break
        places = pieces.places(left, chosen, length)
        for key, rows in places.items():
            for row in rows:
                for word in row:
                    totals[word] += pushes[key] / (len(rows) * length)
        left -= places.keys()
    found = [Span(*word, total) for word, total in zip(words, totals, strict=True) if total]
    largest = heapq.nlargest(most, found, key=lambda one: abs(one.contribution))
    return sorted(largest)


class _Pieces:
    """The terms of pieces of a text; a piece that comes again is read once."""

    def __init__(
        self, live: Writing, state: OverlayState, text: str, words: list[tuple[int, int]]
    ) -> None:
        self._live, self._state, self._text, self._words = live, state, text, words
        self._known: dict[str, list[int]] = {}

    def rounds(self) -> list[tuple[list[int], int]]:
        """Return which words to look at, how many in a row.

        At last without those that have no term: a model may leave out single letters, and takes the
        words around one as neighbours.
        """
        every = list(range(len(self._words)))
        longest = min(MOST_IN_A_ROW, max(1, self._live.base.words_in_a_row))
        telling = [word for word in every if self._keys(word, word)]
        return [
            *((every, length) for length in range(1, longest + 1)),
            *((telling, length) for length in range(2, longest + 1)),
        ]

    def places(
        self, wanted: set[int], words: Sequence[int], length: int
    ) -> dict[int, list[Sequence[int]]]:
        """Return where terms are, each place as the words that it has."""
        found: dict[int, list[Sequence[int]]] = {}
        for first in range(len(words) - length + 1):
            row = words[first : first + length]
            for key in self._keys(row[0], row[-1]):
                if key in wanted:
                    found.setdefault(key, []).append(row)
        return found

    def _keys(self, first: int, last: int) -> list[int]:
        piece = self._text[self._words[first][0] : self._words[last][1]]
        keys = self._known.get(piece)
        if keys is None:
            # Not for all of a long text at once: corrections would wait for it.
            with self._live.reading:
                row = self._live.base.row(self._state.overlay, piece, False)
            keys = self._known[piece] = [key for key in row.keys if key != BIAS]
        return keys
