"""How good the answers of a model of several labels are: counted batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardlimit import evaluation
from hardlimit.evaluation.several_labels import LabelCounts
from hardlimit.foundation.labels import strange_value
from hardlimit.predictions import answerers
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.label_answers import RowAnswer
from hardlimit.predictions.measuring import Confident

if TYPE_CHECKING:
    from hardlimit.evaluation import LabelFigures
    from hardlimit.evaluation.label_ranking import LabelRanking, RankingSums


@dataclass
class LabelReport:
    """Figures of a model of several labels on some rows.

    Attributes
    ----------
    figures : LabelFigures
    ranking : LabelRanking or None
    unknown : int
        Texts none of whose terms the model knows.
    unseen : dict
        Labels of the rows that the model does not know, and how many rows have each.
    least, likely
        The figures of the labels whose probability is at least ``least``.
    confident : Confident or None
        Of columns of labels, the single answers whose probability is at least ``least``.
    """

    figures: LabelFigures
    ranking: LabelRanking | None
    unknown: int
    unseen: dict[Any, int] = field(default_factory=dict)
    least: float | None = None
    likely: LabelFigures | None = None
    confident: Confident | None = None

    @property
    def accuracy(self) -> float:
        """The subset accuracy: the share of rows with all labels right."""
        return self.figures.exact_match


def _no_sums() -> RankingSums:
    from hardlimit.evaluation.label_ranking import RankingSums  # late: numpy

    return RankingSums()


@dataclass
class LabelTally:
    """What was counted so far; it can be pickled.

    ranking : two numbers a row.    labels : rows by their labels as they stand in the file.
    sure, sure_right : single answers of columns that are probable enough, and those that are right.
    """

    counts: LabelCounts = field(default_factory=LabelCounts)
    likely: LabelCounts = field(default_factory=LabelCounts)
    ranking: RankingSums = field(default_factory=_no_sums)
    unseen: Counter[Any] = field(default_factory=Counter)
    labels: Counter[Any] = field(default_factory=Counter)
    unknown: int = 0
    sure: int = 0
    sure_right: int = 0

    def extend(self, later: LabelTally) -> None:
        """Add what was counted of later rows."""
        self.counts.extend(later.counts)
        self.likely.extend(later.likely)
        self.ranking.extend(later.ranking)
        self.unseen.update(later.unseen)
        self.labels.update(later.labels)
        self.unknown += later.unknown
        self.sure += later.sure
        self.sure_right += later.sure_right


class LabelCounting:
    """Counts the answers of a model, batch by batch.

    least : a probability; the labels that are at least as likely are counted too.
    """

    def __init__(self, answerer: Answerer, least: float | None = None) -> None:
        self._answerer, self._least = answerer, least
        self._places = {label: place for place, label in enumerate(answerer.classes)}
        self._known: dict[Any, Any] = {}
        self.tally = LabelTally()

    def take(self, answers: Sequence[RowAnswer], given: Sequence[Any]) -> None:
        """Count answers, which have all their scores, of rows with these labels."""
        import numpy as np

        tally = self.tally
        rows = [frozenset(labels) for labels in self._named(given)]
        truth = np.zeros((len(answers), len(self._places)), bool)
        for known, labels, answer, row in zip(truth, given, answers, rows, strict=True):
            known[[self._places[x] for x in row if x in self._places]] = True
            tally.labels.update(labels or ())
            tally.counts.add(row, self._chosen(answer))
            tally.unseen.update(row - self._places.keys())
            tally.unknown += answer.known_features == 0
        tally.ranking.add(np.array([answer.all_scores for answer in answers]), truth)
        if self._least is not None:
            self._take_probable(answers, rows, self._least)

    def _named(self, given: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """Yield the labels of rows in the words of the model."""
        return map(self._match, given)

    def _chosen(self, answer: RowAnswer) -> Sequence[Any]:
        """Return the labels that were predicted."""
        labels: Sequence[Any] = answer.label
        return labels

    def _take_probable(
        self, answers: Sequence[RowAnswer], rows: Sequence[frozenset[Any]], least: float
    ) -> None:
        """Count the labels that are probable enough."""
        for row, p in zip(rows, answerers.probabilities(self._answerer, answers), strict=True):
            pairs = zip(self._answerer.classes, p, strict=True)
            self.tally.likely.add(row, [x for x, one in pairs if one >= least])

    def _match(self, labels: Sequence[Any]) -> list[Any]:
        """Return the labels as the model knows them: a file may have their texts."""
        new = [label for label in dict.fromkeys(labels) if label not in self._known]
        matched = evaluation.match_labels(new, self._answerer.classes)
        self._known.update(zip(new, matched, strict=True))
        return [self._known[label] for label in labels]


class LabelColumnCounting(LabelCounting):
    """Counts the answers of columns of labels: a label is there where its second value is."""

    def __init__(self, answerer: Answerer, least: float | None = None) -> None:
        super().__init__(answerer, least)
        self._pairs: Sequence[Sequence[Any]] = answerer.labels.values(answerer.classes, None)
        self._n_rows = 0

    def _named(self, given: Sequence[Any]) -> Iterator[Sequence[Any]]:
        for labels in given:
            yield self._seconds(labels, self._n_rows)
            self._n_rows += 1

    def _chosen(self, answer: RowAnswer) -> Sequence[Any]:
        return self._seconds(answer.label, 0)

    def _seconds(self, values: Sequence[Any], row: int) -> list[Any]:
        """Return the columns of which a row has the second value."""
        found = []
        for name, pair, value in zip(self._answerer.classes, self._pairs, values, strict=True):
            if value == pair[1]:
                found.append(name)
            elif value != pair[0]:
                raise strange_value(row, name, value, pair)
        return found

    def _take_probable(
        self, answers: Sequence[RowAnswer], rows: Sequence[frozenset[Any]], least: float
    ) -> None:
        tally, labels = self.tally, self._answerer.labels
        given = answerers.probabilities(self._answerer, answers)
        for answer, row, p in zip(answers, rows, given, strict=True):
            chosen = frozenset(self._chosen(answer))
            pairs = zip(answer.classes, labels.probabilities(answer, p), strict=True)
            sure = [name for name, own in pairs if own >= least]
            tally.sure += len(sure)
            tally.sure_right += sum((name in row) == (name in chosen) for name in sure)


def report_of_columns(
    answerer: Answerer, tally: LabelTally, least: float | None = None
) -> LabelReport:
    """Return the figures of what was counted of columns of labels."""
    report = report_of_labels(answerer, tally)
    if least is not None:
        of = report.figures.n * len(answerer.classes)
        report.confident = Confident(least, tally.sure, tally.sure_right, of)
    return report


def report_of_labels(
    answerer: Answerer, tally: LabelTally, least: float | None = None
) -> LabelReport:
    """Return the figures of what was counted."""
    classes = answerer.classes
    return LabelReport(
        tally.counts.figures(classes),
        tally.ranking.figures(),
        tally.unknown,
        dict(tally.unseen.most_common()),
        least,
        None if least is None else tally.likely.figures(classes),
    )
