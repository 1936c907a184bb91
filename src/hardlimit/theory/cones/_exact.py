"""Determinant and inverse of small matrices of fractions, by Gauss and Jordan."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hardlimit.foundation.exact_numbers import Vector, dot

Matrix = tuple[Vector, ...]


def determinant(rows: Sequence[Sequence[Any]]) -> Fraction:
    """Return the determinant of a square matrix.

    >>> determinant([[1, 2], [3, 4]])
    Fraction(-2, 1)
    """
    return _eliminate(rows)[0]


def invert(rows: Sequence[Sequence[Any]]) -> Matrix | None:
    """Return the inverse, or None where the determinant is 0.

    >>> invert([[1, 2], [3, 4]])
    ((Fraction(-2, 1), Fraction(1, 1)), (Fraction(3, 2), Fraction(-1, 2)))
    >>> invert([[1, 2], [2, 4]])
    """
    factor, right = _eliminate(rows)
    return None if factor == 0 else tuple(tuple(row) for row in right)


def _eliminate(rows: Sequence[Sequence[Any]]) -> tuple[Fraction, list[list[Fraction]]]:
    """The determinant, and what becomes of the identity beside the matrix."""
    n = len(rows)
    left = [[Fraction(value) for value in row] for row in rows]
    right = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    product = Fraction(1)
    for c in range(n):
        at = next((r for r in range(c, n) if left[r][c] != 0), None)
        if at is None:
            return Fraction(0), right
        if at != c:
            # Exchanging two rows turns the sign of the determinant.
            left[c], left[at], right[c], right[at] = left[at], left[c], right[at], right[c]
            product = -product
        pivot = left[c][c]
        product *= pivot
        left[c], right[c] = [v / pivot for v in left[c]], [v / pivot for v in right[c]]
        for r in range(n):
            # Jordan: rows above the pivot are cleared too, and the right half becomes the inverse.
            if r != c and left[r][c] != 0:
                share = left[r][c]
                left[r] = [a - share * b for a, b in zip(left[r], left[c], strict=True)]
                right[r] = [a - share * b for a, b in zip(right[r], right[c], strict=True)]
    return product, right


def transpose(rows: Sequence[Vector]) -> Matrix:
    """Return rows as columns.

    >>> transpose([(1, 2), (3, 4)])
    ((1, 3), (2, 4))
    """
    return tuple(zip(*rows, strict=True))


def multiply(rows: Sequence[Vector], columns: Sequence[Vector]) -> Matrix:
    """Return all ``<row, column>``.

    >>> multiply([(1, 2)], [(3, 4), (0, 1)])
    ((11, 2),)
    """
    return tuple(tuple(dot(a, b) for b in columns) for a in rows)
