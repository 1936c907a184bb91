"""How good the answers of a model of several labels are: counted batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardlimit import evaluation
from hardlimit.evaluation.several_labels import LabelCounts
from hardlimit.predictions import judges
from hardlimit.predictions.judges import Judge
from hardlimit.predictions.label_answers import RowAnswer

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
    """

    figures: LabelFigures
    ranking: LabelRanking | None
    unknown: int
    unseen: dict[Any, int] = field(default_factory=dict)
    least: float | None = None
    likely: LabelFigures | None = None

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
    """

    counts: LabelCounts = field(default_factory=LabelCounts)
    likely: LabelCounts = field(default_factory=LabelCounts)
    ranking: RankingSums = field(default_factory=_no_sums)
    unseen: Counter[Any] = field(default_factory=Counter)
    labels: Counter[Any] = field(default_factory=Counter)
    unknown: int = 0

    def extend(self, later: LabelTally) -> None:
        """Add what was counted of later rows."""
        self.counts.extend(later.counts)
        self.likely.extend(later.likely)
        self.ranking.extend(later.ranking)
        self.unseen.update(later.unseen)
        self.labels.update(later.labels)
        self.unknown += later.unknown


class LabelCounting:
    """Counts the answers of a model, batch by batch.

    least : a probability; the labels that are at least as likely are counted too.
    """

    def __init__(self, judge: Judge, least: float | None = None) -> None:
        self._judge, self._least = judge, least
        self._places = {label: place for place, label in enumerate(judge.classes)}
        self._known: dict[Any, Any] = {}
        self.tally = LabelTally()

    def take(self, answers: Sequence[RowAnswer], given: Sequence[Any]) -> None:
        """Count answers, which have all their scores, of rows with these labels."""
        import numpy as np

        tally = self.tally
        rows = [frozenset(self._match(labels)) for labels in given]
        truth = np.zeros((len(answers), len(self._places)), bool)
        for known, labels, answer, row in zip(truth, given, answers, rows, strict=True):
            known[[self._places[x] for x in row if x in self._places]] = True
            tally.labels.update(labels or ())
            tally.counts.add(row, answer.label)
            tally.unseen.update(row - self._places.keys())
            tally.unknown += answer.known_features == 0
        tally.ranking.add(np.array([answer.all_scores for answer in answers]), truth)
        if self._least is not None:
            for row, p in zip(rows, judges.probabilities(self._judge, answers), strict=True):
                pairs = zip(self._judge.classes, p, strict=True)
                tally.likely.add(row, [x for x, one in pairs if one >= self._least])

    def _match(self, labels: Sequence[Any]) -> list[Any]:
        """Return the labels as the model knows them: a file may have their texts."""
        new = [label for label in dict.fromkeys(labels) if label not in self._known]
        matched = evaluation.match_labels(new, self._judge.classes)
        self._known.update(zip(new, matched, strict=True))
        return [self._known[label] for label in labels]


def report_of_labels(judge: Judge, tally: LabelTally, least: float | None = None) -> LabelReport:
    """Return the figures of what was counted."""
    classes = judge.classes
    return LabelReport(
        tally.counts.figures(classes),
        tally.ranking.figures(),
        tally.unknown,
        dict(tally.unseen.most_common()),
        least,
        None if least is None else tally.likely.figures(classes),
    )
