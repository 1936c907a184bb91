"""What an engine is: something that applies a pure function to every shard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from hardlimit.exceptions import InputError
from hardlimit.foundation.workers import count_cores

Result = TypeVar("Result")
Job = TypeVar("Job")


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


Function = Callable[[tuple[Part, ...], Job], Result]


class Engine(Protocol):
    """Applies a function to shards, on so many workers."""

    def map_ordered(
        self,
        function: Function[Job, Result],
        parts: Sequence[Part],
        jobs: Sequence[Job],
        on_done: Callable[[int], object] = ...,
    ) -> list[Result]:
        """Return ``function(parts, job)`` of each job, in the order of the jobs.

        function : of a module that can be imported, and pure: it may be called again, by somebody
            else, when a worker is lost.
        on_done : called in this thread with the number of jobs that are done.

        Raises
        ------
        Exception
            What the function raised.
        """

    def close(self) -> None:
        """Let go of the workers."""


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
