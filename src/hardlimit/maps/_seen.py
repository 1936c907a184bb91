"""Pairs of columns that were seen together in a row."""

from __future__ import annotations

from typing import Any

import numpy as np


def distinct(numbers: Any) -> Any:
    """Each number once, ascending; ``numbers`` is sorted in place.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    numbers.sort()
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first].astype(np.int64)


def members(numbers: Any, n_chosen: int) -> Any:
    """The ranks i < j of pairs, as two arrays, from their numbers.

    >>> [ranks.tolist() for ranks in members(np.arange(6), 4)]
    [[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]]
    """
    i = np.arange(max(n_chosen - 1, 0), dtype=np.int64)
    starts = i * n_chosen - i * (i + 1) // 2
    first = np.searchsorted(starts, numbers, side="right") - 1
    return first, numbers - starts[first] + first + 1
