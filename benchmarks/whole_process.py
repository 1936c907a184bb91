"""Seconds and peak memory of a whole process.

It is started by a small one: on Linux the peak of a process begins with what its parent held.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import NamedTuple

from benchmarks.corpora import HERE

_START = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([seconds, used.ru_maxrss * 1024, done.returncode, done.stdout, done.stderr]))
"""


class Done(NamedTuple):
    """A process that has ended; ``peak`` is in bytes, ``status`` negative for a signal."""

    seconds: float
    peak: float
    status: int
    out: str
    errors: str


def run(words: Iterable[object]) -> Done:
    """Run a command to its end."""
    command = [sys.executable, "-c", _START, *map(str, words)]
    started = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=True)
    return Done(*json.loads(started.stdout))
