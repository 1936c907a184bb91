"""Rows as small integers, where a power of two a column makes them so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]

LARGEST = 2.0**30
MOST_SHIFTS = 40


class WholeRows(NamedTuple):
    """Integers ``z_ij 2^shifts_j``, as CSR: (values, columns, starts)."""

    csr: tuple[Array, Array, Array]
    shifts: list[int]


def whole_rows(rows: SignedRows) -> WholeRows | None:
    """The rows as integers of at most 2^30, each column times a power of two; None if too large.

    Cost: O(non-zeros) a power of two that is tried.
    """
    values, columns = rows.data.copy(), rows.indices
    shifts = np.zeros(rows.n_columns, np.int64)
    if not (np.abs(values) <= LARGEST).all():
        return None
    for _ in range(MOST_SHIFTS):
        fractional = values != np.rint(values)
        if not fractional.any():
            return WholeRows((values.astype(np.int64), columns, rows.indptr), shifts.tolist())
        doubled = np.zeros(rows.n_columns, bool)
        doubled[columns[fractional]] = True
        values[doubled[columns]] *= 2
        shifts[doubled] += 1
        if not (np.abs(values[fractional]) <= LARGEST).all():
            return None
    return None
