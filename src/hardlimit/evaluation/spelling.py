"""Labels of a file as a model knows them: a file without types spells 1 as '1'."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any


def match_labels(labels: Sequence[Hashable], classes: Sequence[Hashable]) -> list[Any]:
    """Match labels that a file without types spells as text with the model's.

    >>> match_labels(["1", 2, "three"], [1, 2])
    [1, 2, 'three']
    """
    by_name = {str(label): label for label in classes}
    known = set(classes)
    return [x if x in known else by_name.get(str(x), x) for x in labels]
