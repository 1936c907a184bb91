"""Why an example got its class: its terms or columns, and what each added to the score."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hardlimit.foundation.formatting import format_signed, plural

SHOWN = 15  # terms that a printed explanation shows, the heaviest first


@dataclass(frozen=True)
class TermContribution:
    """One term of a text, column or support: its value in the row, and value times weight."""

    term: str
    value: float
    contribution: float


@dataclass(frozen=True)
class BlockContribution:
    """What the terms of one block added together: words, characters, or a column of texts."""

    block: str
    n_terms: int
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """The predicted class against its best rival, or against the class that was asked for.

    ``score`` is the distance of ``against`` behind: intercept plus the contributions of all terms,
    largest first. ``known_features`` counts the terms of the text that the model knows; with 0 the
    answer rests on the intercept alone. ``thing`` is what the terms are: term, column, support.
    ``blocks`` tells what words, characters and each column of texts add, in their order by name,
    where the known terms are of several blocks; with the intercept they too add up to the score.
    """

    label: Hashable
    against: Hashable
    score: float
    intercept: float
    terms: tuple[TermContribution, ...]
    known_features: int
    others: float = 0.0  # what the terms left out by ``top`` add
    thing: str = "term"
    blocks: tuple[BlockContribution, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.label!r} rather than {self.against!r}: {format_signed(self.score, 4)}"]
        if not self.known_features:
            lines.append(self.nothing)
        shown = sorted(self.terms, key=lambda t: -abs(t.contribution))[:SHOWN]
        lines += [f"  {format_signed(t.contribution, 4)}  {t.term}" for t in shown]
        hidden = self.known_features - len(shown)
        if hidden:
            rest = self.score - self.intercept
            for t in shown:
                rest -= t.contribution
            lines.append(f"  {format_signed(rest, 4)}  ({plural(hidden, f'more {self.thing}')})")
        lines.append(f"  {format_signed(self.intercept, 4)}  (intercept)")
        if self.blocks:
            lines.append("of which")
        for one in self.blocks:
            terms = plural(one.n_terms, self.thing)
            lines.append(f"  {format_signed(one.contribution, 4)}  {one.block} ({terms})")
        return "\n".join(lines)

    @property
    def nothing(self) -> str:
        """What there is to say where nothing but the intercept counts."""
        if self.thing == "term":
            return "no term of this text is known to the model"
        return f"no {self.thing} adds anything for this row"


def explain(
    labels: tuple[Hashable, Hashable],
    contributions: list[TermContribution],
    intercept: float,
    top: int | None,
    thing: str = "term",
    block_of: Callable[[str], str] | None = None,
) -> Explanation:
    """Sort, add up and cut; the score is that of labels[0] over labels[1].

    block_of : the name of the block that a term is of
    """
    # By name among equals, so that a loaded model explains in the same order.
    ordered = sorted(contributions, key=lambda t: (-t.contribution, t.term))
    shown = ordered
    if top is not None and len(ordered) > top:
        telling = sorted(ordered, key=lambda t: -abs(t.contribution))[:top]
        kept = {t.term for t in telling}
        shown = [t for t in ordered if t.term in kept]
    # Added one by one in this order: the printed terms add up to the printed score.
    total = intercept
    for t in ordered:
        total += t.contribution
    others = total - intercept
    for t in shown:
        others -= t.contribution
    return Explanation(
        label=labels[0],
        against=labels[1],
        score=total,
        intercept=intercept,
        terms=tuple(shown),
        known_features=len(ordered),
        others=others if len(shown) < len(ordered) else 0.0,
        thing=thing,
        blocks=() if block_of is None else sum_blocks(ordered, block_of),
    )


def sum_blocks(
    terms: Iterable[TermContribution], block_of: Callable[[str], str]
) -> tuple[BlockContribution, ...]:
    """Add up the terms of each block; nothing where all are of one.

    >>> terms = [TermContribution("win", 1, 0.5), TermContribution("[wi]", 1, 0.25)]
    >>> [(one.block, one.contribution) for one in sum_blocks(terms, block_of_term)]
    [('characters', 0.25), ('words', 0.5)]
    """
    found: dict[str, tuple[int, float]] = {}
    for one in terms:
        count, total = found.get(block_of(one.term), (0, 0.0))
        found[block_of(one.term)] = count + 1, total + one.contribution
    blocks = [BlockContribution(name, *sums) for name, sums in sorted(found.items())]
    return tuple(blocks) if len(blocks) > 1 else ()


def block_of_term(term: str) -> str:
    """Return the name of the block of a term of a text.

    >>> block_of_term("win now"), block_of_term("{中文}"), block_of_term("[ wi]")
    ('words', 'words', 'characters')
    """
    if not term:  # of a bucket of a hash that nothing has named
        return "unnamed"
    return "characters" if _is_fragment(term) else "words"


def blocks_of_columns(names: Sequence[str]) -> Callable[[str], str]:
    """Return the function from terms of several columns of texts to their blocks.

    >>> blocks_of_columns(("subject", "body"))("body: [ wi]")
    'body: characters'
    """
    # A name may be the beginning of another one, "to" of "to: cc".
    longest = sorted(names, key=len, reverse=True)

    def block_of(term: str) -> str:
        for name in longest:
            if term.startswith(begin := f"{name}: "):
                return begin + block_of_term(term.removeprefix(begin))
        return block_of_term("")

    return block_of


_WORD = re.compile(r"\w\w+")
_STRAY = "(letters)"


def share_among_words(explanation: Explanation, text: str, top: int) -> Explanation:
    """Give what fragments of words add to the words they stand in; the sum stays the same.

    A fragment in several words of the text is shared out among them by how often it stands there.
    The value of such a sum is the number of terms in it. Without fragments only ``top`` acts.
    """
    terms = explanation.terms
    if any(_is_fragment(one.term) for one in terms):
        terms = tuple(_gathered(terms, text.lower().split()))
    return keep_heaviest(replace(explanation, terms=tuple(terms), known_features=len(terms)), top)


def keep_heaviest(explanation: Explanation, top: int) -> Explanation:
    """Return an explanation with the ``top`` heaviest of its terms, and the sum of the others."""
    ordered = sorted(explanation.terms, key=lambda one: (-abs(one.contribution), one.term))
    others = sum(one.contribution for one in ordered[top:])
    return replace(explanation, terms=tuple(ordered[:top]), others=others)


def share_among_columns(
    explanation: Explanation, texts: Mapping[str, str], top: int
) -> Explanation:
    """Give what fragments add to the words of their column of texts: see `share_among_words`.

    texts : the text of each column, whose terms are named ``column: term``; others stay as they are
    """
    begins = tuple(f"{name}: " for name in texts)
    gathered = [one for one in explanation.terms if not one.term.startswith(begins)]
    for name, text in texts.items():
        own = terms_of_column(explanation, name)
        shared = share_among_words(replace(explanation, terms=own), text, len(own))
        gathered += [replace(one, term=f"{name}: {one.term}") for one in shared.terms]
    whole = replace(explanation, terms=tuple(gathered), known_features=len(gathered))
    return share_among_words(whole, "", top)


def rename_columns(explanation: Explanation, names: Mapping[str, str]) -> Explanation:
    """Return an explanation with other names of its columns."""
    terms = [replace(one, term=names.get(one.term, one.term)) for one in explanation.terms]
    return replace(explanation, terms=tuple(terms))


def terms_of_column(explanation: Explanation, name: str) -> tuple[TermContribution, ...]:
    """Return the terms of one column of texts, without the name of the column.

    >>> terms = (TermContribution("body: win", 1, 0.5), TermContribution("subject: win", 1, 0.2))
    >>> found = terms_of_column(Explanation("spam", "ham", 0.7, 0.0, terms, 2), "subject")
    >>> [one.term for one in found]
    ['win']
    """
    begin = f"{name}: "
    return tuple(
        replace(one, term=one.term.removeprefix(begin))
        for one in explanation.terms
        if one.term.startswith(begin)
    )


def _is_fragment(term: str) -> bool:
    return term.startswith("[")


def _gathered(terms: Iterable[TermContribution], pieces: list[str]) -> list[TermContribution]:
    terms = list(terms)
    fragments = {one.term[1:-1] for one in terms if _is_fragment(one.term)}
    counts = _count_in_pieces(fragments, pieces)
    shares: dict[str, list[float]] = {}
    for one in terms:
        for word, share in _holders(one.term, counts):
            sums = shares.setdefault(word, [0, 0.0])
            sums[0] += 1
            sums[1] += share * one.contribution
    kind = type(terms[0])
    return [kind(word, count, total) for word, (count, total) in shares.items()]


def _count_in_pieces(fragments: set[str], pieces: list[str]) -> dict[str, dict[str, int]]:
    """Return how often each fragment stands in each piece that holds it, overlaps not counted.

    Each piece is cut into fragments once: O(characters x lengths), not fragments x pieces.
    """
    lengths = sorted({len(fragment) for fragment in fragments})
    counts: dict[str, dict[str, int]] = {fragment: {} for fragment in fragments}
    for piece in dict.fromkeys(pieces):
        text, ends = f" {piece} ", dict[str, int]()
        for length in lengths:
            for start in range(len(text) - length + 1):
                fragment = text[start : start + length]
                held = counts.get(fragment)
                if held is not None and start >= ends.get(fragment, 0):
                    ends[fragment] = start + length
                    held[piece] = held.get(piece, 0) + 1
    return counts


def _holders(term: str, counts: dict[str, dict[str, int]]) -> list[tuple[str, float]]:
    """Return the words that a term belongs to, with its shares."""
    if not _is_fragment(term):
        return [(term, 1.0)]
    found = counts[term[1:-1]]
    total = sum(found.values())
    if not total:
        return [(_STRAY, 1.0)]
    return [(_named(piece), n / total) for piece, n in found.items()]


def _named(piece: str) -> str:
    """Name a piece of text as the words do: without the signs around it."""
    words = _WORD.findall(piece)
    return words[0] if len(words) == 1 else piece


def weigh_words(explanation: Explanation, text: str) -> dict[str, float]:
    """Return what each word of a text adds, in lower case; n-grams are shared among their words.

    >>> terms = (TermContribution("win", 1, 0.5), TermContribution("win now", 1, 0.2))
    >>> weigh_words(Explanation("spam", "ham", 0.7, 0.0, terms, 2), "Win now!")
    {'win': 0.6, 'now': 0.1}
    """
    found: dict[str, float] = {}
    for one in share_among_words(explanation, text, len(explanation.terms)).terms:
        words = _WORDS.findall(one.term)
        for word in words:
            found[word] = found.get(word, 0.0) + one.contribution / len(words)
    return found


_WORDS = re.compile(r"\w+")


def weigh_words_of_columns(
    explanation: Explanation, texts: Mapping[str, str]
) -> dict[str, dict[str, float]]:
    """Return what each word of each column of texts adds: see `weigh_words`."""
    return {
        name: weigh_words(replace(explanation, terms=terms_of_column(explanation, name)), text)
        for name, text in texts.items()
    }


def split_words(text: str, weights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Cut a text into pieces, words with their weights and all between them with 0.

    >>> split_words("Win, now", {"win": 0.5})
    [('Win', 0.5), (', now', 0.0)]
    """
    pieces: list[tuple[str, float]] = []
    for piece in _PIECES.split(text):
        # Terms are in lower case, the text is shown as it was written.
        weight = weights.get(piece.lower(), 0.0)
        if pieces and not weight and not pieces[-1][1]:
            pieces[-1] = (pieces[-1][0] + piece, 0.0)
        elif piece:
            pieces.append((piece, weight))
    return pieces


_PIECES = re.compile(r"(\w+)")
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?]+(?=\s)|\n+|$)\s*")


def telling_sentences(text: str, weights: dict[str, float], most: int = 1000) -> str:
    """Return a text whole if it is short, else its sentences with the heaviest words.

    As many characters as ``most`` at least in those sentences; what is left out is " ... ".

    >>> telling_sentences("Hello. Win it now! Bye.", {"win": 1.0}, 12)
    '... Win it now!'
    """
    if len(text) <= most:
        return text
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    weight = [
        sum(abs(weights.get(word, 0.0)) for word in dict.fromkeys(_WORDS.findall(one.lower())))
        for one in sentences
    ]
    kept: set[int] = set()
    length = 0
    for place in sorted(range(len(sentences)), key=lambda place: (-weight[place], place)):
        if length >= most or not weight[place]:
            break
        kept.add(place)
        length += len(sentences[place])
    parts: list[str] = []
    for place, sentence in enumerate(sentences):
        if place in kept:
            parts.append(sentence if sentence[-1:].isspace() else sentence + " ")
        elif not parts or parts[-1] != "... ":
            parts.append("... ")
    return "".join(parts).strip()
