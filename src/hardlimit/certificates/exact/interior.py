"""Multipliers of many rows made exact: a basis of the rows takes up what rounding left.

Where many more rows than columns have multipliers well above 0, no vertex is needed: those of all
rows but a basis are rounded to integers, and those of the basis are solved for, which changes each
by next to nothing. That is one system of equations, however many rows there are.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from hardlimit.certificates.exact.refining import Equations, solve_large
from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]

MANY_COLUMNS = 300  # of fewer, rows are soon reduced to a vertex
_BITS = 40  # of the multipliers of rows that are not solved for
_TINY = 1e-9  # of 1: what elimination leaves of a column that depends on others
_UNEXPLAINED = 1e-7  # of 1: more of a column is no rounding
_SMALL = 1 << 20  # integers whose products with digits int64 holds
_MOST_NUMBERS = 30_000_000  # of a dense matrix


def cancel_many(rows: SignedRows, support: Array, weights: Array) -> dict[int, int] | None:
    """Integers L > 0 with ``sum L_i z_i = 0`` exactly, near the weights; the largest come first.

    None where the basis would need a multiplier below 0, or floats cannot tell a basis. Needs
    scipy. Cost: O(columns^2 rows) and that of :func:`solve_large`.
    """
    if len(support) <= MANY_COLUMNS or not find_spec("scipy"):
        return None
    chosen = _choose_basis(rows, support, weights)
    if chosen is None:
        return None
    basis, columns = chosen
    others = np.setdiff1d(np.arange(len(support)), basis)
    carried = np.rint(weights[others] * (2.0**_BITS / weights[0])).astype(np.int64)
    equations, right = _state(rows, support, basis, columns, others, carried)
    solution = solve_large(equations, right)
    if solution is None or min(solution[0]) <= 0:
        return None
    numerators, denominator = solution
    exact = dict(zip(support[basis].tolist(), numerators, strict=True))
    pairs = zip(support[others].tolist(), carried.tolist(), strict=True)
    return exact | {i: value * denominator for i, value in pairs if value}


def _choose_basis(rows: SignedRows, support: Array, weights: Array) -> tuple[Array, Array] | None:
    """Places of independent rows, heavy ones first, and the columns that are independent."""
    used = np.unique(np.concatenate([rows.row(int(i))[0] for i in support]))
    some = min(len(support), 2 * len(used))
    if len(used) <= MANY_COLUMNS or some * len(used) > _MOST_NUMBERS:
        return None
    matrix = np.zeros((some, len(used)))
    for k, i in enumerate(support[:some].tolist()):
        at, values = rows.row(i)
        matrix[k, np.searchsorted(used, at)] = values
    matrix /= np.abs(matrix).max(0, initial=1e-300)
    # Heavy rows are preferred, not at the price of the condition.
    matrix *= (weights[:some, None] / weights[0]) ** 0.25
    if some < len(used):  # no more columns than rows can be independent
        within, order = _find_independent(matrix.T)
        kept = order[: len(within)]
        used, matrix = used[kept], matrix[:, kept]
    within, order = _find_independent(matrix)
    basis = np.sort(order[: len(within)])
    return (basis, used[within]) if len(basis) < len(support) else None


def _find_independent(matrix: Array) -> tuple[Array, Array]:
    """Columns that span all of them, and the rows in order, those that they need first."""
    pivots, _ = _eliminate(matrix)
    independent = np.flatnonzero(pivots > _TINY)
    while True:
        _, order = _eliminate(matrix[:, independent])
        others = np.setdiff1d(np.arange(matrix.shape[1]), independent)
        if not len(others):
            return independent, order
        # A column that depends on others uses up a row all the same, which one behind it may have
        # needed: what the columns that were found do not explain of the others is looked at again.
        rows = order[: len(independent)]
        shares = np.linalg.solve(matrix[np.ix_(rows, independent)], matrix[np.ix_(rows, others)])
        left = matrix[:, others] - matrix[:, independent] @ shares
        unexplained = np.flatnonzero(np.abs(left).max(0) > _UNEXPLAINED)
        if not len(unexplained):
            return independent, order
        pivots, _ = _eliminate(left[:, unexplained])
        missed = others[unexplained[pivots > _TINY]]
        if not len(missed):
            return independent, order
        independent = np.sort(np.concatenate([independent, missed]))


def _eliminate(matrix: Array) -> tuple[Array, Array]:
    """The pivot of each column beside its length, and the order of the rows that gave them."""
    from scipy.linalg import get_lapack_funcs

    (factor,) = get_lapack_funcs(("getrf",), (matrix,))
    lu, swaps, _ = factor(matrix)
    order = np.arange(len(matrix))
    for k, other in enumerate(swaps.tolist()):
        order[[k, other]] = order[[other, k]]
    lengths = np.abs(matrix).max(0)
    return np.abs(np.diagonal(lu)) / np.where(lengths > 0, lengths, 1), order


def _state(
    rows: SignedRows, support: Array, basis: Array, columns: Array, others: Array, carried: Array
) -> tuple[Equations, Array]:
    """The equations of the basis, a column each, and what the others add up to in it."""
    place = {int(j): e for e, j in enumerate(columns)}
    right = [0] * len(columns)
    for k, multiplier in zip(others.tolist(), carried.tolist(), strict=True):
        for j, value in zip(*rows.integers(int(support[k])), strict=True):
            if j in place:
                right[place[j]] -= multiplier * value
    entries = [
        (place[j], unknown, value)
        for unknown, k in enumerate(basis.tolist())
        for j, value in zip(*rows.integers(int(support[k])), strict=True)
        if j in place
    ]
    entries.sort()
    small = max(abs(value) for *_, value in entries) < _SMALL and max(map(abs, right)) < 1 << 62
    kind: Any = np.int64 if small else object
    values, sums = np.empty(len(entries), kind), np.empty(len(right), kind)
    values[:], sums[:] = [value for *_, value in entries], right
    equation, unknowns = np.array([entry[:2] for entry in entries]).T
    starts = np.searchsorted(equation, np.arange(len(columns) + 1))
    return Equations(values, np.ascontiguousarray(unknowns), starts), sums
