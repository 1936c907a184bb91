"""One contestant on one corpus, in a process of its own: ``python -m benchmarks.job NAME CORPUS``.

Prints one line of JSON: accuracy, seconds from raw texts to predictions, seconds by stage, and the
peak of resident memory before (raw texts and libraries loaded) and during the work.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.contestants import Stages, contestants, run
from benchmarks.corpora import HERE, Missing, load
from benchmarks.memory import peak_bytes, resident_bytes, restart_peak

WARMED = 1 << 30
MISSING = 3  # exit status of a module where a package or a data set is missing


def measure(contestant: str, corpus: str, most: int | None = None) -> dict:
    """Run one contestant once, in this process."""
    module = contestants()[contestant]
    module.load()
    train, test = load(corpus).first(most).split()
    gc.collect()
    before = resident_bytes()
    restart_peak()
    stages = Stages()
    start = time.perf_counter()
    answers = run(module, train, test, stages)
    seconds = time.perf_counter() - start
    right = sum(str(a) == b for a, b in zip(answers, test.labels, strict=True))
    return {
        "accuracy": right / len(test.labels),
        "seconds": seconds,
        "stages": stages.seconds,
        "notes": stages.notes,
        "memory_before": before,
        "memory_peak": peak_bytes(),
        "text_bytes": train.n_bytes + test.n_bytes,
    }


def warm_memory() -> None:
    """Touch a gigabyte in a process that ends at once.

    A virtual machine gives memory back to its host where it lies idle, and whoever comes next pays
    for having it again: after a contestant of little memory up to half of a run.
    """
    touch = f"bytearray(b'1') * {WARMED}"
    subprocess.run([sys.executable, "-c", touch], capture_output=True, check=False)


def in_a_process(
    contestant: str, corpus: str, most: int | None = None, python: str = sys.executable
) -> dict:
    """Run one contestant in a fresh process; raise ``Missing`` where it cannot run."""
    words = ["benchmarks.job", contestant, corpus, *([] if most is None else [str(most)])]
    warm_memory()
    return run_module(*words, python=python)


def run_module(*words: str, python: str = sys.executable) -> dict:
    """Run a module of the benchmarks that prints JSON; raise ``Missing`` where it cannot run."""
    done = subprocess.run([python, "-m", *words], cwd=HERE.parent, capture_output=True, text=True)
    if done.returncode == MISSING:
        raise Missing(done.stderr.strip())
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def exit_where_missing() -> Iterator[None]:
    """End this process in the way that `run_module` knows where something is missing."""
    try:
        yield
    except Missing as missing:
        print(missing, file=sys.stderr)
        sys.exit(MISSING)


if __name__ == "__main__":
    with exit_where_missing():
        print(json.dumps(measure(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]))))
