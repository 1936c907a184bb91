"""What travels between the driver and the workers, beside the weights: settings, jobs, answers."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardlimit.distributed.exact_terms import ExactCounts
from hardlimit.distributed.hashed_terms import HashedCounts
from hardlimit.distributed.recipes import Shard
from hardlimit.engine import mixing
from hardlimit.streaming.counting import TermCounts


class Job(NamedTuple):
    """One shard, in one epoch."""

    shard: Shard
    epoch: int = 0
    readout: str = ""


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
