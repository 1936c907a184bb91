"""Float multipliers made exact: rows that cancel, at most one more of them than columns.

The rows of the largest multipliers that are independent are solved for; one further row f carries
the sum: ``B x = -z_f``. Where that gives no negative x, (x, 1) is a certificate C2 with the support
of a vertex (Caratheodory). Floats only say where to look: their digits do not enter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.exact.interior import cancel_many
from hardlimit.certificates.exact.modular import PRIMES, find_pivots, to_residues
from hardlimit.certificates.exact.reducing import reduce_support, reduce_to_vertex
from hardlimit.certificates.exact.solving import solve
from hardlimit.certificates.signed_rows import SignedRows

MANY_ROWS = 1500
_TINY = 1e-11  # of the largest: what rounding leaves of a zero


def exact_multipliers(
    rows: SignedRows, index: Sequence[int] | np.ndarray, value: Sequence[float] | np.ndarray
) -> dict[int, int] | None:
    """Multipliers with ``sum L_i z_i = 0`` exactly, near those given; None where there are none.

    Cost: elimination of a matrix of columns by support modulo a prime, and one exact solution.
    """
    weights = to_floats(value)
    order = np.argsort(-weights, kind="stable")
    # What is this small beside the largest is a zero that rounding left.
    order = order[weights[order] > _TINY * weights[order[0]]] if len(order) else order
    support = np.asarray(index)[order].tolist()
    if not support:
        return None
    weights = weights[order]
    many = cancel_many(rows, np.array(support), weights)
    if many is not None:
        return _whole(many)
    if min(len(support), rows.n_columns) > MANY_ROWS:
        return None  # to reduce so many would take minutes
    support, weights = reduce_support(rows, support, weights)
    whole = System(rows, support)
    if len(whole.free) < 2:  # independent, or a vertex: floats have nothing to decompose
        return whole.solve(weights)
    fewer, lighter = reduce_to_vertex(rows, support, weights)
    multipliers = System(rows, fewer).solve(lighter)
    if multipliers is None and len(fewer) < len(support):
        return whole.solve(weights)  # columns that only seem to depend on others
    return multipliers


class System:
    """The equations ``sum L_i z_i = 0`` of a support, the largest first.

    Attributes
    ----------
    basic, free
        Places of independent rows, the earliest, and of all others.
    """

    def __init__(self, rows: SignedRows, support: list[int]) -> None:
        self._support = support
        entries = [rows.exact(i) for i in support]
        columns = sorted(set().union(*entries))
        self._matrix = [[row.get(j, 0) for row in entries] for j in columns]
        p = PRIMES[0]
        self._equations, self.basic = (
            find_pivots(to_residues(self._matrix, p), p) if columns else ([], [])
        )
        self.free = sorted(set(range(len(support))) - set(self.basic))

    def solve(self, weights: np.ndarray) -> dict[int, int] | None:
        """Multipliers near these weights that solve it; None where there are none."""
        if not self._matrix:
            return {self._support[0]: 1}
        if not self.free:
            return None
        carried = _carried(self.free, weights)
        chosen = [self._matrix[e] for e in self._equations]
        right = [-sum(row[k] * carried[k] for k in self.free) for row in chosen]
        solution = solve([[row[k] for k in self.basic] for row in chosen], right)
        # A negative multiplier: the floats pointed at a support that carries no certificate.
        if solution is None or any(x < 0 for x in solution):
            return None
        pairs = zip(self.basic, solution, strict=True)
        exact = {self._support[k]: x for k, x in pairs if x}
        exact |= {self._support[k]: Fraction(v) for k, v in carried.items() if v}
        return _whole(exact)


def _carried(free: list[int], weights: np.ndarray) -> dict[int, int]:
    """Integers near the multipliers of the rows that are not solved for; 1 for a single one."""
    if len(free) == 1:
        return {free[0]: 1}
    # Several rows are free where the support is not a vertex: any positive integers near the
    # floats will do, for the others are solved to match them exactly.
    unit = float(weights[0]) / (1 << 30)
    return {k: round(float(weights[k]) / unit) for k in free}


def _whole(exact: Mapping[int, int | Fraction]) -> dict[int, int]:
    """The least integers in these ratios, by row."""
    common = math.lcm(*(v.denominator for v in exact.values()))
    whole = {i: v.numerator * (common // v.denominator) for i, v in exact.items()}
    divisor = math.gcd(*whole.values())
    return {i: whole[i] // divisor for i in sorted(whole)}
