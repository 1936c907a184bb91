"""Threads of this process: compiled work lets go of the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from hardlimit.distributed.engines._protocol import Function, Job, Part, Result, count_of


def accepts(cluster: Any) -> bool:
    """Whether this is ``"threads"`` or ``"threads:N"``."""
    return isinstance(cluster, str) and cluster.partition(":")[0] == "threads"


def open_engine(cluster: str) -> Threads:
    """Return the engine."""
    return Threads(count_of(cluster, "threads"))


class Threads:
    """So many threads."""

    def __init__(self, n_threads: int) -> None:
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="hardlimit")

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: Callable[[int], object] = lambda done: None,
    ) -> list[Result]:
        """Apply the function to each job."""
        futures = [self._pool.submit(function, tuple(parts), job) for job in jobs]
        try:
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                on_done(done)
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Wait for what is under way; what waits is not begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)
