"""Showing what each term of a text added to its score."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hardlimit.cli import models, terminal

if TYPE_CHECKING:
    from hardlimit.classifiers.explanation import Explanation, TermContribution

_BAR = 20
_WORD = re.compile(r"\w\w+")
_HEADER = (">contribution", "", "term", ">value")
_STRAY = "(letters)"


def show(explanation: Explanation) -> None:
    """Print the answer and a table of contributions, the largest first."""
    label, against = models.shown(explanation.label), models.shown(explanation.against)
    answer = terminal.paint(label, "bold")
    terminal.say(f"{answer}  (score {explanation.score:+.3f} against {against})")
    if not explanation.known_features:
        terminal.say("  No term of this text is known to the model: the answer is its default.")
    terminal.say()
    is_sum = any(isinstance(one.value, int) for one in explanation.terms)
    header = (">contribution", "", "word", ">terms") if is_sum else _HEADER
    for line in terminal.table(header, _rows(explanation)):
        terminal.say(line)


def by_word(explanation: Explanation, text: str, top: int) -> Explanation:
    """Give what fragments of words add to the words they stand in; the sum stays the same.

    A fragment in several words of the text is shared out among them by how often it stands there.
    The value of such a sum is the number of terms in it. Without fragments only ``top`` acts.
    """
    terms = explanation.terms
    if any(_is_fragment(one.term) for one in terms):
        terms = tuple(_gathered(terms, text.lower().split()))
    kept = set(sorted(terms, key=lambda one: -abs(one.contribution))[:top])
    others = sum(one.contribution for one in terms if one not in kept)
    ordered = sorted(kept, key=lambda one: (-one.contribution, one.term))
    return replace(explanation, terms=tuple(ordered), others=others, known_features=len(terms))


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


def _rows(explanation: Explanation) -> list[tuple[str, str, str, str]]:
    largest = max((abs(one.contribution) for one in explanation.terms), default=0.0)
    rows = [
        (
            f"{one.contribution:+.3f}",
            _bar(one.contribution, largest),
            one.term,
            f"{one.value}" if isinstance(one.value, int) else f"{one.value:.3f}",
        )
        for one in explanation.terms
    ]
    left = explanation.known_features - len(explanation.terms)
    if left > 0:
        more = f"({terminal.count(left, 'more term')})"
        rows.append((f"{explanation.others:+.3f}", "", more, ""))
    rows.append((f"{explanation.intercept:+.3f}", "", "(intercept)", ""))
    total = f"{explanation.score:+.3f}"
    rows.append(("-" * len(total), "", "", ""))
    rows.append((total, "", f"score of {models.shown(explanation.label)}", ""))
    return rows


def _bar(contribution: float, largest: float) -> str:
    length = round(_BAR * abs(contribution) / largest) if largest else 0
    return ("+" if contribution > 0 else "-") * length


def plain(explanation: Explanation) -> dict[str, Any]:
    """Return the explanation as plain JSON; terms that were cut off are summed in ``others``."""
    return {
        "label": explanation.label,
        "against": explanation.against,
        "score": explanation.score,
        "intercept": explanation.intercept,
        "known_features": explanation.known_features,
        "terms": [
            {"term": one.term, "value": one.value, "contribution": one.contribution}
            for one in explanation.terms
        ],
        "others": explanation.others,
    }
