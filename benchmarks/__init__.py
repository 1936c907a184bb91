"""Measurements beside other packages: ``python -m benchmarks [ROW ...]`` or ``make bench``.

One file in ``rows/`` is one row, one file in ``contestants/`` one contestant; both are discovered.
Every figure is a ratio of two medians from one run on one machine, taken in turns (A B A B).
Importing this package pins the numeric libraries to one thread, before any of them is loaded.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
