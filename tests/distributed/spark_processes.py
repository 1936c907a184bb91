"""Processes of Spark on this machine, all below the process of the tests."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

EXECUTOR, PYTHON = "CoarseGrainedExecutorBackend", "pyspark.daemon"
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    "SPARK_LOCAL_IP": "127.0.0.1",  # nothing listens beyond this machine
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false pyspark-shell",
    "PYTHONPATH": str(ROOT),  # functions of tests are found
}


def descendants(process: int) -> dict[int, str]:
    """Return the processes below one, and their command lines."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    found, left = {}, children.get(process, [])
    while left:
        one = left.pop()
        with contextlib.suppress(OSError):
            found[one] = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        left = left + children.get(one, [])
    return found


def kill_one(kind: str, among: int) -> int | None:
    """End a process of this kind by SIGKILL; its number."""
    found = [number for number, line in descendants(among).items() if kind in line]
    if kind == PYTHON:  # the first of them begins the others
        found = [one for one in found if one not in _daemons(among)] or found
    if not found:
        return None
    victim = random.choice(found)
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    return victim


def _daemons(among: int) -> set[int]:
    lines = descendants(among)
    java = [number for number, line in lines.items() if "java" in line.split(" ")[0]]
    own: set[int] = set()
    for one in java:
        path = Path(f"/proc/{one}/task/{one}/children")
        with contextlib.suppress(OSError):
            own |= {int(child) for child in path.read_text().split()}
    return own


class KillLater:
    """Ends a process of this kind after a while."""

    def __init__(self, kind: str, seconds: float) -> None:
        self._victim: int | None = None
        self._timer = threading.Timer(seconds, self._kill, (kind,))
        self._timer.start()

    def _kill(self, kind: str) -> None:
        self._victim = kill_one(kind, os.getpid())

    def end(self) -> bool:
        """Whether that was done meanwhile; now it is not done any more."""
        self._timer.cancel()
        self._timer.join()
        return self._victim is not None


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def serving(port: int, log: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program of Spark for as long as the block lasts, from when its port answers."""
    import pyspark

    home = Path(pyspark.__file__).parent
    with log.open("wb") as file:
        process = subprocess.Popen(
            [home / "bin" / command[0], *command[1:]],
            stdout=file,
            stderr=file,
            env={**os.environ, **ENVIRONMENT},
        )
    try:
        end = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.2)
        else:
            raise AssertionError(log.read_text())
        yield process
    finally:
        process.terminate()
        process.wait(60)
