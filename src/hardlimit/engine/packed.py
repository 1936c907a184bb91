"""Arrays without their zeros: weights of many outputs, and what goes into a pickle.

``native/state/packed.hpp`` has the layout of the weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardlimit import _native
from hardlimit.engine.dual import LiveState
from hardlimit.foundation import dtypes

Array = np.ndarray[Any, Any]
PackedArrays = tuple[Array, Array, Array, Array]  # runs, starts, outputs and values


def lies_in_cells(rule: _native.Rule, scheme: str, n_columns: int, n_outputs: int) -> bool:
    """Whether the weights of such a state take the memory of what is touched."""
    return _native.lies_in_cells(rule, scheme, n_columns, n_outputs)


def open_packed(arrays: PackedArrays, n_outputs: int) -> _native.PackedWeights:
    """Packed weights that answer; the arrays may come from a file, and all are checked.

    Raises
    ------
    ValueError
        Arrays that contradict each other or themselves.
    """
    return _native.PackedWeights(*arrays, n_outputs)


def pack_array(weights: Array) -> PackedArrays:
    """Pack an array (n_columns + 1, n_outputs), the bias's weights last."""
    return _native.pack_weights(np.ascontiguousarray(weights))


def pack_mixture(
    state: LiveState, mixture: tuple[float, float, float], single_precision: bool
) -> PackedArrays:
    """Pack a mixture of a state's last weights and their sum, as it is now."""
    return _native.packed_weights(state, *mixture, single_precision)


def pack_state(state: LiveState) -> tuple[Array, Array, Array, Array, Array | None]:
    """Pack weights and sums of a state: runs, starts, outputs, w, and u or None."""
    return _native.packed_state(state)


def restore_packed(
    state: LiveState, arrays: tuple[Array, Array, Array, Array, Array | None]
) -> None:
    """Put what :func:`pack_state` gave into a state of that size that holds nothing yet.

    Raises
    ------
    ValueError
        Arrays that contradict each other, themselves or the state.
    """
    _native.set_packed_state(state, *arrays)


class PackedCells(NamedTuple):
    """The cells of an array that are not zero (or are -0), by their place in it."""

    shape: tuple[int, ...]
    places: np.ndarray[Any, Any]
    cells: np.ndarray[Any, Any]


def pack(array: object) -> Any:
    """The array in less memory, or itself where that saves nothing.

    >>> pack(np.eye(9)).cells.tolist() == [1.0] * 9
    True
    """
    if not isinstance(array, np.ndarray) or not dtypes.is_floating(array.dtype):
        return array
    cells = array.ravel()
    places = np.flatnonzero((cells != 0) | np.signbit(cells))
    if len(places) * (8 + cells.itemsize) >= array.nbytes:
        return array
    return PackedCells(array.shape, places, cells[places])


def unpack(kept: object) -> Any:
    """What :func:`pack` was given."""
    if not isinstance(kept, PackedCells):
        return kept
    array = np.zeros(kept.shape, kept.cells.dtype)
    array.reshape(-1)[kept.places] = kept.cells
    return array
