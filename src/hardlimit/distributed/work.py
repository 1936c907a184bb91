"""What is done with a shard: pure functions of parts and a job, and what they take and return."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.fitting.training_errors import LearntRows, TrainingErrors, find_errors
from hardlimit.classifiers.targets import Counts
from hardlimit.distributed.engines import Part
from hardlimit.distributed.wire import pack_delta
from hardlimit.distributed.worker import TrainingSettings, worker_of
from hardlimit.engine import mixing
from hardlimit.evaluation.holdout import DIGEST, row_digest
from hardlimit.foundation import progress
from hardlimit.foundation.types import Array
from hardlimit.readers.file_notes import FileNotes
from hardlimit.sources.pieces import Shard


class ShardJob(NamedTuple):
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


class Answered(NamedTuple):
    """What a shard says to a question; where that is wanted, also its labels and digests.

    n_rows : rows that are there.    labels : what was counted of them as they stand in the file.
    notes : beside the labels, what was met in the files.
    """

    answer: Any
    n_rows: int
    labels: Counts
    digests: tuple[str, ...]
    notes: tuple[FileNotes, ...] = ()


class Learnt(NamedTuple):
    """What an epoch of a shard came to; ``delta`` is packed."""

    delta: bytes
    tally: mixing.ShardTally
    largest: float
    finite: bool


class Keys(NamedTuple):
    """The question for a digest of each row, equal where rows are, and for the labels.

    of_model : whether columns count that the model knows, or all.
    """

    of_model: bool = False


class HeldOutRows(NamedTuple):
    """The question for the rows of a shard that are held out."""


class RowKeys(NamedTuple):
    """Digests of the rows of a shard, one behind the other (none where nobody compares), labels."""

    digests: bytes
    labels: list[Any]


def digest_rows(keys: Sequence[str | bytes] | None, labels: list[Any]) -> RowKeys:
    """Return what a shard answers."""
    return RowKeys(b"".join(map(row_digest, keys or ())), labels)


def split_digests(found: list[RowKeys]) -> list[bytes]:
    """Return the digests of all rows in their order."""
    joined = b"".join(one.digests for one in found)
    return [joined[at : at + DIGEST] for at in range(0, len(joined), DIGEST)]


def ask_shard(parts: tuple[Part, ...], job: ShardJob) -> Answered:
    """Answer a question about a shard, which the second part is."""
    settings: TrainingSettings = pickle.loads(parts[0].data)
    question: Any = pickle.loads(parts[1].data)
    shard, featuriser = job.shard, settings.featuriser
    wants_digests = job.wants_digests
    digests = tuple(piece.compute_digest() for piece in shard.pieces) if wants_digests else ()
    number = shard.number
    if isinstance(question, HeldOutRows):
        found = featuriser.read(shard, settings.gone(number))
        return Answered(featuriser.pack(found), len(found.labels), Counter(), ())
    found = featuriser.read(shard, None if job.of_all else settings.kept(number))
    answer: Any = None
    if isinstance(question, Keys):
        keys = featuriser.keys(found.examples, question.of_model)
        answer = digest_rows(keys, featuriser.targets.plain(found.labels))
    elif question is not None:
        answer = featuriser.answer(question, number, found)
    counts = featuriser.targets.count(found.labels) if job.wants_labels else Counter()
    notes = found.notes if job.wants_labels else ()
    return Answered(answer, len(found.labels), counts, digests, notes)


def score_shard(parts: tuple[Part, ...], job: ShardJob) -> Array:
    """Return the scores (n_rows, n_outputs) of the rows that are asked for."""
    worker = worker_of(parts)
    featuriser, choices = worker.featuriser, worker.choices
    found = featuriser.read(job.shard, worker.settings.to_score(job.shard.number))
    model = worker.model(choices.readout)
    if not found.labels:
        return np.empty((0, worker.state.n_outputs))
    rows, _ = featuriser.rows(found.examples, choices.bias)
    return np.concatenate([scores for _, scores in model.score_blocks(rows)])


def learn_shard(parts: tuple[Part, ...], job: ShardJob) -> Learnt:
    """Learn an epoch of a shard from the weights that the parts after the first hold."""
    worker = worker_of(parts)
    own = worker.rows_of(job.shard)
    choices = worker.choices
    seed = mixing.shard_seed(choices.seed, job.shard.number)
    order = choices.order.positions(own.examples.n_present, seed, job.epoch - 1)
    own.examples.set_order(order)
    state = worker.state
    delta, tally = mixing.run_epoch(state, state, own.examples, own.columns, _report_learning)
    packed = pack_delta(delta, {})
    return Learnt(packed, tally, own.largest, bool(state.finite))


def _report_learning() -> bool:
    """Report, so that an engine may end the work here; else it goes on."""
    progress.report("learning")
    return False


def verify_shard(parts: tuple[Part, ...], job: ShardJob) -> list[tuple[int, int]]:
    """Count for each neuron the examples that are wrong, and those short of the aim."""
    worker = worker_of(parts)
    return worker.state.verify(worker.rows_of(job.shard).examples)


def find_errors_of_shard(parts: tuple[Part, ...], job: ShardJob) -> TrainingErrors:
    """Look at the rows of a shard with a read-out."""
    worker = worker_of(parts)
    own = worker.rows_of(job.shard)
    learnt = [LearntRows(own.rows, own.targets, own.absent)]
    found = find_errors(worker.model(job.readout), learnt, own.rows.n_rows)
    assert found is not None  # votes cannot be mixed
    return found


def digest_object(parts: tuple[Part, ...], job: ShardJob) -> tuple[str, int]:
    """Return the digest of a whole object, and its bytes; it must be the one that was cut."""
    (piece,) = job.shard.pieces
    piece.check_version()
    found = piece.compute_digest(copied=False), piece.size
    piece.check_version()
    return found
