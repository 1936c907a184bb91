"""How well scores rank the labels of a row: those that it has before those that it has not.

::

    one-error            share of rows whose best label is none of theirs, of rows that have labels
    coverage             how far down the list all labels of a row are found, on average
    ranking loss         share of pairs of a label that a row has and one that it has not in the
                         wrong order, on average; a tie is wrong
    average precision    for each label of a row the share of labels down to it that are the row's

Of equal scores the later place counts. Rows without a label, or with all of them, have nothing to
rank: their ranking loss is 0 and their average precision 1.

Schapire and Singer, Machine Learning 39 (2000), section 3; coverage counts from 1, as in
scikit-learn.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from hardlimit.foundation.types import Array


@dataclass(frozen=True)
class LabelRanking:
    """The figures of n rows."""

    n: int
    one_error: float
    coverage: float
    ranking_loss: float
    average_precision: float


class RankingSums:
    """Adds up the figures of rows, which may come in blocks; those of later rows may be added.

    >>> sums = RankingSums()
    >>> sums.add(np.array([[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]]), np.array([[1, 0, 0], [0, 0, 1]]))
    >>> found = sums.figures()
    >>> found.one_error, found.coverage, found.ranking_loss, round(found.average_precision, 3)
    (1.0, 2.5, 0.75, 0.417)
    """

    def __init__(self) -> None:
        self.n = self.labelled = self.missed = 0
        self.coverage = 0
        # A number a row: sums of parts would not be the sum of all, to the last bit.
        self.losses, self.precisions = array("d"), array("d")

    def add(self, scores: Array, truth: Array) -> None:
        """Add rows: scores and truth, (n_rows, n_labels). O(labels log labels) a row."""
        self.n += len(scores)
        for row, own in zip(scores, np.asarray(truth, bool), strict=True):
            n_own, n_labels = int(np.count_nonzero(own)), len(row)
            if n_own:
                self.labelled += 1
                self.missed += not own[row.argmax()]
            if n_own in (0, n_labels):
                self.coverage += n_own
                self.precisions.append(1.0)
                continue
            # Places from 1, the later one of equal scores: among all labels, and among the row's.
            place = n_labels - np.searchsorted(np.sort(row), row[own])
            among_own = n_own - np.searchsorted(np.sort(row[own]), row[own])
            self.coverage += int(place.max())
            loss = float((place - among_own).sum()) / (n_own * (n_labels - n_own))
            self.losses.append(loss)
            self.precisions.append(float((among_own / place).mean()))

    def extend(self, later: RankingSums) -> None:
        """Add the figures of later rows."""
        self.n += later.n
        self.labelled += later.labelled
        self.missed += later.missed
        self.coverage += later.coverage
        self.losses.extend(later.losses)
        self.precisions.extend(later.precisions)

    def figures(self) -> LabelRanking | None:
        """Return the figures so far; None where no row has a label."""
        if not self.labelled:
            return None
        n = self.n
        return LabelRanking(
            n,
            self.missed / self.labelled,
            self.coverage / n,
            _add_up(self.losses) / n,
            _add_up(self.precisions) / n,
        )


def _add_up(numbers: array[float]) -> float:
    """Add one after the other: newer versions of Python have another sum."""
    total = 0.0
    for number in numbers:
        total += number
    return total
