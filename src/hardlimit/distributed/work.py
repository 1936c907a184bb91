"""What is done with a shard: pure functions of parts and a job, wherever they are called."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting.training_errors import LearntRows, TrainingErrors, find_errors
from hardlimit.distributed.engines import Part
from hardlimit.distributed.holding_out import HeldOut, Keys, digest_rows
from hardlimit.distributed.jobs import Answered, Job, Learnt, TrainingSettings
from hardlimit.distributed.wire import pack_delta
from hardlimit.distributed.worker import worker_of
from hardlimit.engine import mixing
from hardlimit.foundation import progress
from hardlimit.foundation.types import Array


def ask_shard(parts: tuple[Part, ...], job: Job) -> Answered:
    """Answer a question about a shard, which the second part is."""
    settings: TrainingSettings = pickle.loads(parts[0].data)
    question: Any = pickle.loads(parts[1].data)
    shard, featuriser = job.shard, settings.featuriser
    wants_digests = job.wants_digests
    digests = tuple(piece.compute_digest() for piece in shard.pieces) if wants_digests else ()
    number = shard.number
    if isinstance(question, HeldOut):
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
    return Answered(answer, len(found.labels), counts, digests)


def score_shard(parts: tuple[Part, ...], job: Job) -> Array:
    """Return the scores (n_rows, n_outputs) of the rows that are asked for."""
    worker = worker_of(parts)
    featuriser, choices = worker.featuriser, worker.choices
    found = featuriser.read(job.shard, worker.settings.to_score(job.shard.number))
    model = worker.model(choices.readout)
    if not found.labels:
        return np.empty((0, worker.state.n_outputs))
    rows, _ = featuriser.rows(found.examples, choices.bias)
    return np.concatenate([scores for _, scores in model.score_blocks(rows)])


def learn_shard(parts: tuple[Part, ...], job: Job) -> Learnt:
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


def verify_shard(parts: tuple[Part, ...], job: Job) -> list[tuple[int, int]]:
    """Count for each neuron the examples that are wrong, and those short of the aim."""
    worker = worker_of(parts)
    return worker.state.verify(worker.rows_of(job.shard).examples)


def find_errors_of_shard(parts: tuple[Part, ...], job: Job) -> TrainingErrors:
    """Look at the rows of a shard with a read-out."""
    worker = worker_of(parts)
    own = worker.rows_of(job.shard)
    learnt = [LearntRows(own.rows, own.targets, own.absent)]
    found = find_errors(worker.model(job.readout), learnt, own.rows.n_rows)
    assert found is not None  # votes cannot be mixed
    return found
