"""Memory: what a training state needs, and wide arrays in a pickle without their zeros."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardlimit import rules
from hardlimit.foundation import memory


def require_memory(n_columns: int, outputs: int, averaged: bool) -> None:
    """Refuse weights that the machine cannot hold: columns x outputs x (w, the sum, the answer)."""
    vectors = 3 if averaged else 2
    memory.require(
        (n_columns + 1) * outputs * 8 * vectors,
        f"weights of {max(outputs, 2):,} classes and {n_columns:,} columns",
        "use fewer columns (hash_bits=20, or words=(1, 1)), keep='last', or fewer classes",
    )


def require_covariance(rule: rules.Rule, n_columns: int, outputs: int) -> None:
    """Refuse a covariance that the machine cannot hold."""
    if getattr(rule, "answers", "tau") != "tau, beta":
        return
    size = n_columns + 1
    full = getattr(rule, "covariance", "diagonal") == "full"
    memory.require(
        size * (size if full else 1) * outputs * 8,
        f"{rule!r}: the covariance of {n_columns:,} columns and {max(outputs, 2):,} classes",
        "use covariance='diagonal'" if full else "use fewer columns",
    )


def require_vectors(n_vectors: int, n_columns: int, outputs: int) -> None:
    """Refuse kept hypotheses that the machine cannot hold."""
    memory.require(
        (n_columns + 1) * outputs * 8 * n_vectors,
        f"{n_vectors} kept weight vectors of {n_columns:,} columns",
        "keep fewer read-outs",
    )


class Packed(NamedTuple):
    """The cells of an array that are not zero (or are -0), by their place in it."""

    shape: tuple[int, ...]
    places: np.ndarray[Any, Any]
    cells: np.ndarray[Any, Any]


def pack(array: object) -> Any:
    """The array in less memory, or itself where that saves nothing.

    >>> pack(np.eye(9)).cells.tolist() == [1.0] * 9
    True
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
        return array
    cells = array.ravel()
    places = np.flatnonzero((cells != 0) | np.signbit(cells))
    if len(places) * (8 + cells.itemsize) >= array.nbytes:
        return array
    return Packed(array.shape, places, cells[places])


def unpack(kept: object) -> Any:
    """What :func:`pack` was given."""
    if not isinstance(kept, Packed):
        return kept
    array = np.zeros(kept.shape, kept.cells.dtype)
    array.reshape(-1)[kept.places] = kept.cells
    return array
