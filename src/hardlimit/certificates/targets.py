"""Two classes, or one held against the rest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.exceptions import InputError, KindError


@dataclass(frozen=True)
class Sides:
    """Who stands on which side.

    Parameters
    ----------
    target
        +1 for the rows of ``positive``, else -1.
    positive
        The class on the side of +1.
    negative
        The other class; of many, None: the rest.
    """

    target: np.ndarray[Any, Any]
    positive: Hashable
    negative: Hashable | None

    def __str__(self) -> str:
        other = "the rest" if self.negative is None else str(self.negative)
        return f"{self.positive} against {other}"


def sides(y: Any, positive: Any = None, who: str = "certify") -> Sides:
    """Read labels; of two classes the second in sorted order is +1, unless ``positive`` says.

    Raises
    ------
    InputError
        No labels, one class, several without ``positive``, or a ``positive`` that is none of them.
    """
    labels = _labels(y, who)
    classes = _sorted(labels)
    if len(classes) < 2:
        there = f"one class, {classes[0]!r}" if classes else "no rows"
        raise InputError(f"{who}: got {there}; wanted rows of two classes")
    if positive is None:
        if len(classes) > 2:
            raise InputError(
                f"{who}: got {len(classes)} classes; name the one to hold against the rest: "
                f"positive={classes[-1]!r}"
            )
        positive = classes[1]
    elif positive not in set(classes):
        shown = ", ".join(map(repr, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise InputError(f"{who}: positive={positive!r} is none of the classes {shown}")
    rest = [c for c in classes if c != positive]
    target = np.where([label == positive for label in labels], 1.0, -1.0)
    return Sides(target, positive, rest[0] if len(rest) == 1 else None)


def _labels(y: Any, who: str) -> list[Hashable]:
    if isinstance(y, str | bytes) or not hasattr(y, "__len__"):
        raise KindError(f"{who}: y: got {type(y).__name__}, wanted one label a row")
    values = np.asarray(y).tolist() if isinstance(y, np.ndarray) else list(y)
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise InputError(f"{who}: y: got shape {y.shape}, wanted one label a row")
    for i, value in enumerate(values):
        label = values[i] = value.item() if isinstance(value, np.generic) else value
        if label is None or label != label:
            raise InputError(f"{who}: y: row {i} has no label ({label}); drop such rows first")
        if not isinstance(label, Hashable):
            raise KindError(f"{who}: y: row {i}: got {label!r}, wanted a string or a number")
    return values


def _sorted(labels: list[Hashable]) -> list[Hashable]:
    """The classes in sorted order, by kind first where kinds are mixed."""
    try:
        return sorted(set(labels))  # type: ignore[type-var]
    except TypeError:
        return sorted(set(labels), key=lambda label: (type(label).__name__, repr(label)))
