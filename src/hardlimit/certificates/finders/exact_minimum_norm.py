"""Wolfe's algorithm in exact arithmetic: decides every small set, however narrow its margin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

import numpy as np

from hardlimit.certificates.exact.integers import common_integers
from hardlimit.certificates.exact.solving import solve
from hardlimit.certificates.finders._protocol import Direction, Finder, Finding, Weighting
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.engine import SLICE, new_search

MOST_COLUMNS = 64
MOST_NUMBERS = 200_000
CLOSED = Fraction(999, 1000)


@dataclass(frozen=True)
class ExactMinimumNorm(Finder):
    """The nearest point of the hull, with nothing rounded.

    As :class:`MinimumNorm`: ``w = sum p_i z_i`` of the corral solves ``(G + 1 1') u = 1``,
    ``p = u / sum u``, with the corral's exact Gram matrix G; weights that would fall below 0 leave,
    then the row of the smallest ``z.w`` enters. Each step makes ``||w||`` smaller, so that no
    corral comes twice: it ends with a separator, or with ``w = 0`` and multipliers, whatever the
    condition of the rows. It begins with the corral at which the floats gave up.

    Cost: the solution of a system of integers a step; refuses more than 64 columns or 200,000
    numbers. A step takes longer than a turn should where numbers are long.

    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> near = [[2**60, 1], [2**60 + 1, 1]]
    >>> rows = SignedRows(read_entries(near), np.array([1, -1]), None)
    >>> findings = [finding for finding in ExactMinimumNorm().findings(rows, 0) if finding]
    >>> findings[0].w[0] < 0 < findings[0].w[1]
    True
    """

    name = "exact-minimum-norm"
    turn = 11
    share = 8.0

    def suits(self, rows: SignedRows) -> str:
        """Say no to what would take long."""
        if rows.n_columns > MOST_COLUMNS:
            return f"{rows.n_columns:,} columns are more than {MOST_COLUMNS}"
        if rows.n_rows * rows.n_columns > MOST_NUMBERS:
            return f"more than {MOST_NUMBERS:,} numbers"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield a separator as soon as there is one, and what the corral proves."""
        yield None  # the others first
        zero = View(rows, unit=False).zero_row()
        if zero is not None:
            yield zero
            return
        nearest = _Nearest(scale_to_integers(rows), *_where_floats_end(rows))
        while True:
            yield None
            w = nearest.descend()
            if not any(w):
                yield nearest.weighting()
                return
            scores = [sum(map(mul, z, w)) for z in nearest.rows]
            least = min(scores)
            if least > 0:
                yield Direction(w)
                yield nearest.weighting()
            if least >= CLOSED * sum(map(mul, w, w)) / nearest.total:
                return
            nearest.enter(scores.index(least))


def scale_to_integers(rows: SignedRows) -> list[list[int]]:
    """All rows times one number that makes them integers."""
    common = math.lcm(*rows.scales)
    factors = [common // scale for scale in rows.scales]
    whole = []
    for columns, values in rows.all_integers("preparing the rows"):
        row = [0] * rows.n_columns
        for j, value in zip(columns, values, strict=True):
            row[j] = value * factors[j]
        whole.append(row)
    return whole


def _where_floats_end(rows: SignedRows) -> tuple[list[int], list[int]]:
    """The corral of the search in floats, and integers in the ratios of its weights."""
    view = View(rows, unit=False)
    search = new_search("minimum-norm", view.matrix, view.n_columns)
    while not search.done:
        search.advance(SLICE)
    weights = search.weighting()
    corral = np.flatnonzero(weights)
    return corral.tolist(), common_integers(weights[corral].tolist())[0]


class _Nearest:
    """A corral of integer rows, weights p > 0 up to a factor, and the way to its nearest point."""

    def __init__(self, rows: list[list[int]], corral: list[int], p: list[int]) -> None:
        self.rows = rows
        self.corral, self.p = corral, p
        self._products: dict[tuple[int, int], int] = {}
        # The corral of the floats may depend exactly: then it begins with the shortest row.
        if self._solution() is None:
            squares = [sum(map(mul, z, z)) for z in rows]
            self.corral, self.p = [squares.index(min(squares))], [1]

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(self.p)

    def enter(self, i: int) -> None:
        """Let a row in, with no weight yet."""
        self.corral.append(i)
        self.p.append(0)

    def descend(self) -> list[int]:
        """Move to the nearest point of the hull of a part of the corral; w times ``total``."""
        while True:
            nearest = self._solution()
            if nearest is None:  # only a corral from floats could be so, and that was looked at
                raise ArithmeticError("a corral that is not affinely independent")
            if min(nearest) > 0:
                self.p = nearest
                columns = zip(*(self.rows[i] for i in self.corral), strict=True)
                return [sum(map(mul, column, self.p)) for column in columns]
            self._shorten(nearest)

    def weighting(self) -> Weighting:
        """The corral's rows with their weights."""
        return Weighting(list(self.corral), list(self.p))

    def _solution(self) -> list[int] | None:
        """Weights of the affine hull's nearest point, their sum > 0; None of rows that depend."""
        gram = [[self._product(i, j) + 1 for j in self.corral] for i in self.corral]
        u = solve(gram, [1] * len(gram))
        if u is None:
            return None
        common = math.lcm(*(value.denominator for value in u))
        return _shortest([value.numerator * (common // value.denominator) for value in u])

    def _product(self, i: int, j: int) -> int:
        pair = (i, j) if i <= j else (j, i)
        if pair not in self._products:
            self._products[pair] = sum(map(mul, self.rows[i], self.rows[j]))
        return self._products[pair]

    def _shorten(self, nearest: list[int]) -> None:
        """Move p towards the nearest point until a weight is 0; drop all that are."""
        here, there = self.total, sum(nearest)
        # Both points over one denominator, so that the way between them has integer steps.
        p = [a * there for a in self.p]
        moves = [b * here - a for a, b in zip(p, nearest, strict=True)]
        upper, lower = 1, 1  # the share of the way that may be gone
        for a, move, b in zip(p, moves, nearest, strict=True):
            if b <= 0 and a * lower < upper * -move:
                upper, lower = a, -move
        moved = [a * lower + upper * move for a, move in zip(p, moves, strict=True)]
        kept = [k for k, value in enumerate(moved) if value > 0]
        self.corral = [self.corral[k] for k in kept]
        self.p = _shortest([moved[k] for k in kept])


def _shortest(values: list[int]) -> list[int]:
    """Integers in the same ratios without a common divisor."""
    divisor = math.gcd(*values)
    return [value // divisor for value in values] if divisor > 1 else values
