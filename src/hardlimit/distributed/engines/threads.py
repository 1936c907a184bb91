"""Threads of this process: compiled work lets go of the interpreter's lock."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from hardlimit.distributed.engines._protocol import (
    Function,
    Job,
    OnDone,
    Part,
    Result,
    count_of,
    nothing,
)
from hardlimit.foundation import progress


def accepts(cluster: object) -> bool:
    """Whether this is ``"threads"`` or ``"threads:N"``."""
    return isinstance(cluster, str) and cluster.partition(":")[0] == "threads"


def open_engine(cluster: str) -> Threads:
    """Return the engine."""
    return Threads(count_of(cluster, "threads"))


class _Stopped(BaseException):
    """The work of a thread was broken off; like KeyboardInterrupt, no work catches it."""


class Threads:
    """So many threads.

    Nobody can end a thread. All work that takes longer than a moment reports its progress, and
    there it ends once nobody waits for it.
    """

    def __init__(self, n_threads: int) -> None:
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="hardlimit")
        self._waits = True

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: OnDone = nothing,
    ) -> list[Result]:
        """Apply the function to each job."""
        stopped = threading.Event()

        def look(what: str, done: float, total: float, unit: str) -> None:
            if stopped.is_set():
                raise _Stopped

        def call(job: Job) -> Result:
            with progress.watched_by(look):
                return function(tuple(parts), job)

        futures: dict[Future[Result], int] = {}
        try:
            for place, job in enumerate(jobs):
                futures[self._pool.submit(call, job)] = place
            for future in as_completed(futures):
                on_done(futures[future], future.result())
            return [future.result() for future in futures]
        except BaseException:
            stopped.set()
            self._waits = False
            raise
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Let go of the threads."""
        self._pool.shutdown(wait=self._waits, cancel_futures=True)
