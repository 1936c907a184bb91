"""Numbers of pairs of columns, and the pairs that a number stands for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def sort_distinct(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return each number once, ascending; ``numbers`` is sorted in place.

    >>> sort_distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    numbers.sort()  # np.unique would copy, and the numbers of all products may be many
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first].astype(np.int64)


def unrank_pairs(
    numbers: NDArray[np.int64], n_chosen: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ranks i < j of pairs, as two arrays, from their numbers.

    >>> [ranks.tolist() for ranks in unrank_pairs(np.arange(6), 4)]
    [[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]]
    """
    # Pairs are numbered row by row of the upper triangle: (0, 1), (0, 2), ..., (1, 2), ...
    i = np.arange(max(n_chosen - 1, 0), dtype=np.int64)
    starts = i * n_chosen - i * (i + 1) // 2
    first = np.searchsorted(starts, numbers, side="right") - 1
    return first, numbers - starts[first] + first + 1
