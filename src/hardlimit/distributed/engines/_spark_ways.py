"""What differs between sessions of this process and those of Spark Connect."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from hardlimit.distributed.engines._protocol import Part
from hardlimit.foundation.temporary_folder import make_temporary_folder, naming_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


# How many questions are asked of Spark at once: each costs it about 50 ms.
LUMPS = 4
Collector = Callable[[], Iterator[Any]]


class SparkWay(Protocol):
    """How a kind of session holds parts, gives results, and is stopped.

    prefix : what the names of files of parts begin with.    address : of the master, for messages.
    """

    prefix: str
    address: str

    def hold(self, part: Part) -> Any:
        """Return what a task finds the part by."""

    def lumps(self, places: Sequence[int]) -> list[Sequence[int]]:
        """Return which jobs are collected together."""

    def collector(self, frame: DataFrame, name: str) -> Collector:
        """Return what yields the rows of a frame, by work of this name."""

    def has_executors(self) -> bool:
        """Whether anybody works, as far as is known."""

    def cancel(self, name: str) -> None:
        """Break the work of this name off."""

    def close(self) -> None:
        """Let go of the parts."""


class Classic:
    """A session in this process: broadcast variables, a group of jobs."""

    prefix = ""

    def __init__(self, session: SparkSession) -> None:
        self._session, self._context = session, session.sparkContext
        self.address = str(self._context.master)
        self._variables: list[Any] = []

    def hold(self, part: Part) -> Any:
        """Return a broadcast variable."""
        variable = self._context.broadcast(part.data)
        self._variables.append(variable)
        return variable

    def lumps(self, places: Sequence[int]) -> list[Sequence[int]]:
        """Cut them: what is collected comes when all of it is done, and nobody waits for that."""
        n = min(LUMPS, len(places))
        borders = [len(places) * number // n for number in range(n + 1)]
        return [places[begin:end] for begin, end in pairwise(borders)]

    def collector(self, frame: DataFrame, name: str) -> Collector:
        """Return what yields the rows, with the settings of the thread that asks for it."""

        def collect() -> list[Any]:
            self._context.setJobGroup(name, "hardlimit", interruptOnCancel=True)
            found: list[Any] = frame.collect()
            return found

        inherit = import_module("pyspark").inheritable_thread_target(self._session)
        inherited: Callable[[], list[Any]] = inherit(collect)
        return lambda: iter(inherited())

    def has_executors(self) -> bool:
        """Whether another process than this one works, where one is wanted."""
        is_local = re.fullmatch(r"local(\[.*\])?", self.address)
        known = self._context._jsc.sc().statusTracker().getExecutorInfos()
        return bool(is_local) or len(known) > 1

    def cancel(self, name: str) -> None:
        """Break the group off."""
        self._context.cancelJobGroup(name)

    def close(self) -> None:
        """Let go of the variables."""
        for variable in self._variables:
            variable.destroy()
        self._variables.clear()


class Connected:
    """A session on a server: files of the session, which has no broadcast variables; a tag."""

    def __init__(self, session: SparkSession) -> None:
        self._session, self.address = session, "Spark Connect"
        self.prefix = f"hardlimit-{uuid.uuid4().hex}-"

    def hold(self, part: Part) -> Any:
        """Send a file of the session, which is there for as long as the session."""
        with make_temporary_folder("hardlimit-parts") as folder:
            path = os.path.join(folder, self.prefix + part.name)
            with naming_folder(folder), open(path, "wb") as file:
                file.write(part.data)
            self._session.addArtifact(path, file=True)

    def lumps(self, places: Sequence[int]) -> list[Sequence[int]]:
        """Leave them together: rows come as partitions are done."""
        return [places]

    def collector(self, frame: DataFrame, name: str) -> Collector:
        """Return what yields the rows."""

        def collect() -> Iterator[Any]:
            self._session.addTag(name)
            yield from frame.toLocalIterator()

        return collect

    def has_executors(self) -> bool:
        """Nobody says."""
        return True

    def cancel(self, name: str) -> None:
        """Interrupt what has the tag."""
        self._session.interruptTag(name)

    def close(self) -> None:
        """Nothing: the server keeps files until the session ends."""
