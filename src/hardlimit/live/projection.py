"""The smallest change of the weights that meets several margins at once, in exact fractions.

    minimise |Delta|^2   subject to   <z_i, w + Delta> >= m_i

with Kesler's vectors z_i = (row at the label, -row at the rival). The dual active set method of
Goldfarb and Idnani (Mathematical Programming 27, 1983) takes one violated constraint at a time.
Where there is no solution it ends with multipliers lambda >= 0, sum lambda_i z_i = 0 and
sum lambda_i c_i > 0 for c_i = m_i - <z_i, w>: a certificate that anybody can check.

One constraint alone is solved by compiled code, in floats (``native/live/overlay.cpp``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple


class Solved(NamedTuple):
    """Multipliers of the constraints, by position; ``feasible`` says of what."""

    feasible: bool
    multipliers: dict[int, Fraction]


def project(gram: Callable[[int, int], Fraction], missing: Sequence[Fraction]) -> Solved:
    """Return the multipliers of the projection, Delta = sum lambda_i z_i, or a certificate.

    Parameters
    ----------
    gram : <z_i, z_j>, exact
    missing : c_i, by how much each constraint is violated; below 0 where it holds

    Examples
    --------
    >>> one, zero = Fraction(1), Fraction(0)
    >>> project(lambda i, j: one if i == j else zero, [one, 2 * one]).multipliers
    {1: Fraction(2, 1), 0: Fraction(1, 1)}
    >>> project(lambda i, j: one if i == j else -one, [one, one])
    Solved(feasible=False, multipliers={0: Fraction(1, 1), 1: Fraction(1, 1)})
    """
    multipliers: dict[int, Fraction] = {}
    while True:
        slack = {
            i: c - sum((u * gram(i, j) for j, u in multipliers.items()), Fraction(0))
            for i, c in enumerate(missing)
            if i not in multipliers
        }
        worst = max(slack, key=lambda i: (slack[i], -i), default=None)
        if worst is None or slack[worst] <= 0:
            return Solved(True, {i: u for i, u in multipliers.items() if u})
        certificate = _take_in(worst, slack[worst], multipliers, gram)
        if certificate is not None:
            return Solved(False, certificate)


def _take_in(
    new: int, missing: Fraction, active: dict[int, Fraction], gram: Callable[[int, int], Fraction]
) -> dict[int, Fraction] | None:
    """Make one violated constraint hold; return a certificate where none can."""
    own = Fraction(0)
    while True:
        held = list(active)
        pull = _solve([[gram(i, j) for j in held] for i in held], [gram(i, new) for i in held])
        left = gram(new, new) - sum(
            (r * gram(i, new) for i, r in zip(held, pull, strict=True)), Fraction(0)
        )
        blocking = [(active[i] / r, i) for i, r in zip(held, pull, strict=True) if r > 0]
        first = min(blocking, default=None)
        if left == 0 and first is None:
            pairs = [(i, -r) for i, r in zip(held, pull, strict=True) if r] + [(new, Fraction(1))]
            return dict(sorted(pairs))
        whole = missing / left if left else None
        step = whole if first is None else first[0] if whole is None else min(first[0], whole)
        assert step is not None  # one of the two is there
        for i, r in zip(held, pull, strict=True):
            active[i] -= step * r
        own += step
        missing -= step * left
        if whole is not None and step == whole:
            active[new] = own
            return None
        assert first is not None
        del active[first[1]]


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a positive definite system by elimination."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    solution = [Fraction(0)] * n
    for k in reversed(range(n)):
        known = sum((rows[k][j] * solution[j] for j in range(k + 1, n)), Fraction(0))
        solution[k] = (rows[k][n] - known) / rows[k][k]
    return solution
