"""Large systems of integers: solved in floats, refined by exact residuals, and made fractions.

    y = A^-1 r in floats;   x_k = round(y 2^s);   r <- 2^s r - A x_k, exactly;   x = sum x_k 2^-...

The residual stays about as large as A, because an elimination with pivots leaves ``A y - r`` small
whatever the condition of A, so that each round gives the digits that the condition leaves over: 20
or 30 bits. One continued fraction of a sum of the unknowns gives the common denominator. Nothing
but the residuals needs to be exact: the solution is verified modulo a prime, and by who asked.

Ursic and Patarra, Linear Algebra and its Applications 49 (1983); Wan, Journal of Symbolic
Computation 41 (2006).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hardlimit.certificates.exact.modular import PRIMES

Array = np.ndarray[Any, Any]

_DIGIT_BITS = 50  # of 53: what a float tells of an integer
_LEAST_SHIFT = 4  # bits a round; below, the matrix is too ill-conditioned for floats
_FIRST_TRIAL = 128  # bits
_MOST_ROUNDS = 3000
_MOST_WORK = 3e10  # of rounds times the square of the size


class Equations(NamedTuple):
    """A square matrix of integers, equation by equation; no equation is empty.

    ``values`` are int64 where all are small, else Python's integers in an array of objects.
    """

    values: Array
    unknowns: Array
    starts: Array

    @property
    def size(self) -> int:
        """How many equations."""
        return len(self.starts) - 1

    def product(self, x: Array) -> Array:
        """Return A x, exactly; modulo 2^64 where the values are int64."""
        summed: Array = np.add.reduceat(self.values * x[self.unknowns], self.starts[:-1])
        return summed

    def dense(self) -> Array:
        """The matrix in floats."""
        matrix = np.zeros((self.size, self.size))
        equation = np.repeat(np.arange(self.size), np.diff(self.starts))
        matrix[equation, self.unknowns] = self.values.astype(float)
        return matrix


def solve_large(equations: Equations, right: Array) -> tuple[list[int], int] | None:
    """Numerators and the common denominator > 0 of the solution; None where floats fail.

    Cost: O(size^3) once and O(size^2) a round. Needs scipy.

    >>> diagonal = Equations(np.array([3, 7]), np.array([0, 1]), np.array([0, 1, 2]))
    >>> solve_large(diagonal, np.array([1, 2]))
    ([7, 6], 21)
    """
    solve_floats = _factorise(equations.dense())
    if solve_floats is None:
        return None
    digits: list[tuple[Array, int]] = []
    total, trial = 0, _FIRST_TRIAL
    left = right
    y = solve_floats(left.astype(float))
    most = min(_MOST_ROUNDS, int(_MOST_WORK / equations.size**2))
    for _ in range(most):
        largest = float(np.abs(y).max())
        if not np.isfinite(largest):
            return None
        shift = _DIGIT_BITS - max(int(np.frexp(largest)[1]), 0)
        if shift < _LEAST_SHIFT:
            return None
        digit = np.rint(np.ldexp(y, shift)).astype(np.int64).astype(left.dtype)
        # Where these are int64 they overflow, and the difference, which is small, is right.
        left = left * (1 << shift) - equations.product(digit)
        digits.append((digit, shift))
        total += shift
        if not left.any():
            return _join(digits), 1 << total
        y = solve_floats(left.astype(float))
        if total >= trial:
            solution = _rebuild(digits, total, float(np.abs(y).max()))
            if solution is not None and _holds(equations, right, *solution):
                return solution
            trial += trial // 2
    return None


def _factorise(matrix: Array) -> Callable[[Array], Array] | None:
    """The solution in floats, of rows and columns of even size; None of a singular matrix."""
    from scipy.linalg import get_lapack_funcs

    rows = 1 / np.abs(matrix).max(1)
    matrix *= rows[:, None]
    columns = 1 / np.abs(matrix).max(0)
    matrix *= columns
    factor, solve = get_lapack_funcs(("getrf", "getrs"), (matrix,))
    lu, pivots, info = factor(np.asfortranarray(matrix), overwrite_a=True)
    if info:
        return None

    def solved(right: Array) -> Array:
        x: Array = solve(lu, pivots, right * rows)[0] * columns
        return x

    return solved


def _rebuild(
    digits: list[tuple[Array, int]], total: int, error: float
) -> tuple[list[int], int] | None:
    """The fractions of one denominator that lie within ``error / 2^total`` of the digits."""
    numbers = _join(digits)
    allowed = max(int(2 * error), 1) + 1
    # A sum of all unknowns has the common denominator, or nearly.
    factors = np.random.default_rng(0).integers(1, 1 << 20, len(numbers)).tolist()
    summed = sum(f * v for f, v in zip(factors, numbers, strict=True))
    denominator = _find_denominator(summed, total, allowed * sum(factors))
    half = 1 << (total - 1)
    while denominator is not None:
        scaled = [v * denominator for v in numbers]
        nearest = [(v + half) >> total for v in scaled]
        bound = allowed * denominator
        apart = (
            v for v, whole in zip(scaled, nearest, strict=True) if abs(v - (whole << total)) > bound
        )
        first = next(apart, None)
        if first is None:
            return nearest, denominator
        further = _find_denominator(first, total, bound)
        denominator = further and further * denominator
        if denominator == further:  # the same again
            return None
    return None


def _join(digits: list[tuple[Array, int]]) -> list[int]:
    """The numbers with these digits, joined by twos so that long numbers are few."""
    parts = [(digit.astype(object), shift) for digit, shift in digits]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        joined = [(a * (1 << t) + b, s + t) for (a, s), (b, t) in pairs]
        parts = joined + parts[len(parts) - len(parts) % 2 :]
    whole: list[int] = parts[0][0].tolist()
    return whole


def _find_denominator(number: int, bits: int, error: int) -> int | None:
    """The least q with ``number q / 2^bits`` next to an integer, as near as the error allows.

    None where so few bits do not tell.
    """
    a, b = 1 << bits, number % (1 << bits)
    before, q = 0, 1
    # Euclid's algorithm: b is the distance of number q from a multiple of 2^bits.
    while b > error * q:
        quotient = a // b
        a, b = b, a - quotient * b
        before, q = q, before + quotient * q
    if 2 * q.bit_length() + error.bit_length() + 20 > bits:
        return None
    return q


def _holds(equations: Equations, right: Array, numerators: list[int], denominator: int) -> bool:
    """Whether it solves the equations modulo a prime."""
    p = PRIMES[0]
    small = Equations((equations.values % p).astype(np.int64), *equations[1:])
    x = np.array([v % p for v in numerators], np.int64)
    products = small.values * x[small.unknowns] % p
    sums = np.add.reduceat(products, small.starts[:-1]) % p
    wanted = np.array([int(v) % p * (denominator % p) % p for v in right.tolist()], np.int64)
    return bool((sums == wanted).all())
