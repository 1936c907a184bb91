"""Spark: the executors of a session, classic or of Spark Connect, by ``DataFrame.mapInArrow``.

A shard is a partition of one row, its number. Parts are broadcast variables, or under Connect,
which has none, files of the session. What a lost executor or worker had in hand Spark gives to
another; where it gives up, the work is begun again here.
"""

from __future__ import annotations

import os
import pickle
import queue
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from hardlimit.distributed.engines import _spark_sessions as sessions
from hardlimit.distributed.engines._protocol import (
    Function,
    Job,
    OnDone,
    Part,
    Result,
    nothing,
)
from hardlimit.distributed.engines._spark_tasks import ERROR, MORE, SCHEMA, UNFIT, make_task
from hardlimit.exceptions import HardlimitError, InputError

ROUNDS = 4  # of work that failed, or that Spark gave up
SECONDS = 0.1  # between looks at how much is done


def accepts(cluster: Any) -> bool:
    """Whether this is an address of Spark, or a session."""
    if isinstance(cluster, str):
        return cluster.startswith((sessions.CLASSIC, sessions.CONNECT))
    # By name: whoever has no Spark need not import it to be told so.
    kinds = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cluster).mro()}
    return "pyspark.SparkSession" in kinds


def open_engine(cluster: Any) -> Spark:
    """Return the engine of a session that is there, or of one that is begun."""
    if not isinstance(cluster, str):
        return Spark(cluster, own=False)
    return Spark(*sessions.open_session(cluster))


class _Way(Protocol):
    """How a kind of session holds parts, gives results, and is watched and stopped."""

    prefix: str

    def hold(self, part: Part) -> Any: ...

    def collect(self, frame: Any, name: str) -> Iterator[Any]: ...

    def cancel(self, name: str) -> None: ...

    def close(self) -> None: ...


class Spark:
    """The executors of a session.

    own : whether the session ends with the engine.
    """

    def __init__(self, session: Any, own: bool) -> None:
        self._session, self._own = session, own
        connected = ".connect." in type(session).__module__
        self._way: _Way = _Connect(session) if connected else _Classic(session)
        self._held: dict[str, Any] = {}

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
                self._held[part.name] = self._way.hold(part)
        held = {part.name: self._held[part.name] for part in parts}
        found: dict[int, Result] = {}
        for again in range(ROUNDS):
            left = {number: job for number, job in enumerate(jobs) if number not in found}
            if not left:
                break
            last = again == ROUNDS - 1
            self._map(make_task(function, held, self._way.prefix, left), left, found, on_done, last)
        return [found[number] for number in range(len(jobs))]

    def _map(
        self,
        task: Callable[..., Any],
        left: dict[int, Any],
        found: dict[int, Any],
        on_done: OnDone,
        last: bool,
    ) -> None:
        """Do the jobs that are left; put what succeeds into ``found``."""
        numbers = list(left)
        # Not repartitioned: partitions of a range are there without a shuffle, which could be lost.
        frame = self._session.range(0, len(numbers), 1, len(numbers))
        with sessions.quiet():
            frame = frame.mapInArrow(task, SCHEMA)
        name = f"hardlimit-{uuid.uuid4().hex}"
        rows = _Rows(lambda: self._way.collect(frame, name))
        pieces: dict[int, list[bytes]] = {}
        try:
            while True:
                row = rows.next(SECONDS)
                if row is None:
                    continue
                if row is _END:
                    return
                number, kind, data = row
                pieces.setdefault(number, []).append(data)
                if kind != MORE:
                    self._take(number, kind, b"".join(pieces.pop(number)), found, last)
                    if number in found:
                        on_done(number, found[number])
        except BaseException:
            self._way.cancel(name)
            raise

    def _take(self, number: int, kind: str, data: bytes, found: dict[int, Any], last: bool) -> None:
        if kind == UNFIT:
            raise InputError(
                f"the worker on {data.decode()}",
                who="worker",
                fix="install the same version everywhere",
            )
        whole = pickle.loads(data)
        if kind != ERROR:
            found[number] = whole
        elif last or isinstance(whole, HardlimitError):
            raise whole

    def close(self) -> None:
        """Let go of the parts, and of the session where it is ours."""
        self._held.clear()
        self._way.close()
        if self._own:
            self._session.stop()


_END = object()


class _Rows:
    """Rows that another thread collects, so that this one can be interrupted."""

    def __init__(self, collect: Callable[[], Iterator[Any]]) -> None:
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(collect,), daemon=True).start()

    def _run(self, collect: Callable[[], Iterator[Any]]) -> None:
        try:
            for row in collect():
                self._queue.put((row["number"], row["kind"], bytes(row["data"])))
            self._queue.put(_END)
        except BaseException as error:
            self._queue.put(error)

    def next(self, seconds: float) -> Any:
        """Return a row, the end, or None after so many seconds; raise what the thread raised."""
        try:
            row = self._queue.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(row, BaseException):
            raise row
        return row


class _Classic:
    """A session in this process: broadcast variables, a group of jobs."""

    prefix = ""

    def __init__(self, session: Any) -> None:
        self._context = session.sparkContext
        self._variables: list[Any] = []

    def hold(self, part: Part) -> Any:
        variable = self._context.broadcast(part.data)
        self._variables.append(variable)
        return variable

    def collect(self, frame: Any, name: str) -> Iterator[Any]:
        self._context.setJobGroup(name, "hardlimit", interruptOnCancel=True)
        yield from frame.collect()

    def cancel(self, name: str) -> None:
        self._context.cancelJobGroup(name)

    def close(self) -> None:
        for variable in self._variables:
            variable.destroy()
        self._variables.clear()


class _Connect:
    """A session on a server: files of the session, a tag."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.prefix = f"hardlimit-{uuid.uuid4().hex}-"
        self._folder = tempfile.TemporaryDirectory(prefix="hardlimit-parts-")

    def hold(self, part: Part) -> Any:
        path = os.path.join(self._folder.name, self.prefix + part.name)
        with open(path, "wb") as file:
            file.write(part.data)
        self._session.addArtifact(path, file=True)
        os.unlink(path)
        return None

    def collect(self, frame: Any, name: str) -> Iterator[Any]:
        self._session.addTag(name)
        yield from frame.toLocalIterator()

    def cancel(self, name: str) -> None:
        self._session.interruptTag(name)

    def close(self) -> None:
        self._folder.cleanup()
