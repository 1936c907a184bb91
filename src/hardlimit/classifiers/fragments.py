"""What fragments of words add to a score, given back to the words they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from hardlimit.classifiers.explanation import Explanation, TermContribution

_WORD = re.compile(r"\w\w+")
_STRAY = "(letters)"


def by_word(explanation: Explanation, text: str, top: int) -> Explanation:
    """Give what fragments of words add to the words they stand in; the sum stays the same.

    A fragment in several words of the text is shared out among them by how often it stands there.
    The value of such a sum is the number of terms in it. Without fragments only ``top`` acts.
    """
    terms = explanation.terms
    if any(_is_fragment(one.term) for one in terms):
        terms = tuple(_gathered(terms, text.lower().split()))
    ordered = sorted(terms, key=lambda one: (-abs(one.contribution), one.term))
    kept, left = ordered[:top], ordered[top:]
    others = sum(one.contribution for one in left)
    return replace(explanation, terms=tuple(kept), others=others, known_features=len(terms))


def _is_fragment(term: str) -> bool:
    return term.startswith("[")


def _gathered(terms: Iterable[TermContribution], pieces: list[str]) -> list[TermContribution]:
    shares: dict[str, list[float]] = {}
    for one in terms:
        for word, share in _holders(one.term, pieces):
            sums = shares.setdefault(word, [0, 0.0])
            sums[0] += 1
            sums[1] += share * one.contribution
    kind = type(next(iter(terms)))
    return [kind(word, count, total) for word, (count, total) in shares.items()]


def _holders(term: str, pieces: list[str]) -> list[tuple[str, float]]:
    """Return the words that a term belongs to, with its shares."""
    if not _is_fragment(term):
        return [(term, 1.0)]
    fragment = term[1:-1]
    found = {piece: f" {piece} ".count(fragment) for piece in pieces}
    total = sum(found.values())
    if not total:
        return [(_STRAY, 1.0)]
    return [(_named(piece), n / total) for piece, n in found.items() if n]


def _named(piece: str) -> str:
    """Name a piece of text as the words do: without the signs around it."""
    words = _WORD.findall(piece)
    return words[0] if len(words) == 1 else piece
