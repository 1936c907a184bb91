"""What a live model says of a text, how sure it is, and what it tells of a correction."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from hardlimit.foundation.labels import abstains, scores_of_classes
from hardlimit.live.confidence import probabilities, probability


@dataclass(frozen=True, slots=True)
class Standing:
    """The answer to one text: its class, and by how much that beats the best rival."""

    label: Hashable
    margin: float


@dataclass(frozen=True, slots=True)
class Flip:
    """A text whose answer changed. ``number`` is that of a remembered text, or of a guard."""

    number: int
    before: Hashable
    after: Hashable


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a correction, an undo or a dry run did.

    Attributes
    ----------
    id : of the entry in the ledger; None of a dry run
    kind : "correct", "confirm" or "undo"
    label : what the text was corrected to
    before, after : the answer to the text
    size : Euclidean length of the change of the weights
    flips : other remembered texts whose answer changed
    n_remembered : how many other texts are remembered
    guards_in_the_way : guards that the smallest change would flip, by their ids
    flagged : the guards that were flipped nevertheless, under ``guards="flag"``; of an undo those
        that held before it and do not hold now
    new_class, new_terms : whether the label was new, and how many terms were
    target : of an undo, the entry that was taken back
    refused : of an undo, later corrections that do not hold any more
    dry_run : whether nothing was changed
    fingerprint : of the model after it
    probability : of a correction or confirmation, the live one of the answer before
    """

    id: int | None
    kind: str
    label: Hashable
    before: Standing
    after: Standing
    size: float = 0.0
    flips: tuple[Flip, ...] = ()
    n_remembered: int = 0
    guards_in_the_way: tuple[int, ...] = ()
    flagged: tuple[int, ...] = ()
    new_class: bool = False
    new_terms: int = 0
    target: int | None = None
    refused: tuple[int, ...] = ()
    dry_run: bool = False
    fingerprint: str = ""
    probability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return asdict(self)


class AnswerWishes(NamedTuple):
    """What an answer has beside the label.

    top : so many of the likeliest labels. scores : the scores of all labels.
    terms : so many of the terms that add most to the margin.
    """

    top: int = 0
    scores: bool = False
    terms: int = 0

    def count(self, n_classes: int) -> int:
        """Return how many labels, scores and terms an answer has at most.

        >>> AnswerWishes(top=5, scores=True, terms=10).count(3)
        16
        """
        return min(self.top, n_classes) + n_classes * self.scores + self.terms


class Likely(NamedTuple):
    """One of the likeliest labels."""

    label: Hashable
    score: float
    probability: float


class TermPush(NamedTuple):
    """What one term adds to the margin of an answer, by the base and by all corrections."""

    term: str
    base: float
    corrections: float


class More(NamedTuple):
    """What was wanted beside the label.

    Attributes
    ----------
    top : the likeliest labels, that of the answer first
    scores : of each label, in the order of the classes
    terms : those that add most to the margin, the largest first; None where none were wanted
    """

    top: tuple[Likely, ...] = ()
    scores: tuple[tuple[Hashable, float], ...] = ()
    terms: tuple[TermPush, ...] | None = None


class Answer(NamedTuple):
    """What a live model says of a text.

    Attributes
    ----------
    number : of the text among the recent ones, as receipts name it; None of one that is not kept
    label : the class
    margin : by how much it beats the best rival
    probability : of the label, by the live slope (:mod:`hardlimit.live.confidence`)
    abstained : whether the probability is below ``abstain``, or no term of the text is known and
        some answers shall abstain
    fitted : the probability by the slope of the model file; None where it has none
    known_features : how many distinct terms of the text the base or a correction knows; with 0 the
        label is that of a text without words. None of a row of numbers
    more : what was wanted beside these
    """

    number: int | None
    label: Hashable
    margin: float
    probability: float
    abstained: bool
    fitted: float | None
    known_features: int | None
    more: More | None = None

    def without_more(self) -> Answer:
        """Return it without what was wanted beside the label."""
        return self._replace(more=None)


_NOTHING = AnswerWishes()


class Decider(NamedTuple):
    """Makes answers of scores, as the model is at one moment.

    Attributes
    ----------
    labels : a copy: an undo takes the label of a new class from the model's own list
    threshold : with two classes, a score above it means the second
    slope, fitted : of the probabilities, and the one of the model file
    abstain : the probability below which an answer abstains, and at any a text without a known
        term; None for none
    """

    labels: Sequence[Hashable]
    threshold: float
    slope: float
    fitted: float | None
    abstain: float | None

    def answer(
        self,
        number: int | None,
        scores: Sequence[float],
        known: int | None,
        wanted: AnswerWishes = _NOTHING,
        terms: tuple[TermPush, ...] | None = None,
    ) -> Answer:
        """Return an answer.

        scores : one of two classes, else one a class. known : how many terms are.
        terms : those that are wanted.
        """
        chosen, margin = margin_of(scores, self.threshold)
        p = probability(scores, chosen, margin, self.slope)
        fitted = None if self.fitted is None else probability(scores, chosen, margin, self.fitted)
        more = None
        if any(wanted):
            more = self._describe(scores, chosen, margin, wanted, terms)
        return Answer(
            number,
            self.labels[chosen],
            margin,
            p,
            abstains(p, self.abstain, known),
            fitted,
            known,
            more,
        )

    def _describe(
        self,
        scores: Sequence[float],
        chosen: int,
        margin: float,
        wanted: AnswerWishes,
        terms: tuple[TermPush, ...] | None,
    ) -> More:
        """Return the likeliest labels, the scores of all and the terms, as far as wanted."""
        wide = scores_of_classes(scores)
        top: tuple[Likely, ...] = ()
        if wanted.top:
            # A threshold may have decided otherwise than the scores.
            order = sorted(range(len(wide)), key=lambda k: (k != chosen, -wide[k]))[: wanted.top]
            p = probabilities(scores, chosen, margin, self.slope)
            top = tuple(Likely(self.labels[k], wide[k], p[k]) for k in order)
        pairs = zip(self.labels, wide, strict=True)
        return More(top, tuple(pairs) if wanted.scores else (), terms)


def margin_of(scores: Sequence[float], threshold: float) -> tuple[int, float]:
    """Return the class of scores, and by how much it beats the best rival; a tie: the first.

    >>> margin_of([2.0], 0.5), margin_of([1.0, 3.0, 2.5], 0.0)
    ((1, 1.5), (1, 0.5))
    """
    if len(scores) == 1:
        above = scores[0] - threshold
        return int(above > 0), abs(above)
    second, best = sorted(scores)[-2:]
    return scores.index(best), best - second
