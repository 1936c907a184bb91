"""Measurements against peers: ``python -m benchmarks [ROW ...]`` or ``make bench``.

One file in ``rows/`` is one row, one file in ``peers/`` is one peer; both are found by discovery.
Every figure is a ratio of two medians from one run on one machine, taken turn about (A B A B).
Importing this package pins the numeric libraries to one thread, before any of them is loaded.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
