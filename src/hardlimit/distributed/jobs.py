"""What travels between the driver and the workers, beside the weights: settings, jobs, answers."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.targets import Counts
from hardlimit.distributed.featurisers import Featuriser
from hardlimit.engine import mixing
from hardlimit.foundation.types import Array
from hardlimit.sources.pieces import Shard


class Job(NamedTuple):
    """One shard, in one epoch.

    of_all : of a question, whether rows that are left out are asked too.    wants_digests,
    wants_labels : whether the answer has them.
    """

    shard: Shard
    epoch: int = 0
    readout: str = ""
    of_all: bool = False
    wants_digests: bool = False
    wants_labels: bool = False


@dataclass
class TrainingSettings:
    """What is learnt: the first part of all calls.

    given : the classifier's parameters.    featuriser : what makes rows; complete with the book.
    book : the classes; None while shards are asked.    class_weight : weights of the classes.
    left_out, scored : which rows of each shard are not learnt from, and which are scored in the
    end, a truth value a row; None: none.
    """

    given: dict[str, Any]
    featuriser: Featuriser
    book: Any = None
    class_weight: dict[Any, float] | None = None
    left_out: dict[int, Array] | None = None
    scored: dict[int, Array] | None = None

    def packed(self) -> bytes:
        """Return the settings as bytes, for workers of this package."""
        return pickle.dumps(self, protocol=5)

    def kept(self, number: int) -> Array | None:
        """Return the rows of a shard that are there; None: all of them."""
        return None if self.left_out is None else np.flatnonzero(~self.left_out[number])

    def gone(self, number: int) -> Array:
        """Return the rows of a shard that are left out."""
        assert self.left_out is not None  # some are
        return np.flatnonzero(self.left_out[number])

    def to_score(self, number: int) -> Array:
        """Return the rows of a shard that are scored."""
        assert self.scored is not None  # some are
        return np.flatnonzero(self.scored[number])


class Answered(NamedTuple):
    """What a shard says to a question; where that is wanted, also its labels and digests.

    n_rows : rows that are there.    labels : what was counted of them as they stand in the file.
    """

    answer: Any
    n_rows: int
    labels: Counts
    digests: tuple[str, ...]


class Learnt(NamedTuple):
    """What an epoch of a shard came to; ``delta`` is packed."""

    delta: bytes
    tally: mixing.ShardTally
    largest: float
    finite: bool
