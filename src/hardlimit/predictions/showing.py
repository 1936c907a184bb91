"""What is shown of an answer: the label or ``?``, its probability, the best classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.exceptions import InputError
from hardlimit.predictions import answerers
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import RowAnswer

if TYPE_CHECKING:
    from hardlimit.examples._protocol import Examples
    from hardlimit.predictions.telling import TellingTerm


class WantedColumns(NamedTuple):
    """What is asked for beside label and score.

    top : so many of the best classes.    min_probability : below it the label is ``?``, and of
    texts without a known term.
    separator : between several labels in one cell, if not that of the training file.
    threshold : what decides instead of the model's own.    explain : so many telling terms.
    """

    scores: bool = False
    probability: bool = False
    top: int | None = None
    min_probability: float | None = None
    separator: str | None = None
    threshold: float | None = None
    explain: int | None = None


class Shown(NamedTuple):
    """An answer as it is shown: the label, and what was asked for beside the score.

    label : of a model of sets of labels a tuple of those that are predicted, or likely enough; of
    columns of labels the tuple of their values.
    probabilities : of the answer, before the label became ``?``; of a set of labels of the best, of
    columns of labels of each value; empty where none is asked for.
    top : the best classes with their probabilities, or scores.
    terms : those that tell most for the label, or against it; None where none were asked for.
    """

    answer: RowAnswer
    label: Any
    probabilities: Sequence[float] = ()
    top: Sequence[tuple[Any, float]] = ()
    top_name: str = "score"
    terms: Sequence[TellingTerm] | None = None


class Showing:
    """What is asked for beside the score, of a model that must have it.

    where : what errors call the model.
    """

    def __init__(self, answerer: Answerer, wanted: WantedColumns, where: str = "") -> None:
        self._answerer, self._top, self._least = answerer, wanted.top, wanted.min_probability
        self.probability = wanted.probability or self._least is not None
        try:
            if self.probability:
                answerers.require_slope(answerer)
        except InputError as error:
            raise error.replaced(where=where) from None
        self._teller = None
        if wanted.explain is not None:
            from hardlimit.predictions.telling import Teller  # start-up: answers do without

            self._teller = Teller(answerer, wanted.explain, where)
        self._slope = answerer.slope if self.probability or self._top else None
        self.top_name = "score" if self._slope is None else "probability"

    def shown(self, answers: Sequence[RowAnswer], examples: Examples) -> Iterator[Shown]:
        """Yield the answers to some examples with what belongs to them."""
        if self._teller is None:
            yield from self._shown(answers)
            return
        told = self._teller.tell(answers, examples)
        for one, terms in zip(self._shown(answers), told, strict=True):
            yield one._replace(terms=terms)

    def _shown(self, answers: Sequence[RowAnswer]) -> Iterator[Shown]:
        if self._slope is None:
            for answer in answers:
                yield Shown(answer, answer.label, (), self._best(answer, None), self.top_name)
            return
        for answer, p in zip(
            answers, answerers.probabilities(self._answerer, answers), strict=True
        ):
            own = self._answerer.labels.probabilities(answer, p) if self.probability else ()
            label = self._label(answer, p)
            yield Shown(answer, label, own, self._best(answer, p), self.top_name)

    def _label(self, answer: RowAnswer, p: Sequence[float]) -> Any:
        """Return the answer if it is sure enough; of several labels those that are."""
        least = self._least
        return answer.label if least is None else self._answerer.labels.sure(answer, p, least)

    def _best(self, answer: RowAnswer, p: Sequence[float] | None) -> list[tuple[Any, float]]:
        """Return the best classes with their probabilities or scores, the predicted one first."""
        if self._top is None:
            return []
        pairs = list(answer.scores() if p is None else zip(answer.classes, p, strict=True))
        # A threshold may have decided otherwise than the scores.
        is_below = self._answerer.labels.is_below
        pairs.sort(key=lambda pair: (is_below(answer, pair[0]), -pair[1]))
        return pairs[: self._top]
