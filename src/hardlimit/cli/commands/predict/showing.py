"""What is shown of an answer: the label or ``?``, its probability, the best classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.cli import judges
from hardlimit.cli.judges import Answer, Judge
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import format_label

if TYPE_CHECKING:
    from hardlimit.cli.commands.predict.command import PredictOptions

UNSURE = "?"


class Shown(NamedTuple):
    """An answer as it is shown: the label, and what was asked for beside the score.

    probability : of the answer, before the label became ``?``.
    top : the best classes with their probabilities, or scores.
    """

    answer: Answer
    label: Any
    probability: float | None = None
    top: Sequence[tuple[Any, float]] = ()
    top_name: str = "score"


class Showing:
    """What is asked for beside the score, of a model that must have it."""

    def __init__(self, judge: Judge, options: PredictOptions) -> None:
        self._judge, self._top, self._least = judge, options.top, options.min_probability
        self._answered = options.answered if options.exit_status is not None else None
        self.probability = options.probability or self._least is not None
        try:
            if self.probability:
                judges.require_slope(judge)
        except InputError as error:
            raise error.replaced(where=options.model) from None
        self._slope = judge.slope if self.probability or self._top else None
        self.top_name = "score" if self._slope is None else "probability"

    def shown(self, answers: Sequence[Answer]) -> Iterator[Shown]:
        """Yield the answers with what belongs to them."""
        for one in self._shown(answers):
            if self._answered is not None:
                self._answered.add(format_label(one.label))
            yield one

    def _shown(self, answers: Sequence[Answer]) -> Iterator[Shown]:
        if self._slope is None:
            for answer in answers:
                yield Shown(answer, answer.label, None, self._best(answer, None), self.top_name)
            return
        for answer, p in zip(answers, judges.probabilities(self._judge, answers), strict=True):
            own = max(p)
            sure = self._least is None or own >= self._least
            label = answer.label if sure else UNSURE
            probability = own if self.probability else None
            yield Shown(answer, label, probability, self._best(answer, p), self.top_name)

    def _best(self, answer: Answer, p: Sequence[float] | None) -> list[tuple[Any, float]]:
        """Return the best classes with their probabilities or scores, the predicted one first."""
        if self._top is None:
            return []
        pairs = list(answer.scores() if p is None else zip(answer.classes, p, strict=True))
        # A threshold may have decided otherwise than the scores.
        pairs.sort(key=lambda pair: (pair[0] != answer.label, -pair[1]))
        return pairs[: self._top]
