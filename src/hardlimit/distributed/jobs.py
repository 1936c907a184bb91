"""What travels between the driver and the workers, beside the weights: settings, jobs, answers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardlimit.distributed.engines import Part
from hardlimit.distributed.exact_terms import ExactCounts
from hardlimit.distributed.hashed_terms import HashedCounts
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import mixing
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.foundation.version import VERSION
from hardlimit.streaming.counting import TermCounts


class Job(NamedTuple):
    """One shard, in one epoch.

    version : of this package, which must be the worker's.
    """

    shard: Shard
    epoch: int = 0
    readout: str = ""
    version: str = VERSION


@dataclass
class Settings:
    """What is learnt: the first part of all calls.

    given : the classifier's parameters.    labels : the classes, and class_weight as weights of
    them.    columns : whether the terms are known; None while they are counted.
    """

    given: dict[str, Any]
    labels: list[Any]
    class_weight: dict[Any, float] | None = None
    header: dict[str, Any] | None = None
    tables: dict[str, Any] | None = None

    def packed(self) -> bytes:
        """Return the settings as bytes, for workers of this package."""
        return pickle.dumps(self, protocol=5)


class Counted(NamedTuple):
    """What a shard has: terms, examples of each label in the order of their first, digests."""

    terms: ExactCounts | TermCounts | HashedCounts
    labels: dict[Any, int]
    digests: tuple[str, ...]


class Learnt(NamedTuple):
    """What an epoch of a shard came to; ``delta`` is packed."""

    delta: bytes
    tally: mixing.Tally
    largest: float
    finite: bool


class Failure(NamedTuple):
    """Why a shard failed for good: nobody need try again."""

    error: HardlimitError


def guarded(function: Callable[[tuple[Part, ...], Job], Any]) -> Callable[..., Any]:
    """Give back what cannot be mended by trying again, with the shard's name."""

    def call(parts: tuple[Part, ...], job: Job) -> Any:
        if job.version != VERSION:
            return Failure(
                InputError(
                    f"this worker has hardlimit {VERSION}, and the work is of {job.version}",
                    who="worker",
                    fix="install the same version everywhere",
                )
            )
        try:
            return function(parts, job)
        except HardlimitError as error:
            where = error.where if error.where else job.shard.where
            return Failure(error.replaced(where=where))

    call.__name__, call.__module__ = function.__name__, function.__module__
    call.__qualname__, call.__doc__ = function.__qualname__, function.__doc__
    return call


def succeed(found: list[Any]) -> Iterator[Any]:
    """Yield what the shards gave; raise what the first of them failed with."""
    for one in found:
        if isinstance(one, Failure):
            raise one.error
        yield one
