"""The bare loop that an epoch is measured against: compiled where a compiler is at hand."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.corpora import Missing
from benchmarks.generators import Rows

SOURCE = Path(__file__).with_name("bare_loop.cpp")


def bare_epoch(rows: Rows, shuffled: bool) -> Callable[[], float]:
    """Return one pass over the rows, by weights that are there: no target, no correction.

    Raises
    ------
    Missing
        Without a C++ compiler (``CXX``, else ``c++``).
    """
    loop = compile_loop()
    order = np.arange(len(rows.y))
    if shuffled:
        order = np.random.default_rng(0).permutation(order)
    arrays = (rows.data, rows.indices, rows.indptr, np.ones(rows.n_columns), order)

    def run() -> float:
        return loop(*(ctypes.c_void_p(a.ctypes.data) for a in arrays), len(order))

    return run


def compile_loop() -> Callable[..., float]:
    """Return the compiled loop."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        raise Missing("the bare loop: there is no C++ compiler")
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "bare_loop.so")
        words = [compiler, "-O3", "-shared", "-fPIC", "-ffp-contract=off", "-o", library]
        subprocess.run([*words, str(SOURCE)], check=True)
        loop = ctypes.CDLL(library).bare_loop
    loop.restype = ctypes.c_double
    loop.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_int64]
    return loop
