"""The least sum of slacks, ``sum max(0, 1 - z_i . w)``, near enough to order rows by.

By majorisation: ``max(0, t) = (t + |t|) / 2`` and ``|t| <= t^2 / (2 c) + c / 2``, equality at ``c =
|t|``, so that each step is a weighted least-squares problem and no step makes the sum larger.
Groenen, Nalbantov and Bioch, "SVM-Maj", Advances in Data Analysis and Classification 2 (2008).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]

_STEPS = 30
_NEAREST = 1e-6  # of 1: a slack's distance from its kink counts as no less;
_NEAREST_GRADIENTS = 1e-3  # with gradients, which need weights of like size
_RIDGE = 1e-12  # of the trace: columns may depend on each other
MOST_COLUMNS = 1500  # beyond, by conjugate gradients
_GRADIENTS = 25


class Slacks:
    """The search for the least sum, which goes on from where it stopped.

    Parameters
    ----------
    rows
        The signed rows.
    ends
        On the clock of ``time.monotonic``: when to stop where it is.
    """

    def __init__(self, rows: SignedRows, ends: float) -> None:
        self._rows, self._ends = rows, ends
        # Few columns: the normal equations, cubic in them, are solved at once.
        self._dense = _scaled(rows) if rows.n_columns <= MOST_COLUMNS else None
        self._nearest = _NEAREST if self._dense is not None else _NEAREST_GRADIENTS
        self._w = np.zeros(rows.n_columns)

    def least(self, alive: Array, *, precision: float = 1e-3, steps: int = _STEPS) -> Array:
        """Go on for the rows that are alive; return ``z_i . w`` of all rows.

        Ends where a step makes the sum less by less than ``precision`` of it. Cost: a step is
        O(rows columns^2), with many columns O(non-zeros) by the number of gradients.
        """
        before = np.inf
        product = self._dot(self._w)
        for _ in range(steps):
            distance = 1 - product
            value = float(np.maximum(distance, 0)[alive].sum())
            if value > before * (1 - precision) or time.monotonic() > self._ends:
                break
            before = value
            # The weight of a row grows as 1 / |slack|, without end towards the kink, hence the
            # least distance, without which the equations become singular.
            curve = alive / (2 * np.maximum(np.abs(distance), self._nearest))
            self._w = self._solved(curve, curve + 0.5 * alive)
            product = self._dot(self._w)
        return product

    def _dot(self, w: Array) -> Array:
        if self._dense is None:
            return self._rows.dot(w)
        product: Array = self._dense @ w
        return product

    def _solved(self, curve: Array, right: Array) -> Array:
        """The w of ``Z' diag(curve) Z w = Z' right``."""
        if self._dense is None:
            return self._by_gradients(curve, self._rows.transposed(right))
        normal = (self._dense * curve[:, None]).T @ self._dense
        # Columns that depend on each other leave the equations singular without it.
        normal[np.diag_indices_from(normal)] += _RIDGE * normal.trace()
        solved: Array = np.linalg.solve(normal, right @ self._dense)
        return solved

    def _by_gradients(self, curve: Array, right: Array) -> Array:
        w = self._w.copy()
        left = right - self._rows.transposed(curve * self._rows.dot(w))
        along, squared = left.copy(), float(left @ left)
        for _ in range(_GRADIENTS):
            if squared <= 1e-12 * float(right @ right) or time.monotonic() > self._ends:
                break
            bent = self._rows.transposed(curve * self._rows.dot(along))
            step = squared / float(along @ bent)
            w += step * along
            left -= step * bent
            before, squared = squared, float(left @ left)
            along = left + squared / before * along
        return w


def _scaled(rows: SignedRows) -> Array:
    """Dense rows, each column brought to the size of the others: no slack changes."""
    if rows.dense is not None:
        matrix = rows.dense.copy()
    else:
        matrix = np.zeros((rows.n_rows, rows.n_columns))
        matrix[np.repeat(np.arange(rows.n_rows), np.diff(rows.indptr)), rows.indices] = rows.data
    # The normal equations square the condition number; columns of even size keep it small.
    largest = np.abs(matrix).max(0)
    matrix /= np.where(largest > 0, largest, 1)
    return matrix
