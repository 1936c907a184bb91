"""What is shown of an answer, as the options of the command ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hardlimit.foundation.formatting import format_label
from hardlimit.predictions import showing
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import RowAnswer
from hardlimit.predictions.showing import Shown, WantedColumns

if TYPE_CHECKING:
    from hardlimit.cli.commands.predict.command import PredictOptions
    from hardlimit.examples._protocol import Examples

__all__ = ["Shown", "ShownAnswers", "wanted_of"]


def wanted_of(options: PredictOptions) -> WantedColumns:
    """Return what the options ask for beside label and score."""
    return WantedColumns(
        options.scores,
        options.probability,
        options.top,
        options.min_probability,
        options.labels_separator,
        options.threshold,
        options.explain,
    )


class ShownAnswers(showing.Showing):
    """What is asked for beside the score; keeps the labels that were answered, where asked for."""

    def __init__(self, answerer: Answerer, options: PredictOptions) -> None:
        super().__init__(answerer, wanted_of(options), options.model)
        self._labels = answerer.labels
        self._answered = options.answered if options.exit_status is not None else None

    def shown(self, answers: Sequence[RowAnswer], examples: Examples) -> Iterator[Shown]:
        """Yield the answers with what belongs to them."""
        for one in super().shown(answers, examples):
            if self._answered is not None:
                self._answered.update(map(format_label, self._labels.each(one.answer, one.label)))
            yield one
