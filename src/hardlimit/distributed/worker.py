"""What a worker knows: the rows of its shards, and the weights after the mixtures so far.

Rows, once made, and the weights of the last epoch are remembered by the process, and may be
forgotten at any time: they follow from the recipe and from the parts.
"""

from __future__ import annotations

import pickle
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from hardlimit.classifiers.fitting.examples import new_examples, weigh_by_schedule
from hardlimit.classifiers.model.choices import Choices, resolve_choices
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.classifiers.model.training import Training
from hardlimit.distributed.engines import Part
from hardlimit.distributed.jobs import TrainingSettings
from hardlimit.distributed.wire import unpack_delta
from hardlimit.engine import largest_sqnorm, mixing, pair_examples
from hardlimit.foundation import memory
from hardlimit.foundation.types import Array
from hardlimit.foundation.workers import count_cores
from hardlimit.learner import FitOutcome
from hardlimit.sources.pieces import Shard

if TYPE_CHECKING:
    from hardlimit._native import Online


def _share_of_core() -> int:
    """Return half of the memory that there is, divided among the cores."""
    limit = memory.tightest()
    return 1 << 30 if limit is None else limit.most // (2 * count_cores())


# Bytes of rows that a process remembers.
MOST_REMEMBERED = _share_of_core()


@dataclass
class ShardRows:
    """The rows of a shard, as they are learnt from."""

    rows: Any
    targets: Array
    absent: Array | None
    examples: Any
    columns: Array
    largest: float
    n_bytes: int


class Worker:
    """What a thread of a worker knows: the settings, and the weights of an epoch."""

    def __init__(self, part: Part) -> None:
        self.name = part.name
        self.settings = _SETTINGS.of(part)
        self.choices: Choices = resolve_choices(self.settings.given)
        self.featuriser, self.book = self.settings.featuriser, self.settings.book
        self._begin()

    def _begin(self) -> None:
        self._applied: tuple[str, ...] = ()
        self.training = Training(self.choices, self.book, self.featuriser.n_columns)
        self.state = cast("Online", self.training.state)

    def follow(self, parts: tuple[Part, ...]) -> None:
        """Have the weights after all of these mixtures."""
        names = tuple(part.name for part in parts)
        n_known = len(self._applied)
        if names[:n_known] != self._applied:
            self._begin()
            n_known = 0
        self._applied = ()  # until all are applied, so that an interruption begins anew
        for part in parts[n_known:]:
            delta, counts = unpack_delta(part.data)
            mixing.set_cells([self.state], [delta])
            self.state.restore_counts(
                counts["presentations"], counts["corrections"], self.state.lengths
            )
            self.state.wake()
            for neuron in counts["resting"]:
                self.state.rest(neuron)
        self._applied = names

    def rows_of(self, shard: Shard) -> ShardRows:
        """Return the rows of a shard, from memory where they are."""
        key = self.name, shard
        found = _REMEMBERED.get(key)
        if found is None:
            found = _REMEMBERED.put(key, self._make_rows(shard))
        # Examples belong to one call at a time.
        examples = pair_examples(found.rows, found.targets, found.examples, self.choices.tol)
        return ShardRows(
            found.rows,
            found.targets,
            found.absent,
            _present(examples, found.absent),
            found.columns,
            found.largest,
            found.n_bytes,
        )

    def _make_rows(self, shard: Shard) -> ShardRows:
        choices, featuriser = self.choices, self.featuriser
        found = featuriser.read(shard, self.settings.kept(shard.number))
        rows, n_bytes = featuriser.rows(found.examples, choices.bias)
        self.training.check_rows(rows)
        labels = featuriser.targets.plain(found.labels)
        weight = self.settings.class_weight
        targets, weights = featuriser.targets.encode(self.book, labels, choices.rule, weight)
        self.training.check_weights(weights)
        absent = None if weights is None or weights.all() else weights == 0
        weights = weigh_by_schedule(choices, rows, targets, weights)
        examples = new_examples(rows, targets, weights, choices.tol)
        present = None if absent is None else np.flatnonzero(~absent)
        largest = largest_sqnorm(rows, choices.bias, present)
        columns = mixing.distinct_columns(examples)
        n_bytes += columns.nbytes + targets.nbytes
        return ShardRows(rows, targets, absent, weights, columns, largest, n_bytes)

    def model(self, readout: str) -> Model:
        """Return a model with the weights as they are, that answers by this read-out."""
        choices = self.choices.answering_by(readout)
        featuriser = self.featuriser
        model = featuriser.kind(
            choices, self.book, FitOutcome(), self.training, **featuriser.of_model
        )
        model.frozen = freeze(self.training, choices)
        return model


def _present(examples: Any, absent: Array | None) -> Any:
    if absent is not None:
        examples.set_present(np.flatnonzero(~absent).astype(np.int64))
    return examples


class _SettingsOfProcess:
    """The settings of one part, and the featuriser of all threads, which only read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._name = ""
        self._found: TrainingSettings | None = None

    def of(self, part: Part) -> TrainingSettings:
        with self._lock:
            if self._found is None or self._name != part.name:
                self._found, self._name = pickle.loads(part.data), part.name
            found: TrainingSettings = self._found
            return found

    def forget(self) -> None:
        with self._lock:
            self._found = None


class _Remembered:
    """Rows of shards, as many as there is room for.

    Rows of another run are forgotten for those of this one. Of one run those stay that came first:
    it goes through its shards in turn, so that whatever was not used for longest comes next.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: OrderedDict[tuple[str, Shard], ShardRows] = OrderedDict()

    def get(self, key: tuple[str, Shard]) -> ShardRows | None:
        with self._lock:
            if key in self._rows:
                self._rows.move_to_end(key)
            return self._rows.get(key)

    def put(self, key: tuple[str, Shard], rows: ShardRows) -> ShardRows:
        with self._lock:
            others = [each for each in self._rows if each[0] != key[0]]
            n_bytes = sum(each.n_bytes for each in self._rows.values())
            while n_bytes + rows.n_bytes > MOST_REMEMBERED and others:
                n_bytes -= self._rows.pop(others.pop(0)).n_bytes
            if n_bytes + rows.n_bytes <= MOST_REMEMBERED:
                self._rows[key] = rows
        return rows

    def forget(self) -> None:
        with self._lock:
            self._rows.clear()


_REMEMBERED = _Remembered()
_SETTINGS = _SettingsOfProcess()
_OWN = threading.local()


def forget() -> None:
    """Forget all rows, and the weights of this thread."""
    _REMEMBERED.forget()
    _SETTINGS.forget()
    _OWN.__dict__.clear()


def worker_of(parts: tuple[Part, ...]) -> Worker:
    """Return what this thread knows, with the weights of the parts."""
    worker: Worker | None = getattr(_OWN, "worker", None)
    if worker is None or worker.name != parts[0].name:
        worker = _OWN.worker = Worker(parts[0])
    worker.follow(parts[1:])
    return worker
