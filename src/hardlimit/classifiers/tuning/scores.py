"""What makes a candidate better: figures of its answers, by name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from hardlimit.classifiers.tuning.trials import Scoring
from hardlimit.evaluation.figures import figures
from hardlimit.exceptions import InputError


def accuracy(labels: Sequence[Hashable], answers: Sequence[Hashable]) -> float:
    """Return the share of right answers.

    >>> accuracy(["a", "b"], ["a", "a"])
    0.5
    """
    right = sum(label == answer for label, answer in zip(labels, answers, strict=True))
    return right / len(labels)


def macro_f1(labels: Sequence[Hashable], answers: Sequence[Hashable]) -> float:
    """Return the mean F1 of the classes, each counted once: rare classes count as much.

    >>> round(macro_f1(["a", "a", "b"], ["a", "a", "a"]), 3)
    0.4
    """
    return figures(labels, answers).macro_f1


SCORINGS: dict[str, Scoring] = {"accuracy": accuracy, "macro-f1": macro_f1}


def get_scoring(name: str) -> Scoring:
    """Return a figure by its name."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise InputError(
            who="tune", parameter="scoring", got=name, wanted=f"one of {', '.join(SCORINGS)}"
        )
    return SCORINGS[name]
