"""The epoch beside that of another checkout of this project, to see whether it has become slower.

``HARDLIMIT_BEFORE`` names the folder of the other one, with an environment in its ``.venv``. Every
turn is a process of its own on each side, since where memory happens to lie decides a few percent.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import HERE, Missing
from benchmarks.harness import Figure, Settings, spoken

TITLE = "One epoch beside an earlier checkout"
PLACE = "HARDLIMIT_BEFORE"
TURNS = 9
MOST = 1.0


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield what an epoch costs now over what it cost before."""
    place = os.environ.get(PLACE)
    if not place:
        raise Missing(f"before: {PLACE} names no other checkout")
    other = Path(place) / ".venv" / "bin" / "python"
    n_rows = 20_000 if settings.quick else 100_000
    now, before = [], []
    for _ in range(max(TURNS, settings.repetitions)):
        before.append(turn(str(other), n_rows))
        now.append(turn(sys.executable, n_rows))
    for case in now[0]:
        new, old = (statistics.median(one[case] for one in side) for side in (now, before))
        yield Figure(
            case,
            new / old,
            asked=MOST,
            sense="<=",
            ours=spoken(new),
            theirs=f"before {spoken(old)}",
            remark=f"median of {len(now)} processes on each side",
        )


def turn(python: str, n_rows: int) -> dict[str, float]:
    """Return the seconds of an epoch of each case, in a fresh process of that Python."""
    command = [python, "-m", "benchmarks.rows.before", str(n_rows)]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def epochs(n_rows: int) -> dict[str, float]:
    """Return the seconds of an epoch of each case, here."""
    from benchmarks.generators import mnist, zipf_rows
    from benchmarks.rows.epoch import DIGIT, epoch_seconds, ours

    near, far = zipf_rows(n_rows, scattered=False), zipf_rows(n_rows, scattered=True)
    averaged = ("last", "averaged")
    X, y = far.matrix(), far.y
    cases = {
        "CSR float32, commonest columns first": ours(near.matrix(), near.y),
        "CSR float32, columns scattered": ours(X, y),
        "CSR float32, columns scattered, keeping the average": ours(X, y, keep=averaged),
        "CSR float32, 20 classes": ours(
            X[: n_rows // 5], far.y[: n_rows // 5] * 10 + classes(n_rows)
        ),
    }
    try:
        digits, labels = mnist()
        cases["dense float32, MNIST"] = ours(digits, labels == DIGIT)
    except Missing:
        pass
    times = epoch_seconds(cases, 3)
    return {case: min(times.seconds[case]) for case in cases}


def classes(n_rows: int):
    """Return ten classes by turns, for a fifth of the rows."""
    import numpy as np

    return np.arange(n_rows // 5) % 10


if __name__ == "__main__":
    print(json.dumps(epochs(int(sys.argv[1]))))
