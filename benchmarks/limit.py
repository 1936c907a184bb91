"""The bare loops that an epoch is measured against: compiled where a compiler is at hand."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.corpora import Missing
from benchmarks.generators import Rows
from benchmarks.harness import time_call

SOURCE = Path(__file__).with_name("bare_loop.cpp")


def bare_epoch(rows: Rows, shuffled: bool) -> Callable[[], float]:
    """Return one pass over the rows, by weights that are there: no target, no correction.

    Raises
    ------
    Missing
        Without a C++ compiler (``CXX``, else ``c++``).
    """
    loop = compile_loops().bare_loop
    loop.restype = ctypes.c_double
    order = row_order(rows, shuffled, 0)
    pointers = point_to(rows.data, rows.indices, rows.indptr, np.ones(rows.n_columns), order)
    return lambda: loop(*pointers, ctypes.c_int64(len(order)))


def correcting_epochs(rows: Rows, shuffled: bool) -> Callable[[int], int]:
    """Return a perceptron of so many epochs from zero weights: the mistakes of the last.

    The order of an epoch is made outside of what is timed.

    Raises
    ------
    Missing
        Without a C++ compiler.
    """
    loop = compile_loops().correcting_loop
    loop.restype = ctypes.c_int64
    orders = [row_order(rows, shuffled, epoch) for epoch in range(11)]
    weights, targets = np.zeros(rows.n_columns + 1), rows.y.astype(np.int8)
    arrays = [point_to(rows.data, rows.indices, rows.indptr, weights, order) for order in orders]
    (signs,) = point_to(targets)

    def run(epochs: int) -> int:
        weights[:] = 0
        mistakes = 0
        for pointers in arrays[:epochs]:
            sizes = ctypes.c_int64(len(rows.y)), signs, ctypes.c_int64(rows.n_columns)
            mistakes = loop(*pointers, *sizes)
        return mistakes

    return run


def bare_fit(rows: Rows) -> Callable[[], dict[str, float]]:
    """Return the seconds of the three loops of a fit: measuring, one epoch, scores.

    Raises
    ------
    Missing
        Without a C++ compiler.
    """
    measuring = compile_loops().measuring_loop
    measuring.restype = ctypes.c_bool
    squares = np.zeros(rows.n_columns)
    pointers = point_to(rows.data, rows.indices, rows.indptr, squares)
    sizes = ctypes.c_int64(len(rows.y)), ctypes.c_int64(rows.n_columns)
    loops = {
        "measuring": lambda: measuring(*pointers, *sizes),
        "an epoch": partial(correcting_epochs(rows, shuffled=True), 1),
        "scores": bare_epoch(rows, shuffled=False),
    }
    return lambda: {name: time_call(loop) for name, loop in loops.items()}


def row_order(rows: Rows, shuffled: bool, epoch: int) -> np.ndarray:
    """Return the rows of an epoch (int64)."""
    order = np.arange(len(rows.y))
    return np.random.default_rng(epoch).permutation(order) if shuffled else order


def point_to(*arrays: np.ndarray) -> tuple[ctypes.c_void_p, ...]:
    """Return the addresses of arrays, which each of them keeps alive."""
    pointers = []
    for array in arrays:
        pointer = ctypes.c_void_p(array.ctypes.data)
        pointer.array = array  # type: ignore[attr-defined]
        pointers.append(pointer)
    return tuple(pointers)


def compile_loops() -> ctypes.CDLL:
    """Return the compiled loops."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        raise Missing("the bare loop: there is no C++ compiler")
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "bare_loop.so")
        words = [compiler, "-O3", "-shared", "-fPIC", "-ffp-contract=off", "-o", library]
        subprocess.run([*words, str(SOURCE)], check=True)
        return ctypes.CDLL(library)
