"""What makes a candidate better: figures of its answers, by name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.classifiers.tuning.trials import Scoring
from hardlimit.exceptions import InputError


def accuracy(labels: Labels, answers: Sequence[Hashable]) -> float:
    """Return the share of right answers; of several labels of rows whose labels are all right."""
    return of_labels(labels).accuracy(labels, answers)


def micro_f1(labels: Labels, answers: Sequence[Hashable]) -> float:
    """Return the F1 of all labels together; of one label an example that is the accuracy."""
    return of_labels(labels).micro_f1(labels, answers)


def macro_f1(labels: Labels, answers: Sequence[Hashable]) -> float:
    """Return the mean F1 of the classes, each counted once: rare classes count as much.

    >>> round(macro_f1(["a", "a", "b"], ["a", "a", "a"]), 3)
    0.4
    """
    return of_labels(labels).macro_f1(labels, answers)


SCORINGS: dict[str, Scoring] = {"accuracy": accuracy, "macro-f1": macro_f1, "micro-f1": micro_f1}


def get_scoring(name: str) -> Scoring:
    """Return a figure by its name."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise InputError(
            who="tune", parameter="scoring", got=name, wanted=f"one of {', '.join(SCORINGS)}"
        )
    return SCORINGS[name]
