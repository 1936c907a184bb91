"""Rows as small integers, where a power of two a column makes them so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardlimit.certificates.signed_rows import SignedRows

Array = np.ndarray[Any, Any]

LARGEST = 2.0**30
MOST_SHIFTS = 40


class IntegerRows(NamedTuple):
    """Integers ``z_ij 2^shifts_j``, as CSR: (values, columns, starts)."""

    csr: tuple[Array, Array, Array]
    shifts: list[int]


def to_whole_rows(rows: SignedRows) -> IntegerRows | None:
    """The rows as integers of at most 2^30, each column times a power of two; None if too large.

    Cost: O(non-zeros).
    """
    values, columns = rows.data, rows.indices
    shifts = np.zeros(rows.n_columns, np.int64)
    np.maximum.at(shifts, columns, count_binary_places(values))
    if (shifts > MOST_SHIFTS).any() or not (np.abs(values) <= LARGEST).all():
        return None
    whole = np.ldexp(values, shifts[columns])
    if not (np.abs(whole) <= LARGEST).all():
        return None
    return IntegerRows((whole.astype(np.int64), columns, rows.indptr), shifts.tolist())


def count_binary_places(values: Array) -> Array:
    """The least k >= 0 of each value, other than 0, for which it is an integer times 2^-k."""
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    needed: Array = np.maximum(53 - exponents - lowest, 0)
    return needed
