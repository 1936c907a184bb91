"""Labels as the pictures take them: of two classes, or one class against the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.evaluation import ThresholdPoint
from hardlimit.exceptions import Given, InputError, KindError, Parameter
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import sort_labels
from hardlimit.foundation.types import Labels


def to_list(values: Iterable[Any]) -> list[Any]:
    """Return a list of Python's own values, also from an array."""
    tolist = getattr(values, "tolist", None)
    items = list(values) if tolist is None else tolist()
    if not isinstance(items, list):
        got = Given(type(values).__name__)
        raise KindError(who="pictures", got=got, wanted="one value for each row")
    return items


def sort_classes(labels: Iterable[Any]) -> list[Any]:
    """Return the classes that occur, sorted; of different kinds by the name of the kind first."""
    return sort_labels(labels)


def split_positive(who: str, y: Labels, positive: Hashable) -> tuple[list[bool], Any]:
    """Return whether each row is positive, and which class that is: of two the second."""
    labels = to_list(y)
    classes = sort_classes(labels)
    if positive is None:
        if len(classes) != 2:
            raise InputError(
                who=who,
                got=Given(f"{plural(len(classes), 'class', 'classes')}"),
                wanted=("two, or ", Parameter("positive"), " for one class against the rest"),
            )
        positive = classes[1]
    if positive not in classes:
        raise InputError(who=who, parameter="positive", got=positive, wanted="the label of a row")
    return [label == positive for label in labels], positive


def find_mark(points: list[ThresholdPoint], threshold: float | None) -> dict[str, float] | None:
    """Return the point of a ranking that calls the same rows positive as a threshold."""
    if threshold is None:
        return None
    # thresholds fall from point to point, and rows above one are positive
    at = next((point for point in points if point.threshold <= threshold), points[-1])
    return {
        "threshold": float(threshold),
        "false_positive_rate": at.false_positive_rate,
        "recall": at.recall,
        "precision": at.precision,
    }


def rows_and_labels_error(who: str, n_rows: int, n_labels: int) -> InputError:
    """Build the error for rows and labels of different numbers."""
    got = Given(f"{plural(n_rows, 'row')} and {plural(n_labels, 'label')}")
    return InputError(who=who, got=got, wanted="one label for each row")
