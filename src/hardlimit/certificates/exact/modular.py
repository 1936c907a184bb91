"""Elimination modulo a prime: which rows and columns are independent, and inverses.

Numbers below 2^31 have products below 2^62, which int64 holds. A rank modulo p is never above the
true one, and is the true one unless p divides a certain determinant; what is made of it is verified
over the integers afterwards, so that a bad prime costs an answer, never a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

PRIMES = (2147483647, 2147483629, 2147483587)


def to_residues(matrix: Sequence[Sequence[int]], p: int) -> Array:
    """The matrix modulo p."""
    return np.array([[value % p for value in row] for row in matrix], np.int64)


def find_pivots(matrix: Array, p: int) -> tuple[list[int], list[int]]:
    """Rows and columns of an invertible part of full rank, the earliest columns that there are.

    >>> find_pivots(np.array([[1, 2, 0], [2, 4, 1]]), 7)
    ([0, 1], [0, 2])
    """
    left = matrix.copy() % p
    names = list(range(len(left)))
    columns: list[int] = []
    for j in range(left.shape[1]):
        k = len(columns)
        if k == len(left):
            break
        candidates = np.flatnonzero(left[k:, j])
        if not len(candidates):
            continue
        chosen = k + int(candidates[0])
        left[[k, chosen]] = left[[chosen, k]]
        names[k], names[chosen] = names[chosen], names[k]
        _clear_below(left, k, j, p)
        columns.append(j)
    return names[: len(columns)], columns


def _clear_below(left: Array, k: int, j: int, p: int) -> None:
    left[k, j:] = left[k, j:] * pow(int(left[k, j]), -1, p) % p
    factors = left[k + 1 :, j].copy()
    # Most rows of a sparse set have a zero here, and need no work.
    used = np.flatnonzero(factors)
    if len(used):
        below = k + 1 + used
        left[below, j:] = (left[below, j:] - factors[used, None] * left[k, j:]) % p


def invert_modulo(square: Array, p: int) -> Array | None:
    """The inverse modulo p; None where there is none."""
    n = len(square)
    # Gauss and Jordan beside the identity; factors below 2^31 keep products below 2^62.
    left = np.hstack([square % p, np.eye(n, dtype=np.int64)])
    for k in range(n):
        candidates = np.flatnonzero(left[k:, k])
        if not len(candidates):
            return None
        chosen = k + int(candidates[0])
        left[[k, chosen]] = left[[chosen, k]]
        left[k] = left[k] * pow(int(left[k, k]), -1, p) % p
        factors = left[:, k].copy()
        factors[k] = 0
        used = np.flatnonzero(factors)
        left[used] = (left[used] - factors[used, None] * left[k]) % p
    return left[:, n:]
