"""The one order of labels, on which the class of +1, reports and pictures depend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def sort_labels(labels: Iterable[Any]) -> list[Any]:
    """Return the distinct labels, sorted; by kind first where kinds cannot be compared.

    >>> sort_labels(["b", "a", "b"]), sort_labels([2, "a", 1])
    (['a', 'b'], [1, 2, 'a'])
    """
    distinct = set(labels)
    try:
        # Sets have no order of their own: the bytes of files and proofs depend on this one.
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=lambda label: (type(label).__name__, repr(label)))
