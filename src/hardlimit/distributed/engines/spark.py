"""Spark: the executors of a session, classic or of Spark Connect, by ``DataFrame.mapInArrow``.

A job is a partition of one row, its number. What a lost executor or worker had in hand Spark gives
to another; where it gives up, the work is begun again here.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hardlimit.distributed.engines import _spark_sessions as sessions
from hardlimit.distributed.engines._protocol import (
    MOST_LOSSES,
    Function,
    Job,
    OnDone,
    Part,
    Result,
    lost_too_often,
    nothing,
)
from hardlimit.distributed.engines._spark_errors import check_loss, is_gone, naming_loss
from hardlimit.distributed.engines._spark_tasks import MORE, RESULT, SCHEMA, make_task
from hardlimit.distributed.engines._spark_ways import Classic, Connected, SparkWay
from hardlimit.exceptions import ClusterError, HardlimitWarning
from hardlimit.foundation import progress
from hardlimit.foundation.package import caller_stacklevel

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


PATIENCE = 1.0  # seconds for work to end that was broken off
SILENCE = 5.0  # seconds without a result, after which we look whether there are executors


def accepts(cluster: object) -> bool:
    """Whether this is an address of Spark, or a session."""
    if isinstance(cluster, str):
        return cluster.startswith((sessions.CLASSIC, sessions.CONNECT))
    # By name: whoever has no Spark need not import it to be told so.
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cluster).mro()}
    return "pyspark.SparkSession" in kinds


def open_engine(cluster: Any) -> Spark:
    """Return the engine of a session that is there, or of one that is begun."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(sessions.quiet_logs())
        if isinstance(cluster, str):
            session, own = sessions.open_session(cluster)
        else:
            session, own = cluster, False
            sessions.check_session(cluster)
        engine = Spark(session, own)
        engine.logs = stack.pop_all()
        return engine


class Spark:
    """The executors of a session.

    own : whether the session ends with the engine.    logs : what ends with it too.
    """

    def __init__(self, session: SparkSession, own: bool) -> None:
        self._session, self._own = session, own
        connected = ".connect." in type(session).__module__
        self._way: SparkWay = Connected(session) if connected else Classic(session)
        self.logs = contextlib.ExitStack()
        self._held: dict[str, Any] = {}
        self._is_broken_off = self._is_remarked = False

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: OnDone = nothing,
    ) -> list[Result]:
        """Apply the function to each job."""
        for part in parts:
            if part.name not in self._held:
                with naming_loss():
                    self._held[part.name] = self._way.hold(part)
        held = {part.name: self._held[part.name] for part in parts}
        found: dict[int, Result] = {}
        loss: Exception | None = None
        for _ in range(MOST_LOSSES):
            left = [place for place in range(len(jobs)) if place not in found]
            if not left:
                return [found[place] for place in range(len(jobs))]
            task = make_task(function, held, self._way.prefix, {one: jobs[one] for one in left})
            loss = self._map(task, left, found, on_done)
        raise lost_too_often(jobs[left[0]], MOST_LOSSES) from loss

    def _map(
        self, task: Callable[..., Any], left: list[int], found: dict[int, Any], on_done: OnDone
    ) -> Exception | None:
        """Do the jobs that are left; put what is done into ``found``; what Spark gave up for."""
        name = f"hardlimit-{uuid.uuid4().hex}"
        with naming_loss():
            collectors = [self._collector(task, lump, name) for lump in self._way.lumps(left)]
        rows = _Rows(collectors, self._look_for_executors)
        pieces: dict[int, list[bytes]] = {}
        try:
            for place, kind, data in rows:
                pieces.setdefault(place, []).append(data)
                if kind == MORE or place in found:
                    continue
                whole = b"".join(pieces.pop(place))
                if kind != RESULT:
                    raise ClusterError(whole.decode(), who="spark")
                found[place] = pickle.loads(whole)
                on_done(place, found[place])
        except BaseException:
            self._is_broken_off = True
            rows.end(lambda: self._way.cancel(name))
            raise
        if rows.loss is not None:
            check_loss(rows.loss)
        return rows.loss

    def _collector(
        self, task: Callable[..., Any], lump: Sequence[int], name: str
    ) -> Callable[[], Iterator[Any]]:
        """Return what collects the rows of some jobs."""
        # Not repartitioned: a range has its partitions without a shuffle, which could be lost.
        # The numbers follow each other, but where a few are done again.
        numbers = self._session.range(lump[0], lump[-1] + 1, 1, lump[-1] + 1 - lump[0])
        with sessions.quiet():
            frame = numbers.mapInArrow(task, SCHEMA)
        return self._way.collector(frame, name)

    def _look_for_executors(self) -> None:
        """Say so where nobody works."""
        with naming_loss():
            if self._is_remarked or self._way.has_executors():
                return
        self._is_remarked = True
        what = f"waiting for executors of {self._way.address}"
        progress.report(what)
        warnings.warn(
            HardlimitWarning(f"the master has given none: {what}", topic="no-workers"),
            stacklevel=caller_stacklevel(),
        )

    def close(self) -> None:
        """Let go of the parts, and of the session where it is ours."""
        self._held.clear()
        ended = threading.Thread(target=self._close, daemon=True)
        ended.start()
        # What was broken off may hold the session up; it ends with this process.
        ended.join(PATIENCE if self._is_broken_off else None)
        self.logs.close()

    def _close(self) -> None:
        try:
            self._way.close()
        except Exception as error:
            if not is_gone(error):
                raise
        if self._own:
            sessions.end_session(self._session)


class _Rows:
    """Rows that other threads collect, as they come: this one can be interrupted.

    in_silence : called where none comes for a while.
    loss : what one of the threads raised; the others went on.
    """

    def __init__(
        self, collectors: list[Callable[[], Iterator[Any]]], in_silence: Callable[[], object]
    ) -> None:
        self._in_silence = in_silence
        self.loss: Exception | None = None
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._ended = False
        self._threads = [
            threading.Thread(target=self._run, args=(collect,), daemon=True)
            for collect in collectors
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, collect: Callable[[], Iterator[Any]]) -> None:
        last: Any = None
        try:
            if not self._ended:
                for row in collect():
                    self._queue.put((row["number"], row["kind"], bytes(row["data"])))
        except Exception as error:
            last = error
        self._queue.put(last)

    def __iter__(self) -> Iterator[tuple[int, str, bytes]]:
        running = len(self._threads)
        while running:
            try:
                row = self._queue.get(timeout=SILENCE)
            except queue.Empty:
                self._in_silence()
                continue
            if isinstance(row, tuple):
                yield row
                continue
            running -= 1
            self.loss = row or self.loss

    def end(self, cancel: Callable[[], object]) -> None:
        """Cancel until no thread has any work under way, which it may begin only now."""
        self._ended, end = True, time.monotonic() + PATIENCE
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < end:
            try:
                cancel()
            except Exception as error:
                if not is_gone(error):
                    raise
                return
            self._threads[-1].join(PATIENCE / 10)
