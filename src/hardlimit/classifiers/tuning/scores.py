"""What makes a candidate better: figures of its answers, by name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from hardlimit.classifiers.model.many_labels import ManyLabels
from hardlimit.classifiers.tuning.targets import Targets
from hardlimit.classifiers.tuning.trials import Scoring
from hardlimit.evaluation.figures import figures
from hardlimit.evaluation.several_labels import (
    LabelFigures,
    figures_of_label_sets,
    figures_of_labels,
)
from hardlimit.exceptions import InputError


def accuracy(labels: Targets, answers: Sequence[Hashable]) -> float:
    """Return the share of right answers; of several labels of rows whose labels are all right.

    >>> accuracy(["a", "b"], ["a", "a"])
    0.5
    """
    if isinstance(labels, ManyLabels):
        return _figures_of_labels(labels, answers).exact_match
    right = sum(label == answer for label, answer in zip(labels, answers, strict=True))
    return right / len(labels)


def micro_f1(labels: Targets, answers: Sequence[Hashable]) -> float:
    """Return the F1 of all labels together; of one label an example that is the accuracy.

    >>> micro_f1(["a", "b"], ["a", "a"])
    0.5
    """
    if isinstance(labels, ManyLabels):
        return _figures_of_labels(labels, answers).micro_f1
    return accuracy(labels, answers)


def macro_f1(labels: Targets, answers: Sequence[Hashable]) -> float:
    """Return the mean F1 of the classes, each counted once: rare classes count as much.

    >>> round(macro_f1(["a", "a", "b"], ["a", "a", "a"]), 3)
    0.4
    """
    if isinstance(labels, ManyLabels):
        return _figures_of_labels(labels, answers).macro_f1
    return figures(labels, answers).macro_f1


def _figures_of_labels(labels: ManyLabels, answers: Sequence[Any]) -> LabelFigures:
    names, values = list(labels.book.numbers), labels.book.values
    if values is None:
        wanted = labels.book.name_targets(labels.truth).tolist()
        return figures_of_label_sets(wanted, answers, labels=names)
    return figures_of_labels(labels.truth, np.array(answers) == values[1], labels=names)


SCORINGS: dict[str, Scoring] = {
    "accuracy": accuracy,
    "macro-f1": macro_f1,
    "micro-f1": micro_f1,
}


def get_scoring(name: str) -> Scoring:
    """Return a figure by its name."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise InputError(
            who="tune", parameter="scoring", got=name, wanted=f"one of {', '.join(SCORINGS)}"
        )
    return SCORINGS[name]
