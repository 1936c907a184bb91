"""Searches for separating directions and for multipliers against them (``native/finders/``).

They see signed rows ``z_i = y_i (x_i, bias)`` in float64, a bias being a column as any other, and
work in slices: ``search.advance(work_limit)`` touches about ``work_limit`` non-zeros.
"""

from __future__ import annotations

import numpy as np

from hardlimit import _native
from hardlimit.engine.examples import explain_refusals
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import Array

SLICE = 1 << 22
"""Non-zeros a slice: some milliseconds."""


def new_search(
    name: str,
    matrix: Array | tuple[Array, Array, Array],
    n_columns: int,
    *,
    parameter: float = 0.0,
    seed: int = 0,
) -> _native.Search:
    """Begin a search among rows: a dense matrix, or (values, columns, starts) as of CSR.

    Raises
    ------
    InputError
        Values that are not finite.
    """
    with explain_refusals("X"):
        if isinstance(matrix, tuple):
            values, columns, starts = matrix
            rows = _native.Rows.sparse(
                np.ascontiguousarray(starts, np.int64),
                np.ascontiguousarray(columns, np.int64),
                np.ascontiguousarray(values, np.float64),
                n_columns,
                0.0,
            )
        else:
            rows = _native.Rows.dense(np.ascontiguousarray(matrix, np.float64), 0.0)
    if rows is None:
        raise InputError("the columns of a row must ascend", who="X")
    return _native.new_search(name, rows, parameter, seed)


def exact_perceptron(
    values: Array, columns: Array, starts: Array, n_columns: int, seed: int
) -> _native.ExactPerceptron:
    """Begin a perceptron on rows of integers, (values, columns, starts) as of CSR."""
    return _native.ExactPerceptron(
        np.ascontiguousarray(starts, np.int64),
        np.ascontiguousarray(columns, np.int64),
        np.ascontiguousarray(values, np.int64),
        n_columns,
        seed,
    )
