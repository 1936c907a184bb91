"""A word where columns are in units that differ too much."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from hardlimit.engine import column_spread
from hardlimit.exceptions import ScaleWarning, Setting
from hardlimit.foundation.package import caller_stacklevel

if TYPE_CHECKING:
    from hardlimit._native import Rows


RATIO = 1000


def warn_of_norms(rows: Rows) -> None:
    """Warn where the norms of columns differ by more than 1,000; columns of zeros are none.

    rows : of :meth:`hardlimit.engine.RowLayout.measured`.
    """
    most, largest, least, smallest = column_spread(rows)
    if not most > RATIO * RATIO * least:
        return
    high, low = math.sqrt(most), math.sqrt(least)
    warnings.warn(
        ScaleWarning(
            f"the norms of the columns differ by more than {RATIO:,}: {high:.3g} of column "
            f"{largest}, {low:.3g} of column {smallest}, so the large ones decide nearly alone",
            parameter="X",
            fix=("use ", Setting("scale", "standard"), " or ", Setting("scale", "maxabs")),
        ),
        stacklevel=caller_stacklevel(),
    )
