"""Rows as the map of a classifier makes them, before anything else looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.engine import rows_of
from hardlimit.foundation.tables import feature_names
from hardlimit.foundation.types import ArrayLike

if TYPE_CHECKING:
    from hardlimit.maps import FeatureMap


def map_rows(template: FeatureMap | None, X: ArrayLike) -> tuple[Any, FeatureMap | None]:
    """Return the rows as they are learnt from, and the map that made them so.

    >>> map_rows(None, [[1, 2]])
    ([[1, 2]], None)
    """
    if template is None:
        return X, None
    own = template.for_columns(rows_of(X, 0.0).n_columns)
    names = feature_names(X)
    if names is not None:
        own.feature_names_in_ = np.array(names, dtype=object)
    return own.transform(X), own
