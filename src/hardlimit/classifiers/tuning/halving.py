"""On how many rows each candidate is judged: successive halving, by a factor of three.

All candidates are judged on a ninth of the rows, the best third of them on a third, the best third
of these on all (Jamieson and Talwalkar, AISTATS 2016). Rows of an earlier rung are part of each
later one. Where a ninth would be too few rows to tell candidates apart, the search begins higher.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.foundation.types import Array

FACTOR = 3
PARTS = 9  # of which the first rung has one
FEWEST_ROWS = 2000  # of the first rung
FEWEST_OF_A_CLASS = 10  # of the smallest class there, on average
FEWEST_LEFT = 3  # candidates that reach the next rung


def choose_rungs(labels: Labels, keys: Sequence[Hashable] | None) -> list[Array]:
    """Return the rows of each rung, ascending; the last has them all.

    >>> [len(rows) for rows in choose_rungs(["a", "b"] * 13_500, None)]
    [3000, 9000, 27000]
    >>> [len(rows) for rows in choose_rungs(["a", "b"] * 50, None)]
    [100]
    """
    everything = np.arange(len(labels))
    targets = of_labels(labels)
    smallest = targets.smallest(labels)
    parts = PARTS
    while parts > 1 and (len(labels) < parts * FEWEST_ROWS or smallest < parts * FEWEST_OF_A_CLASS):
        parts //= FACTOR
    if parts == 1:
        return [everything]
    part_of = targets.deal(labels, parts, keys)
    rungs, taken = [], 1
    while taken < parts:
        rungs.append(np.flatnonzero((part_of >= 0) & (part_of < taken)))
        taken *= FACTOR
    return [*rungs, everything]


def count_left(count: int) -> int:
    """Return how many candidates reach the next rung.

    >>> [count_left(n) for n in (24, 8, 4, 2)]
    [8, 3, 3, 2]
    """
    return min(count, max(FEWEST_LEFT, -(-count // FACTOR)))
