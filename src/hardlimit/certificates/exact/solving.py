"""Square systems of integers, solved exactly: by python-flint where it is installed, else here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from operator import mul

import numpy as np

from hardlimit.certificates.exact.modular import PRIMES, Array, invert_modulo, to_residues

Matrix = Sequence[Sequence[int]]


def solve(matrix: Matrix, right: Sequence[int]) -> list[Fraction] | None:
    """Solve ``matrix x = right``; None where the matrix is singular.

    >>> solve([[2, 1], [1, 3]], [1, 1])
    [Fraction(2, 5), Fraction(1, 5)]
    """
    try:
        import flint
    except ImportError:
        return solve_by_lifting(matrix, right)
    try:
        solution = flint.fmpz_mat(matrix).solve(flint.fmpz_mat([[v] for v in right]))
    except ZeroDivisionError:
        return None
    return [Fraction(int(v.p), int(v.q)) for v in solution.entries()]


def solve_by_lifting(matrix: Matrix, right: Sequence[int]) -> list[Fraction] | None:
    """The same without python-flint: digits in base p, then the fractions that have them.

    Each digit ``x_k = matrix^-1 r_k mod p`` leaves ``r_(k+1) = (r_k - matrix x_k) / p``. Digits
    suffice beyond twice the largest numerator times denominator, which Hadamard bounds.
    Dixon, Numerische Mathematik 40 (1982). Cost: O(n^3) once and O(n^2) a digit.
    """
    for p in PRIMES:
        inverted = invert_modulo(to_residues(matrix, p), p)
        if inverted is not None:
            return _digits(matrix, right, inverted, p)
    return solve_by_elimination(matrix, right)


def _digits(matrix: Matrix, right: Sequence[int], inverted: Array, p: int) -> list[Fraction] | None:
    # Two fractions within these bounds that agree modulo a power beyond 2 N D are the same.
    numerators, denominators = _hadamard(matrix, right)
    wanted = 2 * numerators * denominators + 1
    remainder, sums, power = list(right), [0] * len(matrix), 1
    while power < wanted:
        low = np.array([r % p for r in remainder], np.int64)
        digit = [int(v) for v in _product(inverted, low, p)]
        sums = [x + power * v for x, v in zip(sums, digit, strict=True)]
        remainder = [
            # Exact: the digit was chosen so that the difference is divisible by p.
            (r - sum(map(mul, row, digit))) // p
            for r, row in zip(remainder, matrix, strict=True)
        ]
        power *= p
    return [rebuild_fraction(x, power, numerators, denominators) for x in sums]


def _product(matrix: Array, vector: Array, p: int) -> Array:
    """Matrix vector mod p; 31-bit factors, so that each product is reduced before it is added."""
    product: Array = (matrix * vector % p).sum(1) % p
    return product


def _hadamard(matrix: Matrix, right: Sequence[int]) -> tuple[int, int]:
    """Bounds of the numerators and of the determinant: the product of the columns' lengths."""
    columns = [math.isqrt(sum(v * v for v in column)) + 1 for column in zip(*matrix, strict=True)]
    length = math.isqrt(sum(v * v for v in right)) + 1
    determinant = math.prod(columns)
    return determinant * length // min(columns) + 1, determinant


def rebuild_fraction(residue: int, modulus: int, numerators: int, denominators: int) -> Fraction:
    """The one fraction n/d with ``n = residue d`` mod modulus within the bounds.

    Half of Euclid's algorithm. Wang (1981).

    >>> rebuild_fraction(2 * pow(5, -1, 10007) % 10007, 10007, 50, 50)
    Fraction(2, 5)
    """
    a, b, s, t = modulus, residue % modulus, 0, 1
    # The first remainder within the bound, over its cofactor, is the only candidate.
    while b > numerators:
        quotient = a // b
        a, b, s, t = b, a - quotient * b, t, s - quotient * t
    return Fraction(b, t)


def solve_by_elimination(matrix: Matrix, right: Sequence[int]) -> list[Fraction] | None:
    """The same by elimination without fractions; Bareiss (1968). Cost: O(n^3) of long integers.

    >>> solve_by_elimination([[2, 1], [1, 3]], [1, 1])
    [Fraction(2, 5), Fraction(1, 5)]
    """
    left = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    n, before = len(left), 1
    for k in range(n):
        chosen = next((i for i in range(k, n) if left[i][k]), None)
        if chosen is None:
            return None
        left[k], left[chosen] = left[chosen], left[k]
        top, pivot = left[k], left[k][k]
        for i in range(k + 1, n):
            row, factor = left[i], left[i][k]
            # Exact: every entry is a minor of the matrix, which the pivot before divides (Bareiss).
            left[i] = [(pivot * v - factor * u) // before for v, u in zip(row, top, strict=True)]
        before = pivot
    return _back(left)


def _back(left: list[list[int]]) -> list[Fraction]:
    n = len(left)
    solution = [Fraction()] * n
    for k in reversed(range(n)):
        row = left[k]
        known = sum((row[j] * solution[j] for j in range(k + 1, n)), Fraction())
        solution[k] = (row[n] - known) / row[k]
    return solution
