"""How labelled rows examine a model: what is counted of its answers, and the figures of that."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from hardlimit.classifiers.model.ask import COLUMNS, ONE, SETS
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_measuring import (
    LabelColumnCounting,
    LabelCounting,
    LabelReport,
    LabelTally,
    report_of_columns,
    report_of_labels,
)
from hardlimit.predictions.measuring import (
    Counting,
    MeasuredTally,
    Report,
    find_positive,
    report_of,
)


class OneLabelExamination:
    """Rows of one label each."""

    def check_positive(self, answerer: Answerer, positive: Hashable) -> None:
        """Refuse a positive class that there is not."""
        find_positive(answerer.classes, positive)

    def tally(self) -> MeasuredTally | LabelTally:
        """Return what was counted before the first row; tallies of other rows can be added."""
        return MeasuredTally()

    def counting(self, answerer: Answerer, least: float | None) -> Counting | LabelCounting:
        """Return what counts answers.

        least : a probability; what is at least as sure is counted too.
        """
        return Counting(answerer, least)

    def report(
        self, answerer: Answerer, tally: Any, positive: object, least: float | None
    ) -> Report | LabelReport:
        """Return the figures of what was counted."""
        found = report_of(answerer, tally, positive, least)
        found.things = answerer.form.noun
        return found


class LabelSetExamination(OneLabelExamination):
    """Rows of several labels each, of which none is the positive one."""

    def check_positive(self, answerer: Answerer, positive: Hashable) -> None:
        """Look at nothing."""

    def tally(self) -> MeasuredTally | LabelTally:
        """Return what was counted before the first row."""
        return LabelTally()

    def counting(self, answerer: Answerer, least: float | None) -> Counting | LabelCounting:
        """Return what counts the labels of answers."""
        return LabelCounting(answerer, least)

    def report(
        self, answerer: Answerer, tally: Any, positive: object, least: float | None
    ) -> Report | LabelReport:
        """Return the figures of what was counted."""
        return report_of_labels(answerer, tally, least)


class LabelColumnExamination(LabelSetExamination):
    """Rows with a value in every column of labels."""

    def counting(self, answerer: Answerer, least: float | None) -> Counting | LabelCounting:
        """Return what counts the values of answers."""
        return LabelColumnCounting(answerer, least)

    def report(
        self, answerer: Answerer, tally: Any, positive: Any, least: float | None
    ) -> Report | LabelReport:
        """Return the figures of what was counted."""
        return report_of_columns(answerer, tally, least)


_EXAMINATIONS = {
    ONE: OneLabelExamination(),
    SETS: LabelSetExamination(),
    COLUMNS: LabelColumnExamination(),
}


def examination_of(answerer: Answerer) -> OneLabelExamination:
    """Return how labelled rows examine a model."""
    return _EXAMINATIONS[answerer.labels.targets]
