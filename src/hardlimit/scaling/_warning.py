"""A word where columns are in units that differ too much."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hardlimit.engine import column_squares
from hardlimit.exceptions import ScaleWarning, Setting
from hardlimit.foundation.stacklevel import caller_stacklevel

RATIO = 1000


def warn_of_norms(rows: Any, present: Any) -> None:
    """Warn once where the norms of columns differ by more than 1,000; columns of zeros are none.

    Cost: one look at each value.
    """
    squares = column_squares(rows, present)
    if len(squares) < 2:  # one column has no other to differ from
        return
    positive = squares[squares > 0]
    if not len(positive):
        return
    if not positive[positive.argmax()] > RATIO * RATIO * positive[positive.argmin()]:
        return
    there = np.flatnonzero(squares > 0)
    largest, smallest = there[positive.argmax()], there[positive.argmin()]
    with np.errstate(over="ignore"):
        most, least = np.sqrt(squares[largest]), np.sqrt(squares[smallest])
    warnings.warn(
        ScaleWarning(
            f"the norms of the columns differ by more than {RATIO:,}: {most:.3g} of column "
            f"{largest}, {least:.3g} of column {smallest}, so the large ones decide nearly alone",
            parameter="X",
            fix=("use ", Setting("scale", "standard"), " or ", Setting("scale", "maxabs")),
        ),
        stacklevel=caller_stacklevel(),
    )
