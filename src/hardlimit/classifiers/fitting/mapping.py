"""Rows as the map of a classifier makes them, before anything else looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    own = template.for_rows(X)
    return own.transform(X), own
