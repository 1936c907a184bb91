"""Parallel one-vs-rest: each worker learns a group of neurons; the bits are those of one thread.

Neurons that learn by themselves, one for each class or label, meet the same examples in the same
order and know nothing of each other. Each group of them is a state of its own, which one thread
moves in one pass over the rows. All groups are shown a stretch of an epoch, and wait for each other
at its end: so they are always in step, and what is learnt when the user interrupts is whole. How
long to go on, and which neurons rest, the one driver of all fits decides
(:mod:`hardlimit.learner`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from hardlimit._native import Examples, Online, Rows
from hardlimit.classifiers.fitting.examples import new_examples
from hardlimit.classifiers.model.compatibility import learns_apart
from hardlimit.classifiers.model.state_numbers import set_initial_weights
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import DualState, LiveState, new_state
from hardlimit.exceptions import MemoryEstimateError
from hardlimit.foundation import progress
from hardlimit.foundation.memory import require_memory
from hardlimit.foundation.types import Array
from hardlimit.foundation.workers import count_workers
from hardlimit.learner import FitOutcome, Plan, learn

Result = TypeVar("Result")

# Multiply-adds of a fit that are worth a thread: some milliseconds.
LEAST_SHARE = 1 << 23
# A row's look-ups cost as much as some 20 neurons do, and each group has them anew.
LEAST_NEURONS = 12
# Values that are seen in a column on average, and pay for its weights, which are copied at the end.
LEAST_PASSES = 256
# Multiply-adds of all groups between two meetings, and looks at signals: some tenths of a second.
STRETCH = 1 << 28
_EPOCHS = 5  # that a fit has at least, as far as anybody knows before
_WORK_OF_ROW = 16  # besides its values
_WHOLE = 1 << 62


class _Group(NamedTuple):
    """Some of the neurons, and what they are taught: (n_rows, size) zeros and ones."""

    begin: int
    size: int
    state: Online
    examples: Examples


@dataclass(frozen=True)
class _Stretch:
    """Places of examples, in the order in which they are presented."""

    positions: Array
    length: int


class GroupedRows:
    """The examples of all groups, as :class:`hardlimit.learner.Pieces`."""

    def __init__(self, groups: list[_Group], rows_at_once: int) -> None:
        self._rows_at_once = rows_at_once
        self.last = groups[0].examples
        self.n_present = self.length = self.last.n_present

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[_Stretch]:
        """Yield the stretches of an epoch, counted from 1."""
        positions: Array | None = plan.order.positions(self.n_present, plan.seed, epoch - 1)
        if positions is None:
            positions = np.arange(self.n_present)
        for begin in range(0, len(positions), self._rows_at_once):
            part = positions[begin : begin + self._rows_at_once]
            yield _Stretch(part, len(part))
            done = (epoch - 1) * len(positions) + min(begin + self._rows_at_once, len(positions))
            progress.report("learning", done, plan.max_iter * len(positions))

    def all(self) -> Iterator[_Stretch]:
        """Yield one stretch: groups are asked of all their rows at once."""
        yield _Stretch(np.empty(0, np.int64), 0)

    def take_tally(self, state: LiveState) -> list[tuple[int, int, int]]:
        """Return what the neurons have counted since the beginning of the epoch."""
        return state.take_tally()


class GroupedState:
    """The neurons of all groups, as the driver of a fit sees a state."""

    def __init__(self, groups: list[_Group], threads: ThreadPoolExecutor) -> None:
        self._groups, self._threads = groups, threads

    @property
    def in_step(self) -> bool:
        """Whether all neurons were shown the same examples."""
        return len({group.state.presentations for group in self._groups}) == 1

    @property
    def resting(self) -> list[bool]:
        """Which neurons are done."""
        return [one for group in self._groups for one in group.state.resting]

    def rest(self, neuron: int) -> None:
        """Let a neuron rest."""
        for group in self._groups:
            if 0 <= neuron - group.begin < group.size:
                group.state.rest(neuron - group.begin)

    def take_tally(self) -> list[tuple[int, int, int]]:
        """Return mistakes, corrections and rows short of the aim, of each neuron."""
        return [counts for group in self._groups for counts in group.state.take_tally()]

    def take_products(self) -> None:
        """None: no row is skipped."""

    def end_skipping(self) -> None:
        """Do nothing: no row is skipped."""

    def present(self, stretch: _Stretch, begin: int, budget: int) -> int:
        """Show the stretch to all groups at once; its end."""

        def show(group: _Group) -> None:
            group.examples.set_order(stretch.positions)
            position = begin
            while position < stretch.length:
                position = group.state.present(group.examples, position, _WHOLE)

        self._in_all(show)
        return stretch.length

    def verify(self, stretch: _Stretch) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        found = self._in_all(lambda group: group.state.verify(group.examples))
        return [counts for of_group in found for counts in of_group]

    def _in_all(self, work: Callable[[_Group], Result]) -> list[Result]:
        """Do it for all groups; whoever is interrupted waits until all are done."""
        tasks: list[Future[Result]] = []
        interrupted: BaseException | None = None
        try:
            tasks.extend(self._threads.submit(work, group) for group in self._groups)
        except BaseException as error:
            interrupted = error
        while True:
            try:
                wait(tasks)
                break
            except BaseException as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted
        return [task.result() for task in tasks]


def count_groups(training: Training, rows: Rows, plan: Plan) -> int:
    """Return the groups that the neurons of a fit are worth: at most one a worker, 1 of most fits.

    They must be neurons that learn apart, row by row, by rules without Python; and the work must
    pay for threads and for the copy of the weights at the end.
    """
    workers = count_workers(None)
    if workers == 1 or training.scheme != "independent" or plan.order.loop != "online":
        return 1
    kept = training.choices.kept
    if (
        not learns_apart(training.combination(multiclass="ovr"), kept)
        or training.rule_of_engine().is_python
    ):
        return 1
    if isinstance(training.state, DualState):
        return 1
    epochs = plan.max_iter if plan.until is None else min(plan.max_iter, _EPOCHS)
    work = (rows.n_values + _WORK_OF_ROW * rows.n_rows) * epochs
    if work < LEAST_PASSES * rows.n_columns:
        return 1
    neurons = training.state.n_outputs
    if not _has_room(training):
        return 1
    return max(1, min(workers, neurons // LEAST_NEURONS, work * neurons // LEAST_SHARE))


def _has_room(training: Training) -> bool:
    """Whether the weights fit into memory twice: those of the groups, and all together."""
    whole, of_texts = training.state, training.choices.text is not None
    try:
        require_memory(whole.n_columns, 2 * whole.n_outputs, whole.averaged, of_texts=of_texts)
    except MemoryEstimateError:
        return False
    return True


def fit_in_groups(
    training: Training,
    rows: Rows,
    targets: Array,
    weights: Array | None,
    plan: Plan,
    outcome: FitOutcome,
    n_groups: int,
) -> None:
    """Learn as ``training.fit`` does, by as many threads as there are groups.

    targets : class numbers (n_rows,), or what each neuron is taught (n_rows, n_neurons).

    After an interruption the state holds what was learnt until then. Where a group failed it holds
    nothing.

    Cost: that of a fit, divided among the threads, each of which goes through all rows; and a copy
    of the weights.
    """
    rows.keep_norms()  # before the threads begin, which would each compute them
    groups = [
        _make_group(training, rows, targets, weights, begin, end - begin)
        for begin, end in _divide(training.state.n_outputs, n_groups)
    ]
    work = (rows.n_values // max(1, rows.n_rows) + _WORK_OF_ROW) * training.state.n_outputs
    shown = GroupedRows(groups, max(1, STRETCH // work))
    with ThreadPoolExecutor(n_groups, thread_name_prefix="hardlimit") as threads:
        state = GroupedState(groups, threads)
        try:
            learn(cast(LiveState, state), cast(Any, shown), plan, outcome)
        finally:
            if state.in_step:
                _put_together(training, groups)
            training.mistakes += sum(record.mistakes for record in outcome.history)


def _divide(n_neurons: int, n_groups: int) -> list[tuple[int, int]]:
    """Begins and ends of groups, whole cache lines of weights where there are enough neurons."""
    size = -(-n_neurons // n_groups)
    if size >= LEAST_NEURONS > 1:
        size = -(-size // 4) * 4
    begins = range(0, n_neurons, size)
    return [(begin, min(begin + size, n_neurons)) for begin in begins]


def _make_group(
    training: Training, rows: Rows, targets: Array, weights: Array | None, begin: int, count: int
) -> _Group:
    if targets.ndim == 1:
        taught = targets[:, None] == np.arange(begin, begin + count)
    else:
        taught = targets[:, begin : begin + count]
    each = np.ascontiguousarray(taught, np.int32)
    examples = new_examples(rows, each, weights, training.choices.tol)
    return _Group(begin, count, _blank_state(training, begin, count), examples)


def _blank_state(training: Training, begin: int, count: int) -> Online:
    """Return a state of some of the neurons, as they begin."""
    whole = training.state
    rule = training.rule_of_engine()
    state = new_state(rule, "independent", whole.n_columns, count, whole.averaged)
    set_initial_weights(state, training.rule, training.choices.bias)
    if training.start is not None:
        state.copy_outputs(whole, begin, 0, count)
    return state


def _put_together(training: Training, groups: list[_Group]) -> None:
    """Give the state the neurons of all groups."""

    def copy() -> None:
        for group in groups:
            training.state.copy_outputs(group.state, 0, group.begin, group.size)

    try:
        copy()
    except KeyboardInterrupt:  # never a part of the neurons
        copy()
        raise
    training.state.wake()
    if training.state.needs_example:
        shapes = [(-1, group.size) for group in groups]
        counts = [group.examples.n_i().reshape(s) for group, s in zip(groups, shapes, strict=True)]
        sums = [
            group.examples.alpha_i().reshape(s) for group, s in zip(groups, shapes, strict=True)
        ]
        training.examples = {"n_i": np.hstack(counts), "alpha_i": np.hstack(sums)}
