"""Why a live model answers as it does: its terms, their places, and the corrections."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from hardlimit._native import LiveRow
from hardlimit.foundation.labels import best_rival
from hardlimit.live.answer import TermPush, margin_of
from hardlimit.live.base import Base, count_known
from hardlimit.live.effect import HOLDS, read_effect, refuse_effect
from hardlimit.live.entry import Entry
from hardlimit.live.state import OverlayState, undone_entries
from hardlimit.live.writing import Writing

# The key of the bias: see native/live/row.hpp.
BIAS = 1 << 33


class Push(NamedTuple):
    """What one correction adds to the margin of an answer: below 0 it is against it."""

    id: int
    author: str
    time: str
    label: Hashable
    push: float


class Why(NamedTuple):
    """An answer, its best rival, and what made the margin between them.

    known_features : as :class:`hardlimit.live.answer.Answer` has it.
    n_corrections : those that touch this text at all; ``corrections`` has the largest.
    """

    label: Hashable
    rival: Hashable
    margin: float
    terms: tuple[TermPush, ...]
    corrections: tuple[Push, ...]
    n_corrections: int
    known_features: int | None


# The entry whose row a correction moved, and its steps by output.
Part = tuple[int, Sequence[tuple[int, float]]]
# Looks at the corrections while others write, before they have to wait.
PATIENCE = 3


def explain(live: Writing, text: object, top: int) -> Why:
    """Say which terms and which corrections made an answer. Cost: all corrections.

    Others go on writing meanwhile: entries that come later are left out. Only an undo changes what
    earlier ones do, and then all is looked at again.
    """
    for _ in range(PATIENCE):
        # Between two entries, of which the weights know as many as the ledger.
        with live.writer:
            state, last, undos = live.state, live.n_entries, dict(live.state.undos)
            begun = _begin(live, state, text, top)
        pushes = list(_pushes(live, state, last, begun))
        if live.state is state and state.undos == undos:
            return begun.finish(pushes, top)
    with live.writer:
        begun = _begin(live, live.state, text, top)
        pushes = list(_pushes(live, live.state, live.n_entries, begun))
        return begun.finish(pushes, top)


class _Begun(NamedTuple):
    """What is told by the weights of one moment, and what the corrections are asked with."""

    label: Hashable
    rival: Hashable
    margin: float
    terms: tuple[TermPush, ...]
    known_features: int | None
    row: LiveRow
    toward: Callable[[int, float], float]
    gone: set[int]

    def finish(self, pushes: Sequence[Push], top: int) -> Why:
        """Return the answer with the corrections that pushed it most."""
        largest = heapq.nlargest(top, pushes, key=lambda one: (abs(one.push), one.id))
        answer = self.label, self.rival, self.margin, self.terms
        return Why(*answer, tuple(largest), len(pushes), self.known_features)


def _begin(live: Writing, state: OverlayState, text: object, top: int) -> _Begun:
    row = live.base.row(state.overlay, text, False)
    seen = see(state, row)
    chosen, margin = margin_of(seen.scores, live.base.threshold)
    rival = best_rival(seen.scores, chosen)
    return _Begun(
        state.labels[chosen],
        state.labels[rival],
        margin,
        largest_terms(live.base, row, seen, top),
        count_known(live.base, row),
        row,
        _direction(len(seen.scores) == 1, chosen, rival),
        undone_entries(state.undos),
    )


def _pushes(live: Writing, state: OverlayState, last: int, begun: _Begun) -> Iterator[Push]:
    for entry, stored in live.ledger.entries_back(1, last):
        if entry.id in begun.gone:
            continue
        head = read_effect(entry.id, stored).head
        if head["status"] != HOLDS:
            continue
        try:
            push = sum(_push(live, state, entry, part, begun) for part in head["parts"])
        except (TypeError, ValueError, LookupError) as error:  # of a release without digests
            raise refuse_effect(entry.id, error) from None
        if push:
            yield Push(entry.id, entry.author, entry.time, entry.label, push)


def _push(live: Writing, state: OverlayState, entry: Entry, part: Part, begun: _Begun) -> float:
    source, steps = part
    its = entry if source == entry.id else live.ledger.pick([source])[0]
    move = sum(begun.toward(int(output), float(step)) for output, step in steps)
    if not move:
        return 0.0
    with live.reading:
        return move * state.known_row_of(its).dot(begun.row)


class SeenRow(NamedTuple):
    """What the weights of one moment give a row; read under their lock, the rest needs none.

    scores : one of two classes, else one a class. touched : what corrections moved, as
    ``Overlay.contributions`` has it. names : of the terms among these that the base does not know.
    """

    scores: list[float]
    touched: list[tuple[int, float, list[tuple[int, float]]]]
    names: dict[int, str]


def see(state: OverlayState, row: LiveRow) -> SeenRow:
    """Return what the weights of now give a row."""
    overlay = state.overlay
    touched = overlay.contributions(row)
    fresh = [key for key, _, _ in touched if key >> 32 == 1]
    names = {key: str(overlay.term(key & 0xFFFFFFFF)) for key in fresh}
    return SeenRow(overlay.scores(row), touched, names)


def largest_terms(base: Base[Any], row: LiveRow, seen: SeenRow, top: int) -> tuple[TermPush, ...]:
    """Return the terms of a row that add most to the margin of its answer, the largest first."""
    pushes = _pushes_by_key(base, row, seen)
    found = [(key, one[0], one[1]) for key, one in pushes.items() if any(one)]
    # A long text has hundreds of thousands of terms: only those get a name that may be shown.
    sizes = heapq.nlargest(top, (abs(of_base + moved) for _, of_base, moved in found))
    least = sizes[-1] if sizes else math.inf
    terms = [
        TermPush(seen.names.get(key) or _name_of(base, key), of_base, moved)
        for key, of_base, moved in found
        if abs(of_base + moved) >= least
    ]
    terms.sort(key=lambda one: (-abs(one.base + one.corrections), one.term))
    return tuple(terms[:top])


def pushes_by_key(base: Base[Any], row: LiveRow, seen: SeenRow) -> dict[int, float]:
    """Return what each column or new term of a row adds to the margin of its answer."""
    found = _pushes_by_key(base, row, seen)
    return {key: of_base + moved for key, (of_base, moved) in found.items()}


def _direction(two: bool, chosen: int, rival: int) -> Callable[[int, float], float]:
    """Return the function from an output's weight to what it adds to the margin."""

    def toward(output: int, weight: float) -> float:
        if two:
            return (weight if chosen else -weight) if output == 1 else 0.0
        return weight if output == chosen else -weight if output == rival else 0.0

    return toward


def _pushes_by_key(base: Base[Any], row: LiveRow, seen: SeenRow) -> dict[int, list[float]]:
    """Return what base and corrections add, by the key of the weight."""
    chosen, _ = margin_of(seen.scores, base.threshold)
    rival = best_rival(seen.scores, chosen)
    toward = _direction(len(seen.scores) == 1, chosen, rival)
    lead = _lead(len(base.classes), chosen, rival)
    found: dict[int, list[float]] = {}
    for key, value in zip(row.keys, row.values, strict=True):
        if not key >> 32:
            found[key] = [value * lead(base.weights_of(key), 0.0), 0.0]
    found[BIAS] = [lead(base.intercept, base.threshold), 0.0]
    for key, value, cells in seen.touched:
        one = found.setdefault(key, [0.0, 0.0])
        one[1] += sum(toward(output, weight) * value for output, weight in cells)
    return found


def _lead(n_base: int, chosen: int, rival: int) -> Callable[[Sequence[float], float], float]:
    """Return the function from the base's numbers to those of the answer less those of its rival.

    Of two classes the first has the threshold, of new ones each has the mean: see
    ``native/live/overlay.hpp``.
    """
    known = max(chosen, rival) < n_base

    def lead(numbers: Sequence[float], first: float) -> float:
        every = [first, *numbers] if n_base == 2 else numbers
        if known:
            return every[chosen] - every[rival]
        mean = math.fsum(every) / len(every)
        of_each = [every[k] if k < n_base else mean for k in (chosen, rival)]
        return of_each[0] - of_each[1]

    return lead


def _name_of(base: Base[Any], key: int) -> str:
    """Return the name of a column or of the bias."""
    return "(intercept)" if key >> 33 else base.name(key)


def term_name(live: Writing, state: OverlayState, key: int) -> str:
    """Return the term of a weight."""
    if key >> 32 == 1:
        return str(state.overlay.term(key & 0xFFFFFFFF))
    return _name_of(live.base, key)


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
    """Return the words that add most to the margin of the answer, in the order of the text.

    The features of a piece of a text are those that the model makes of the piece alone, so that
    folding of letters and cutting into words are the model's own. A term is first looked for in
    single words, then in words in a row, as many as the model's longest term has; what it adds
    to the margin is shared by its places, and within a place by its words::

        span(word) = sum over terms t at the word of push(t) / (places of t * words of a place)

    What no piece explains, such as the intercept, belongs to no span.
    """
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
