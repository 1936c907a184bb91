"""The examples of a fit: rows, targets and weights."""

from __future__ import annotations

import numpy as np

from hardlimit import _native
from hardlimit.engine import pair_examples
from hardlimit.foundation.types import Array


def new_examples(
    rows: _native.Rows, targets: Array, weights: Array | None, tol: float
) -> _native.Examples:
    """The examples of a fit; those of weight 0 are absent."""
    rows.keep_norms()
    round_ = pair_examples(rows, targets, weights, tol)
    if weights is not None and not weights.all():
        round_.set_present(np.flatnonzero(weights).astype(np.int64))
    return round_
