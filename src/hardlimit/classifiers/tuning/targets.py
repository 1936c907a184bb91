"""Labels that a search deals to folds: one an example, or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from hardlimit.classifiers.model.many_labels import ManyLabels
from hardlimit.evaluation.calibration import deal_folds, deal_label_folds
from hardlimit.foundation.types import Array

Targets = Sequence[Hashable] | ManyLabels


def take(labels: Targets, rows: Array) -> Targets:
    """Return the labels of some of the examples."""
    if isinstance(labels, ManyLabels):
        return labels.take(rows)
    return [labels[i] for i in rows.tolist()]


def deal(labels: Targets, folds: int, keys: Sequence[Hashable] | None) -> Array:
    """Return the fold of each example, every class or label with its share; -1: always learnt."""
    if isinstance(labels, ManyLabels):
        return deal_label_folds(labels.truth, folds, keys)
    return deal_folds(labels, folds, keys)


def count_smallest(labels: Targets) -> int:
    """Return how many examples the rarest class or label has.

    >>> count_smallest(["a", "b", "a"])
    1
    """
    if isinstance(labels, ManyLabels):
        return int(np.count_nonzero(labels.truth, axis=0).min())
    return min(Counter(labels).values())
