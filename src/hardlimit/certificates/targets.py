"""Labels as targets: two classes, or one against the rest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import sort_labels
from hardlimit.foundation.types import Array, Labels


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

    target: Array
    positive: Hashable
    negative: Hashable | None

    def __str__(self) -> str:
        other = "the rest" if self.negative is None else str(self.negative)
        return f"{self.positive} against {other}"


def read_sides(y: Labels, positive: Hashable | None = None, who: str = "certify") -> Sides:
    """Read labels; of two classes the second in sorted order is +1, unless ``positive`` says.

    Raises
    ------
    InputError
        No labels, one class, several without ``positive``, or a ``positive`` that is none of them.
    """
    labels = _read_labels(y, who)
    classes = sort_labels(labels)
    if len(classes) < 2:
        there = f"one class, {classes[0]!r}" if classes else "no rows"
        raise InputError(who=who, got=Given(there), wanted="rows of two classes")
    if positive is None:
        if len(classes) > 2:
            raise InputError(
                who=who,
                got=Given(f"{plural(len(classes), 'class', 'classes')}"),
                wanted="two",
                fix=("name the one to test against the rest: ", Setting("positive", classes[-1])),
            )
        positive = classes[1]
    elif positive not in set(classes):
        shown = ", ".join(map(repr, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise InputError(
            who=who, parameter="positive", got=positive, wanted=f"one of the classes {shown}"
        )
    positive = next(c for c in classes if c == positive)  # as the rows spell it: 1, not True
    rest = [c for c in classes if c != positive]
    target = np.where([label == positive for label in labels], 1.0, -1.0)
    return Sides(target, positive, rest[0] if len(rest) == 1 else None)


def _read_labels(y: Labels, who: str) -> list[Hashable]:
    wanted = "one label a row"
    if isinstance(y, str | bytes) or not hasattr(y, "__len__"):
        raise KindError(who=f"{who}: y", got=Given(type(y).__name__), wanted=wanted)
    values = np.asarray(y).tolist() if isinstance(y, np.ndarray) else list(y)
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise InputError(who=f"{who}: y", got=Given(f"shape {y.shape}"), wanted=wanted)
    for i, value in enumerate(values):
        label = values[i] = value.item() if isinstance(value, np.generic) else value
        # NaN is the one value that differs from itself.
        if label is None or label != label:
            raise InputError(
                f"row {i} has no label ({label})", who=f"{who}: y", fix="drop such rows first"
            )
        if not isinstance(label, Hashable):
            raise KindError(who=f"{who}: y: row {i}", got=label, wanted="a string or a number")
    return values
