"""Why a text got its class: the terms, and what each added to the score."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

SHOWN = 15  # terms that a printed explanation shows, the heaviest first


@dataclass(frozen=True)
class TermContribution:
    """One term of the text: its value in the row, and value times weight."""

    term: str
    value: float
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """The predicted class against its best rival.

    ``score`` is the rival's distance behind: intercept plus the contributions of all terms, largest
    first. ``known_features`` counts the terms of the text that the model knows; with 0 the answer
    rests on the intercept alone.
    """

    label: Hashable
    against: Hashable
    score: float
    intercept: float
    terms: tuple[TermContribution, ...]
    known_features: int
    others: float = 0.0  # what the terms left out by ``top`` add

    def __str__(self) -> str:
        lines = [f"{self.label!r} rather than {self.against!r}: {self.score:+.4f}"]
        if not self.known_features:
            lines.append("no term of this text is known to the model")
        shown = sorted(self.terms, key=lambda t: -abs(t.contribution))[:SHOWN]
        lines += [f"  {t.contribution:+.4f}  {t.term}" for t in shown]
        hidden = self.known_features - len(shown)
        if hidden:
            rest = self.score - self.intercept
            for t in shown:
                rest -= t.contribution
            lines.append(f"  {rest:+.4f}  ({hidden} more terms)")
        lines.append(f"  {self.intercept:+.4f}  (intercept)")
        return "\n".join(lines)


def explain(
    labels: tuple[Hashable, Hashable],
    contributions: list[TermContribution],
    intercept: float,
    top: int | None,
) -> Explanation:
    """Sort, add up and cut; the score is that of labels[0] over labels[1]."""
    ordered = sorted(contributions, key=lambda t: (-t.contribution, t.term))
    shown = ordered
    if top is not None and len(ordered) > top:
        telling = sorted(ordered, key=lambda t: -abs(t.contribution))[:top]
        kept = {t.term for t in telling}
        shown = [t for t in ordered if t.term in kept]
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
    )
