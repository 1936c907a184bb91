"""A fit in shards: threads learn a shard each, and after every epoch their weights are mixed.

The mathematics is in :mod:`hardlimit.engine.mixing`. Row r of those that are present belongs to
shard ``r mod shards``, so that rows that lie sorted by class are dealt out evenly. The result
depends on the number of shards, never on the number of threads. How long to go on, and which
neurons rest, the one driver of all fits decides (:mod:`hardlimit.learner`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from hardlimit.classifiers.fitting.examples import new_examples
from hardlimit.classifiers.model.state_numbers import set_initial_weights
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import DualState, LiveState, mixing, new_state, pair_examples
from hardlimit.engine.acceleration import MOMENTA, join_leads, no_lead
from hardlimit.exceptions import InputError, MemoryEstimateError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_memory
from hardlimit.foundation.types import Array
from hardlimit.foundation.workers import count_workers
from hardlimit.learner import FitOutcome, Plan, learn

if TYPE_CHECKING:
    from hardlimit._native import Examples, Online, Rows

Result = TypeVar("Result")
Tallies = list[tuple[int, int, int]]
# Of fewer numbers an epoch is over before a second thread has begun.
LEAST_VALUES = 1 << 17


class _Shard(NamedTuple):
    """Some of the rows: their numbers, and the columns in which they hold something."""

    number: int
    rows: Array
    examples: Examples
    columns: Array


@dataclass(frozen=True)
class _Epoch:
    """An epoch of all shards, as the driver presents it: in one piece."""

    number: int
    length: int


class ShardedRows:
    """The examples of all shards, as :class:`hardlimit.learner.Pieces`."""

    def __init__(self, examples: Examples) -> None:
        self.last = examples
        self.n_present = self.length = examples.n_present

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[_Epoch]:
        """Yield the epoch, counted from 1."""
        yield _Epoch(epoch, self.length)

    def all(self) -> Iterator[Examples]:
        """Yield all examples, to be looked at with the mixture."""
        yield self.last

    def take_tally(self, state: LiveState) -> Tallies:
        """Return what the shards have counted in the epoch."""
        return state.take_tally()


class Mixture:
    """The mixture of all shards, as the driver of a fit sees a state.

    lead : what mixing with momentum remembers of the epoch before.
    """

    def __init__(self, training: Training) -> None:
        self._training = training
        self._base = cast("Online", training.state)
        self._scratch: list[Online] = []  # states that go on from the mixture, too
        self._counts: Tallies = []
        self.lead = no_lead()

    @property
    def resting(self) -> list[bool]:
        """Which neurons are done."""
        return self._base.resting

    def rest(self, neuron: int) -> None:
        """Let a neuron rest, in the shards too."""
        self._base.rest(neuron)

    def take_tally(self) -> Tallies:
        """Return mistakes, corrections and rows short of the aim, of each neuron."""
        counts, self._counts = self._counts, []
        return counts

    def take_products(self) -> None:
        """None: no row is skipped."""

    def end_skipping(self) -> None:
        """Do nothing: no row is skipped."""

    def mix(
        self, deltas: list[mixing.Delta], tallies: list[mixing.ShardTally]
    ) -> list[mixing.Delta]:
        """Go on from the mixture of what the shards moved; return it, in parts."""
        mixed = self._mixed(deltas, tallies)
        mixing.apply_mixture(self._base, mixed, tallies, self._scratch)
        # Last of all: the driver counts what the mixture holds.
        self._counts = [
            cast(tuple[int, int, int], tuple(map(sum, zip(*each, strict=True))))
            for each in zip(*(tally.counts for tally in tallies), strict=True)
        ]
        return mixed

    def _mixed(
        self, deltas: list[mixing.Delta], tallies: list[mixing.ShardTally]
    ) -> list[mixing.Delta]:
        """Return the mixture in parts; the lead is that of this epoch then."""
        base, choices, lead = self._base, self._training.choices, self.lead
        if choices.mixing not in MOMENTA:
            return self._in_parts(
                lambda part: mixing.mix(base, part, tallies, choices.mixing, choices.averaging),
                deltas,
            )
        found = self._in_parts(
            lambda part: mixing.mix_ahead(
                base, part, tallies, choices.mixing, choices.averaging, lead
            ),
            deltas,
        )
        self.lead = join_leads([lead for _, lead in found])
        return [mixed for mixed, _ in found]

    def _in_parts(
        self, mix: Callable[[list[mixing.Delta]], Result], deltas: list[mixing.Delta]
    ) -> list[Result]:
        """Mix parts of the cells, of which there may be one."""
        return [mix(deltas)]


class MixedState(Mixture):
    """The mixture of shards that threads learn.

    scratch : a state for each thread, with the weights of the mixture between two shards.
    """

    def __init__(
        self,
        training: Training,
        shards: list[_Shard],
        plan: Plan,
        scratch: list[Online],
        threads: ThreadPoolExecutor,
    ) -> None:
        super().__init__(training)
        self._shards, self._plan = shards, plan
        self._scratch, self._threads = scratch, threads
        self._stopped = threading.Event()

    def present(self, epoch: _Epoch, begin: int, budget: int) -> int:
        """Let every shard learn the epoch, and mix; its end."""
        free: SimpleQueue[Online] = SimpleQueue()
        for state in self._scratch:
            free.put(state)

        def learn_shard(shard: _Shard) -> tuple[mixing.Delta, mixing.ShardTally]:
            state = free.get()
            try:
                shard.examples.set_order(self._order(shard, epoch.number))
                return mixing.run_epoch(
                    state, self._base, shard.examples, shard.columns, self._stopped.is_set
                )
            finally:
                free.put(state)

        found = self._in_all(
            learn_shard, self._shards, lambda done: self._report(epoch.number, done)
        )
        self.mix([delta for delta, _ in found], [tally for _, tally in found])
        return epoch.length

    def _report(self, epoch: int, done: int) -> None:
        each = len(self._shards)
        progress.report("learning", (epoch - 1) * each + done, self._plan.max_iter * each)

    def _order(self, shard: _Shard, epoch: int) -> Array:
        seed = mixing.shard_seed(self._plan.seed, shard.number)
        positions = self._plan.order.positions(len(shard.rows), seed, epoch - 1)
        return shard.rows if positions is None else shard.rows[positions]

    def _in_parts(
        self, mix: Callable[[list[mixing.Delta]], Result], deltas: list[mixing.Delta]
    ) -> list[Result]:
        """Mix parts of the cells on all threads."""
        return self._in_all(mix, mixing.split_cells(deltas, len(self._scratch)))

    def verify(self, examples: Examples) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        return self._base.verify(examples)

    def _in_all(
        self,
        work: Callable[[Any], Result],
        jobs: list[Any],
        tell: Callable[[int], None] = lambda done: None,
    ) -> list[Result]:
        """Do it for all jobs; an interruption tells them to stop, and waits until they do."""
        if len(self._scratch) == 1:
            return list(self._one_by_one(work, jobs, tell))
        tasks: list[Future[Result]] = []
        interrupted: BaseException | None = None
        try:
            tasks.extend(self._threads.submit(work, job) for job in jobs)
        except BaseException as error:
            interrupted = error
            self._stopped.set()
        while True:
            try:
                for done, _ in enumerate(as_completed(tasks), 1):
                    tell(done)
                break
            except BaseException as error:
                interrupted = error
                self._stopped.set()
        if interrupted is not None:
            raise interrupted
        return [task.result() for task in tasks]

    @staticmethod
    def _one_by_one(
        work: Callable[[Any], Result], jobs: list[Any], tell: Callable[[int], None]
    ) -> Iterator[Result]:
        for done, job in enumerate(jobs, 1):
            yield work(job)
            tell(done)


def fit_in_shards(
    training: Training,
    rows: Rows,
    targets: Array,
    weights: Array | None,
    plan: Plan,
    outcome: FitOutcome,
) -> None:
    """Learn as ``training.fit`` does, but every shard from the weights of the epoch before.

    After an interruption the state holds the mixture of the last whole epoch.

    Cost of an epoch: that of an ordinary one, divided among the threads, and for each shard a look
    at the weights of its columns; memory for a copy of the weights a thread.

    Raises
    ------
    InputError
        More shards than rows.
    """
    n_shards = training.choices.shards
    examples = new_examples(rows, targets, weights, training.choices.tol)
    _check_shards(n_shards, examples.n_present)
    n_threads = _count_threads(training, n_shards, rows.n_values)
    with ThreadPoolExecutor(n_threads, thread_name_prefix="hardlimit") as threads:
        shards = list(
            threads.map(
                lambda number: _make_shard(training, rows, targets, weights, number, n_shards),
                range(n_shards),
            )
        )
        scratch = [_copy_state(training) for _ in range(n_threads)]
        state = MixedState(training, shards, plan, scratch, threads)
        try:
            learn(cast(LiveState, state), cast(Any, ShardedRows(examples)), plan, outcome)
        finally:
            training.state.wake()
            training.mistakes += sum(record.mistakes for record in outcome.history)
    if not all(one.finite for one in scratch):
        raise InputError("the weights or scores overflowed", fix="scale the columns of X")


def _check_shards(n_shards: int, n_present: int) -> None:
    if n_shards > n_present:
        raise InputError(
            "a shard would be empty",
            parameter="shards",
            got=n_shards,
            wanted=f"at most {plural(n_present, 'example')}",
        )


def _count_threads(training: Training, n_shards: int, n_values: int) -> int:
    """Return the threads that there is work and memory for; 1 where Python is asked."""
    n_threads = min(count_workers(None), n_shards)
    if training.rule_of_engine().is_python or n_values < LEAST_VALUES:
        return 1
    while n_threads > 1 and not _has_room(training, n_threads):
        n_threads -= 1
    return n_threads


def _has_room(training: Training, n_threads: int) -> bool:
    """Whether the weights fit into memory so many times beside those that answer."""
    whole, of_texts = training.state, training.choices.text is not None
    outputs = (n_threads + 1) * whole.n_outputs
    try:
        require_memory(whole.n_columns, outputs, whole.averaged, of_texts=of_texts)
    except MemoryEstimateError:
        return False
    return True


def _make_shard(
    training: Training,
    rows: Rows,
    targets: Array,
    weights: Array | None,
    number: int,
    n_shards: int,
) -> _Shard:
    present = None if weights is None or weights.all() else np.flatnonzero(weights)
    own = np.arange(number, rows.n_rows if present is None else len(present), n_shards)
    own = own if present is None else present[own]
    examples = pair_examples(rows, targets, weights, training.choices.tol)
    examples.set_order(own)
    return _Shard(number, own, examples, mixing.distinct_columns(examples))


def _copy_state(training: Training) -> Online:
    """Return another state with the weights that the fit begins at."""
    whole = training.state
    if isinstance(whole, DualState):
        raise TypeError("the dual form is not mixed")
    state = new_state(
        training.rule_of_engine(), training.scheme, whole.n_columns, whole.n_outputs, whole.averaged
    )
    set_initial_weights(state, training.rule, training.choices.bias)
    if training.start is not None:
        for name in whole.array_names:
            array = whole.array(name)
            if array is not None:
                state.set_array(name, array)
    return state
