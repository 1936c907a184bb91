"""Labels of a file in the words of a model: a file without types spells 1 as '1'."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any


def as_known(labels: Sequence[Hashable], classes: Sequence[Hashable]) -> list[Any]:
    """Match labels that a file without types spells as text with the model's.

    >>> as_known(["1", 2, "three"], [1, 2])
    [1, 2, 'three']
    """
    by_name = {str(label): label for label in classes}
    known = set(classes)
    return [x if x in known else by_name.get(str(x), x) for x in labels]
