"""What is done with a shard: pure functions of parts and a job, wherever they are called."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

from hardlimit.classifiers.fitting.training_errors import LearntRows, count_errors_of_answer
from hardlimit.distributed.engines import Part
from hardlimit.distributed.exact_terms import count_exact, keeps_all_terms
from hardlimit.distributed.hashed_terms import count_hashed
from hardlimit.distributed.jobs import Counted, Job, Learnt, Settings
from hardlimit.distributed.wire import pack_delta
from hardlimit.distributed.worker import new_vectorizer, read_texts, worker_of
from hardlimit.engine import mixing
from hardlimit.foundation import progress
from hardlimit.streaming.counting import count_part


def count_shard(parts: tuple[Part, ...], job: Job) -> Counted:
    """Count the terms and the labels of a shard."""
    settings: Settings = pickle.loads(parts[0].data)
    digests = tuple(piece.compute_digest() for piece in job.shard.pieces)
    texts, labels = read_texts(job.shard)
    vectorizer = new_vectorizer(settings)
    terms: Any
    if vectorizer.hash_bits is not None:
        terms = count_hashed(vectorizer, texts)
    elif keeps_all_terms(vectorizer):
        terms = count_exact(vectorizer, texts)
    else:
        terms = count_part(vectorizer, texts, job.shard.number)
    return Counted(terms, dict(Counter(labels)), digests)


def learn_shard(parts: tuple[Part, ...], job: Job) -> Learnt:
    """Learn an epoch of a shard from the weights that the parts after the first hold."""
    worker = worker_of(parts)
    own = worker.rows_of(job.shard)
    choices = worker.choices
    seed = mixing.shard_seed(choices.seed, job.shard.number)
    order = choices.order.positions(own.examples.n_present, seed, job.epoch - 1)
    own.examples.set_order(order)
    delta, tally = mixing.run_epoch(
        worker.scratch, worker.base, own.examples, own.columns, _report_learning
    )
    packed = pack_delta(delta, {})
    return Learnt(packed, tally, own.largest, bool(worker.scratch.finite))


def _report_learning() -> bool:
    """Report, so that an engine may end the work here; else it goes on."""
    progress.report("learning")
    return False


def verify_shard(parts: tuple[Part, ...], job: Job) -> list[tuple[int, int]]:
    """Count for each neuron the examples that are wrong, and those short of the aim."""
    worker = worker_of(parts)
    return worker.base.verify(worker.rows_of(job.shard).examples)


def count_errors_of_shard(
    parts: tuple[Part, ...], job: Job
) -> tuple[int, tuple[float | None, ...] | None]:
    """Count the training errors of a read-out, and find its smallest margins."""
    worker = worker_of(parts)
    own = worker.rows_of(job.shard)
    model = worker.model(job.readout)
    learnt = [LearntRows(own.rows, own.targets, own.absent)]
    count_errors_of_answer(model, learnt, own.rows.n_rows)
    facts = model.facts
    assert facts is not None  # made there
    return model.training_errors[job.readout], facts.least.get(job.readout)
