"""Labels as the pictures take them: of two classes, or one class against the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hardlimit.evaluation import ThresholdPoint
from hardlimit.exceptions import InputError, KindError


def plain(values: Any) -> list[Any]:
    """A list of Python's own values, also from an array."""
    tolist = getattr(values, "tolist", None)
    found = list(values) if tolist is None else tolist()
    if not isinstance(found, list):
        raise KindError(f"pictures: got {type(values).__name__}, wanted one value a row")
    return found


def in_order(labels: Iterable[Any]) -> list[Any]:
    """The classes that occur, sorted; of different kinds by the name of the kind first."""
    there = set(labels)
    try:
        return sorted(there)
    except TypeError:
        return sorted(there, key=lambda label: (type(label).__name__, str(label)))


def against_rest(who: str, y: Any, positive: Any) -> tuple[list[bool], Any]:
    """Whether each row is positive, and which class that is: of two the second in order."""
    labels = plain(y)
    classes = in_order(labels)
    if positive is None:
        if len(classes) != 2:
            raise InputError(
                f"{who}: got {len(classes)} classes, wanted two, or positive=... for one class "
                "against the rest"
            )
        positive = classes[1]
    if positive not in classes:
        raise InputError(f"{who}: positive={positive!r} is the label of no row")
    return [label == positive for label in labels], positive


def mark(points: list[ThresholdPoint], threshold: float | None) -> dict[str, float] | None:
    """What a threshold does: that of the points of a ranking which calls the same rows positive."""
    if threshold is None:
        return None
    at = next((point for point in points if point.threshold <= threshold), points[-1])
    return {
        "threshold": float(threshold),
        "false_positive_rate": at.false_positive_rate,
        "recall": at.recall,
        "precision": at.precision,
    }
