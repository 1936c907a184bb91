"""Labels that are typed or stand in files as texts, and what they are."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from hardlimit.classifiers.model.labels import kind_of
from hardlimit.exceptions import InputError

TEXT, WHOLE, NUMBER = "text", "whole", "number"


class Spelled(tuple[str, ...]):
    """Classes as they are typed, which are read as labels of the kind that the first rows have.

    >>> Spelled(["2", "3"]).read([1, 2]), Spelled(["2", "3"]).read(["1", "2"])
    ([2, 3], ['2', '3'])
    """

    __slots__ = ()

    def read(self, head: Iterable[Hashable]) -> list[Hashable]:
        """Return the labels that are meant.

        Raises
        ------
        InputError
            A name that no label of that kind has.
        """
        known = {str(label): label for label in head}
        like = next(iter(known.values()), "")
        return [known[name] if name in known else _read_name(name, like) for name in self]


def _read_name(name: str, like: Hashable) -> Hashable:
    if isinstance(like, str):
        return name
    if isinstance(like, int | float) and not isinstance(like, bool):
        for kind in (int, float) if isinstance(like, int) else (float,):
            try:
                number = kind(name)
            except ValueError:
                continue
            if math.isfinite(number):
                return number
    elif name in ("True", "False"):
        return name == "True"
    wanted = f"a {kind_of(like)}, as the labels of the first rows are"
    raise InputError(parameter="classes", got=name, wanted=wanted)


def kind_of_labels(labels: list[Any]) -> str:
    """Return what labels of files of numbers are together: whole numbers, numbers or texts.

    >>> kind_of_labels(["1", "2.0"]), kind_of_labels(["1", "b"])
    ('whole', 'text')
    """
    from hardlimit.readers.numbers import as_targets, parse_targets  # start-up: arrays do without

    if not labels or any(isinstance(label, tuple | bool) for label in labels):
        return TEXT  # as they are
    if all(isinstance(label, str) for label in labels):
        found = parse_targets(labels)
    elif any(isinstance(label, str) for label in labels):
        return TEXT
    elif all(isinstance(label, int) for label in labels):
        return WHOLE
    else:
        found = as_targets(np.array(labels, np.float64))
    return {"i": WHOLE, "f": NUMBER}.get(found.dtype.kind, TEXT)


def convert_labels(labels: list[Any], kind: str) -> list[Any]:
    """Return labels as all of them together are.

    >>> convert_labels(["1", "2.0"], "whole")
    [1, 2]
    """
    if kind == TEXT:
        return labels
    if kind == NUMBER:
        return list(map(float, labels))
    return [label if type(label) is int else int(float(label)) for label in labels]
