"""The simplex method in integers: slow, and never in doubt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul

import numpy as np

from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows

_TURN = 0.04
_MOST_COLUMNS = 150


@dataclass(frozen=True)
class ExactSimplex(Finder):
    """Multipliers with Z' L = 0 and sum L = 1, or the prices that show that there are none.

    Phase 1 of the simplex method, with the inverse of the basis as integers over one common
    denominator (fraction-free, so that no number is longer than a determinant; Edmonds 1967). Which
    row enters is chosen in floats among those of positive reduced cost, and verified exactly; which
    one leaves is decided lexicographically, so that it ends (Dantzig, Orden and Wolfe 1955). Unlike
    all others it is not put off by rows that are separable, or not, by a margin that floats cannot
    tell from 0. Its weights separate, no more: they may leave next to no margin.

    Cost: O(columns^2) products of long integers a step; refuses more than 150 columns.

    >>> from fractions import Fraction
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> X = [[Fraction(1, 3)], [Fraction(1 / 3)]]
    >>> rows = SignedRows(read_entries(X), np.array([1, -1]), 1.0)
    >>> *_, direction = ExactSimplex().findings(rows, 0)
    >>> [sum(w * v for w, v in zip(direction.w, z)) > 0 for z in ([Fraction(1, 3), 1],
    ...                                                       [-Fraction(1 / 3), -1])]
    [True, True]
    """

    name = "exact-simplex"
    turn = 9
    margins = False

    def suits(self, rows: SignedRows) -> str:
        """Say no to many columns."""
        if rows.n_columns > _MOST_COLUMNS:
            return f"{rows.n_columns:,} columns are more than {_MOST_COLUMNS}"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield None while it pivots, then the answer."""
        basis = _Basis(rows)
        until = time.monotonic() + _TURN
        while (entering := basis.entering()) is not None:
            if not basis.pivot(entering):
                return  # cannot be: the multipliers are bounded
            if basis.value() == 0:
                index = [i for i in basis.names if i >= 0]
                values = [basis.right(k) for k, i in enumerate(basis.names) if i >= 0]
                kept = [(i, v) for i, v in zip(index, values, strict=True) if v]
                yield Weighting([i for i, _ in kept], [v for _, v in kept])
                return
            if time.monotonic() > until:
                yield None
                until = time.monotonic() + _TURN
        prices = basis.prices()
        yield Direction([-p * s for p, s in zip(prices[:-1], rows.scales, strict=True)])


class _Basis:
    """``names[k]`` is basic in equation k (-1: an artificial variable); ``inverse / divisor``."""

    def __init__(self, rows: SignedRows) -> None:
        self._rows = rows
        size = rows.n_columns + 1
        self.names = [-1] * size
        self.inverse = [[int(i == j) for j in range(size)] for i in range(size)]
        self.divisor = 1

    def right(self, k: int) -> int:
        """The value of the variable that is basic in equation k, times the divisor."""
        return self.inverse[k][-1]

    def value(self) -> int:
        """The sum of the artificial variables, times the divisor."""
        return sum(self.right(k) for k, name in enumerate(self.names) if name < 0)

    def prices(self) -> list[int]:
        """The prices of the equations, times the divisor: the last one is of ``sum L = 1``."""
        artificial = [row for row, name in zip(self.inverse, self.names, strict=True) if name < 0]
        return [sum(column) for column in zip(*artificial, strict=True)]

    def entering(self) -> int | None:
        """A row of positive reduced cost; None where there is none."""
        prices = self.prices()
        scaled = to_floats([p * s for p, s in zip(prices, [*self._rows.scales, 1], strict=True)])
        scaled /= max(np.abs(scaled).max(), 1e-300)
        with np.errstate(over="ignore", invalid="ignore"):  # it only says where to look
            costs = self._rows.dot(scaled[:-1]) + scaled[-1]
        # Any row of positive cost may enter; floats propose three, integers decide.
        for i in np.argsort(-costs)[:3].tolist():
            if self._cost(i, prices) > 0:
                return int(i)
        # Floats see none: all of them exactly.
        return next((i for i in range(self._rows.n_rows) if self._cost(i, prices) > 0), None)

    def _cost(self, i: int, prices: list[int]) -> int:
        columns, values = self._rows.integers(i)
        cost: int = sum(map(mul, values, map(prices.__getitem__, columns))) + prices[-1]
        return cost

    def pivot(self, entering: int) -> bool:
        """Let a row enter; the one that leaves keeps all values from falling below 0."""
        columns, values = self._rows.integers(entering)
        column = [
            sum(map(mul, values, map(row.__getitem__, columns))) + row[-1] for row in self.inverse
        ]
        rising = [k for k, v in enumerate(column) if v > 0]
        if not rising:
            return False
        leaving = rising[0]
        for k in rising[1:]:
            if self._comes_first(k, leaving, column):
                leaving = k
        top, by = self.inverse[leaving], column[leaving]
        for k, (row, v) in enumerate(zip(self.inverse, column, strict=True)):
            if k != leaving:
                self.inverse[k] = [
                    (by * a - v * b) // self.divisor for a, b in zip(row, top, strict=True)
                ]
        self.divisor = by
        self.names[leaving] = entering
        return True

    def _comes_first(self, k: int, other: int, column: list[int]) -> bool:
        """Whether equation k divided by its entry is lexicographically less, right side first."""
        a, b = column[k], column[other]
        pairs = zip(reversed(self.inverse[k]), reversed(self.inverse[other]), strict=True)
        for u, v in pairs:
            if u * b != v * a:
                return u * b < v * a
        return False
