"""Whose labels to look at first: the rows whose removal resolves most conflicts.

Every conflict (a certificate C2) has at least one row that must go. Pack as many conflicts as fit
when each row can be used once: maximise ``sum L_i`` subject to ``sum L_i z_i = 0, 0 <= L_i <= 1``.
The price of a row in this packing, what more of it would add, is by duality the slack ``max(0, 1 -
z_i . w)`` of the w that makes the sum of all slacks least. A row of price above 1 is on the wrong
side of w; the highest price stands in most conflicts. Rows go out in this order, in few rounds,
until w separates what is left; that is the elastic filter of Chinneck, "Feasibility and
Infeasibility in Optimization" (2008), chapter 7. Finding the fewest such rows is NP-hard; this is a
good order, not the best one.

The least sum is found by majorisation: ``|t| <= t^2 / (2 c) + c / 2``, equality at ``c = |t|``, so
that each step is a weighted least-squares problem and no step makes the sum larger.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from hardlimit.certificates.exact.integers import floats
from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]

_STEPS = 30
_MOST_COLUMNS = 1500
_SHARE = 0.3  # of the rows on the wrong side go out in one round
_SIDE = 1e-9  # of 1: nearer to the plane than floats can tell
_LEAST = 1e-6  # of 1: a slack's distance from its kink, below which it counts as this far


def suspects(rows: SignedRows, multipliers: Mapping[int, Any], seconds: float) -> list[int]:
    """Rows to look at first, the most suspicious one first.

    Without all of them the rest is separable, as far as floats tell; rows that went out early and
    are right in the end are no suspects. Where time runs out, the list ends with the rows on the
    wrong side of the last w.
    """
    ends = time.monotonic() + seconds
    conflict = sorted(multipliers, key=lambda i: (-multipliers[i], i))
    if len(conflict) == 1:
        return conflict
    if rows.n_columns > _MOST_COLUMNS:
        return conflict
    matrix = _scaled(rows)
    weights = np.zeros(rows.n_rows)
    weights[list(multipliers)] = floats(list(multipliers.values()))
    out: list[int] = []
    alive = np.ones(rows.n_rows, bool)
    w = np.zeros(rows.n_columns)
    while True:
        w = least_slacks(matrix[alive], w, ends)
        product = matrix @ w
        wrong = np.flatnonzero(alive & (product <= _SIDE))
        if not len(wrong):
            return [i for i in out if product[i] <= _SIDE]
        # The price decides; among equals the heavier one in the proof, then the earlier.
        order = np.lexsort((wrong, -weights[wrong], np.round(product[wrong], 9)))
        over = time.monotonic() > ends
        many = len(wrong) if over else max(1, int(_SHARE * len(wrong)))
        gone = wrong[order[:many]]
        out += gone.tolist()
        alive[gone] = False
        if over or not alive.any():
            return out


def _scaled(rows: SignedRows) -> Array:
    """Dense rows, each column brought to the length of the others: no price changes."""
    if rows.dense is not None:
        matrix = rows.dense.copy()
    else:
        matrix = np.zeros((rows.n_rows, rows.n_columns))
        matrix[np.repeat(np.arange(rows.n_rows), np.diff(rows.indptr)), rows.indices] = rows.data
    largest = np.abs(matrix).max(0)
    matrix /= np.where(largest > 0, largest, 1)
    return matrix


def least_slacks(matrix: Array, w: Array, ends: float) -> Array:
    """The w of the least ``sum max(0, 1 - z_i . w)``; O(rows columns^2) a step.

    >>> Z = np.array([[1.0, 1], [1, -1], [1, 0]])
    >>> bool((Z @ least_slacks(Z, np.zeros(2), np.inf) > 0.99).all())
    True
    """
    before = np.inf
    for _ in range(_STEPS):
        distance = 1 - matrix @ w
        value = float(np.maximum(distance, 0).sum())
        if value > before * (1 - 1e-3) or time.monotonic() > ends:
            return w
        before = value
        curve = 1 / (2 * np.maximum(np.abs(distance), _LEAST))
        weighted = matrix * curve[:, None]
        normal = weighted.T @ matrix
        normal[np.diag_indices_from(normal)] += 1e-12 * normal.trace()
        w = np.linalg.solve(normal, (curve + 0.5) @ matrix)
    return w
