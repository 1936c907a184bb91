"""Epochs of all shards, as the one driver of all fits presents them (:mod:`hardlimit.learner`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from hardlimit.classifiers.fitting.mixed import Mixture
from hardlimit.classifiers.model.model import Model
from hardlimit.distributed.checkpoint import ShardCheckpoints
from hardlimit.distributed.run import Run
from hardlimit.engine import LiveState, mixing
from hardlimit.foundation.workers import ALL_CORES, count_cores, map_in_order
from hardlimit.learner import EpochRecord, Plan, learn


def learn_epochs(run: Run, plan: Plan, model: Model, checkpoints: ShardCheckpoints | None) -> None:
    """Learn for as long as the plan says."""
    state, outcome = State(run), model.outcome
    if checkpoints is not None:
        plan = replace(plan, callback=_after_epoch(plan, model, run, checkpoints))
    try:
        learn(cast(LiveState, state), cast(Any, Rounds(run.n_rows)), plan, outcome)
    finally:
        run.training.state.wake()
        run.training.mistakes += sum(record.mistakes for record in outcome.history)


def _after_epoch(
    plan: Plan, model: Model, run: Run, checkpoints: ShardCheckpoints
) -> Callable[[EpochRecord], None]:
    """Return what is done after each epoch: a checkpoint, then what the caller asked for."""

    def look(record: EpochRecord) -> None:
        checkpoints.look_at(model, run)
        if plan.callback is not None:
            plan.callback(record)

    return look


@dataclass(frozen=True)
class _Epoch:
    """An epoch of all shards, as the driver presents it: in one piece."""

    number: int
    length: int


class Rounds:
    """The examples of all shards, as :class:`hardlimit.learner.Pieces`."""

    last: Any = None

    def __init__(self, n_present: int) -> None:
        self.n_present = self.length = n_present

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[_Epoch]:
        """Yield the epoch, counted from 1."""
        yield _Epoch(epoch, self.length)

    def all(self) -> Iterator[None]:
        """Yield once: all shards are asked together."""
        yield None

    def take_tally(self, state: LiveState) -> list[tuple[int, int, int]]:
        """Return what the shards have counted in the epoch."""
        return state.take_tally()


class State(Mixture):
    """The mixture of all shards, as the driver of a fit sees a state."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.training)
        self._run = run

    def rest(self, neuron: int) -> None:
        """Let a neuron rest, on all workers too."""
        super().rest(neuron)
        self._run.send_resting()

    def present(self, epoch: _Epoch, begin: int, budget: int) -> int:
        """Let every shard learn the epoch, and mix; its end."""
        deltas, tallies = self._run.learn_epoch(epoch.number)
        self._run.send(mixing.join_cells(self.mix(deltas, tallies)))
        return epoch.length

    def _mixed(self, deltas: list[mixing.Delta], tallies: list[mixing.Tally]) -> list[mixing.Delta]:
        """Mix parts of the cells on all cores: the workers have nothing to do meanwhile."""
        mix = super()._mixed
        return map_in_order(
            lambda part: mix(part, tallies)[0],
            mixing.split_cells(deltas, count_cores()),
            ALL_CORES,
            "mixing the shards",
        )

    def verify(self, examples: None) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        return self._run.verify()
