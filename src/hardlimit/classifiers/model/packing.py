"""Arrays of a model for a pickle: of wide ones only what is not zero."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Packed(NamedTuple):
    """The cells of an array that are not zero (or are -0), by their place in it."""

    shape: tuple[int, ...]
    places: np.ndarray[Any, Any]
    cells: np.ndarray[Any, Any]


def packed(array: Any) -> Any:
    """The array in less memory, or itself where that saves nothing.

    >>> packed(np.eye(9)).cells.tolist() == [1.0] * 9
    True
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
        return array
    cells = array.ravel()
    places = np.flatnonzero((cells != 0) | np.signbit(cells))
    if len(places) * (8 + cells.itemsize) >= array.nbytes:
        return array
    return Packed(array.shape, places, cells[places])


def unpacked(kept: Any) -> Any:
    """What :func:`packed` was given."""
    if not isinstance(kept, Packed):
        return kept
    array = np.zeros(kept.shape, kept.cells.dtype)
    array.reshape(-1)[kept.places] = kept.cells
    return array
