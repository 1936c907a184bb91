"""Processes on this machine, begun anew (spawn); a process that is killed is replaced.

Parts lie as files in a folder of temporary files, so that each is written once and read once a
process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from hardlimit.distributed.engines._protocol import Function, Job, Part, Result, count_of
from hardlimit.exceptions import HardlimitError

# How often work is begun anew after a process was lost: one that runs out of memory does so again.
MOST_LOSSES = 5
_KEPT = 64
_loaded: OrderedDict[str, Part] = OrderedDict()  # of this process, the least recently used first


def accepts(cluster: Any) -> bool:
    """Whether this is ``"processes"`` or ``"processes:N"``."""
    return isinstance(cluster, str) and cluster.partition(":")[0] == "processes"


def open_engine(cluster: str) -> Processes:
    """Return the engine."""
    return Processes(count_of(cluster, "processes"))


class Processes:
    """So many processes."""

    def __init__(self, n_processes: int) -> None:
        self._n = n_processes
        self._folder = tempfile.TemporaryDirectory(prefix="hardlimit-parts-")
        self._pool: ProcessPoolExecutor | None = None

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: Callable[[int], object] = lambda done: None,
    ) -> list[Result]:
        """Apply the function to each job; what a lost process had in hand is done again."""
        paths = tuple(self._write(part) for part in parts)
        found: dict[int, Result] = {}
        for _ in range(MOST_LOSSES):
            if self._map(function, paths, jobs, found, on_done):
                return [found[place] for place in range(len(jobs))]
            self._stop()
        raise HardlimitError(
            f"{MOST_LOSSES} times a process was lost in the middle of its work",
            who="processes",
            fix="use fewer processes, or more shards, so that each needs less memory",
        )

    def _map(
        self,
        function: Function[Job, Result],
        paths: tuple[str, ...],
        jobs: Sequence[Job],
        found: dict[int, Result],
        on_done: Callable[[int], object],
    ) -> bool:
        """Do the jobs that are left; False where a process was lost."""
        futures: dict[Future[Result], int] = {}
        try:
            pool = self._start()
            for place, job in enumerate(jobs):
                if place not in found:
                    futures[pool.submit(_call, function, paths, job)] = place
            for future in as_completed(futures):
                found[futures[future]] = future.result()
                on_done(len(found))
        except BrokenProcessPool:
            return False
        finally:
            for future in futures:
                future.cancel()
        return True

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._n, mp_context=context, initializer=_ignore_interrupts
            )
        return self._pool

    def _stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _write(self, part: Part) -> str:
        path = os.path.join(self._folder.name, part.name)
        if not os.path.exists(path):
            # Under its name only when it is whole.
            with open(f"{path}.new", "wb") as file:
                file.write(part.data)
            os.replace(f"{path}.new", path)
        return path

    def close(self) -> None:
        """End the processes, and remove the parts."""
        self._stop()
        with contextlib.suppress(OSError):
            self._folder.cleanup()


def _ignore_interrupts() -> None:
    # Ctrl-C reaches all processes of a terminal: whoever began the work ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _call(function: Callable[..., Any], paths: tuple[str, ...], job: Any) -> Any:
    return function(tuple(_read(path) for path in paths), job)


def _read(path: str) -> Part:
    part = _loaded.pop(path, None)
    if part is None:
        with open(path, "rb") as file:
            part = Part(os.path.basename(path), file.read())
    _loaded[path] = part
    while len(_loaded) > _KEPT:
        _loaded.popitem(last=False)
    return part
