"""Epochs of all shards, as the one driver of all fits presents them (:mod:`hardlimit.learner`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from hardlimit.classifiers.fitting.mixed import Mixture, Result
from hardlimit.classifiers.fitting.training import Way
from hardlimit.classifiers.fitting.training_errors import TrainingErrors, join_errors
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.distributed import work
from hardlimit.distributed.checkpoint import ShardCheckpoints
from hardlimit.distributed.run import Run
from hardlimit.engine import LiveState, mixing
from hardlimit.foundation.workers import ALL_CORES, count_cores, map_in_order
from hardlimit.learner import FitOutcome, Plan, learn


def learn_epochs(run: Run, plan: Plan, model: Model, checkpoints: ShardCheckpoints | None) -> None:
    """Learn for as long as the plan says; what breaks it off leaves a checkpoint."""
    outcome = model.outcome

    def look() -> None:
        if checkpoints is not None:
            checkpoints.look_at(model, run)

    state = MixedState(run, outcome, look)
    try:
        learn(cast(LiveState, state), cast(Any, ShardRounds(run.n_rows)), plan, outcome)
    except MemoryError:  # of which a checkpoint needs more
        raise
    except BaseException:
        if checkpoints is not None and state.goes_on:
            checkpoints.leave(model, run)
        raise
    finally:
        run.training.state.wake()
        run.training.mistakes += sum(record.mistakes for record in outcome.history)


@dataclass
class ShardsOfFiles(Way):
    """The rows stay with the workers, which learn a shard each."""

    run: Run
    plan: Plan
    checkpoints: ShardCheckpoints | None = None

    def learn(self, model: Model) -> None:
        """Learn all shards side by side, and mix them after each epoch."""
        learn_epochs(self.run, self.plan, model, self.checkpoints)

    def facts(self) -> Facts | None:
        """Return how many rows there are, and the longest of them."""
        return Facts(self.run.n_rows, self.run.largest, start=self.run.training.start)

    def find_errors(self, model: Model) -> TrainingErrors | None:
        """Let all shards look at their rows."""
        run = self.run
        found: list[TrainingErrors] = run.map(
            work.find_errors_of_shard,
            "counting errors",
            tally=lambda place, errors: (run.sizes.get(place, 0), errors.n),
            readout=model.choices.readout,
        )
        return join_errors(found)

    def warn(self) -> None:
        """Do nothing: the labels were looked at before."""


@dataclass(frozen=True)
class _Epoch:
    """An epoch of all shards, as the driver presents it: in one piece."""

    number: int
    length: int


class ShardRounds:
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


class MixedState(Mixture):
    """The mixture of all shards, as the driver of a fit sees a state.

    look : called between two epochs, of which the second is about to begin.
    """

    def __init__(self, run: Run, outcome: FitOutcome, look: Callable[[], None]) -> None:
        super().__init__(run.training)
        self._run, self._outcome, self._look = run, outcome, look
        self.lead = run.lead
        self._whole = len(outcome.history), self._base.presentations

    @property
    def goes_on(self) -> bool:
        """Whether this is the state after the last epoch told, and another one may follow."""
        history = self._outcome.history
        is_whole = self._whole == (len(history), self._base.presentations)
        if not history or not is_whole:
            return False
        # An aim may have been reached that the history does not say yet.
        moves = history[-1].corrections > 0 and not all(self.resting)
        return moves or self._run.choices.until is None

    def rest(self, neuron: int) -> None:
        """Let a neuron rest, on all workers too."""
        super().rest(neuron)
        self._run.send_resting()

    def present(self, epoch: _Epoch, begin: int, budget: int) -> int:
        """Let every shard learn the epoch, and mix; its end."""
        if self._outcome.history:
            self._look()
        deltas, tallies = self._run.learn_epoch(epoch.number)
        mixed = self.mix(deltas, tallies)
        self._run.lead = self.lead
        self._whole = epoch.number, self._base.presentations
        self._run.send(mixing.join_cells(mixed))
        return epoch.length

    def _in_parts(
        self, mix: Callable[[list[mixing.Delta]], Result], deltas: list[mixing.Delta]
    ) -> list[Result]:
        """Mix parts of the cells on all cores: the workers have nothing to do meanwhile."""
        parts = mixing.split_cells(deltas, count_cores())
        return map_in_order(mix, parts, ALL_CORES, "mixing the shards")

    def verify(self, examples: None) -> list[tuple[int, int]]:
        """Count for each neuron the examples that are wrong, and those short of the aim."""
        return self._run.verify()
