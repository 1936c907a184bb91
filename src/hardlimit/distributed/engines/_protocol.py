"""What an engine is: something that applies a pure function to every shard."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

from hardlimit.exceptions import ClusterError, InputError
from hardlimit.foundation.workers import count_cores

Result = TypeVar("Result")
Job = TypeVar("Job")

# How often the work of a shard is begun anew after a worker was lost in the middle of it: one that
# takes more memory than there is does so again.
MOST_LOSSES = 5
LOST = "lost"  # topic of errors after which a run can go on from its checkpoint


class Part(NamedTuple):
    """Bytes that never change and that many shards need; the name is their digest.

    An engine sends each to a worker once, or lets the workers fetch it.
    """

    name: str
    data: bytes

    @classmethod
    def of(cls, data: bytes) -> Part:
        """Return the bytes with their name."""
        return cls(hashlib.sha256(data).hexdigest(), data)


class FilePart:
    """A part as :class:`Part` is, in a file that nobody writes to.

    path : whoever can use a file as it is opens it there.
    """

    def __init__(self, path: str, name: str) -> None:
        self.path, self.name = path, name

    @cached_property
    def data(self) -> bytes:
        """The bytes."""
        with open(self.path, "rb") as file:
            return file.read()


def part_of_file(path: str) -> FilePart:
    """Return the part that a file is: O(bytes), and none of them in memory."""
    with open(path, "rb") as file:
        return FilePart(path, hashlib.file_digest(file, "sha256").hexdigest())


def write_part(part: Part | FilePart, path: str) -> None:
    """Write the bytes of a part into a file."""
    if isinstance(part, FilePart):
        shutil.copyfile(part.path, path)
        return
    with open(path, "wb") as file:
        file.write(part.data)


Function = Callable[[tuple[Part, ...], Job], Result]
# Called with the place of a job among the jobs, and its result.
OnDone = Callable[[int, Any], object]


class Engine(Protocol):
    """Applies a function to shards, on so many workers."""

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: OnDone = ...,
    ) -> list[Result]:
        """Return ``function(parts, job)`` of each job, in the order of the jobs.

        function : of a module that can be imported, and pure: it may be called again, by somebody
            else, when a worker is lost. What it raises on purpose is an answer
            (:mod:`hardlimit.distributed.calls`): an engine tries no call again because of it.
        on_done : called in this thread with the place and the result of each job, once, as they
            come. What it raises ends the rest.

        After an exception, Ctrl-C too, nothing of it goes on for longer than a moment, and
        :meth:`close` waits for nothing.

        Raises
        ------
        ClusterError
            Workers were lost again and again, or nobody answers any more.
        """

    def close(self) -> None:
        """Let go of the workers."""


def nothing(place: int, result: object) -> None:
    """Do nothing with a result."""


def count_of(cluster: str, name: str) -> int:
    """Return the number of workers of ``"threads:4"``; of ``"threads"`` one a core.

    >>> count_of("threads:4", "threads")
    4
    """
    _, colon, number = cluster.partition(":")
    if not colon:
        return count_cores()
    if not (number.isascii() and number.isdigit() and int(number) > 0):
        raise InputError(parameter="cluster", got=cluster, wanted=f"{name}:N with N from 1 on")
    return int(number)


def lost_too_often(job: object, times: int) -> ClusterError:
    """Return the error of a job in whose middle so many workers were lost."""
    return ClusterError(
        f"{times} times a worker was lost in the middle of this work; one that takes more memory "
        "than there is is killed by the system",
        where=str(getattr(job, "where", "")),
        fix="use more shards, so that each needs less memory, or fewer workers on a machine",
        topic=LOST,
    )
