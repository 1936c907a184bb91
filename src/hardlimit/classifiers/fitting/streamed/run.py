"""The fit of a stream: blocks in, a model out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardlimit.classifiers.fitting.streamed.opening import Opened
from hardlimit.classifiers.fitting.streamed.pieces import Cache, StreamedExamples
from hardlimit.classifiers.fitting.streamed.position import Position, StreamCheckpoints
from hardlimit.classifiers.fitting.training import Take, Way, train
from hardlimit.classifiers.fitting.training_errors import TrainingErrors, find_errors
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.initial_weights import begin_at, start_again
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Encoder, of_book
from hardlimit.foundation import progress
from hardlimit.learner import FitOutcome, Plan


def fit_blocks(
    choices: Choices,
    opened: Opened,
    plan: Plan,
    take: Take,
    cache: Cache | None,
    checkpoints: StreamCheckpoints | None = None,
    before: tuple[Model, Position] | None = None,
    refilled: bool = True,
) -> Model:
    """Learn from blocks of rows, the first time as they come, later from the cache.

    Parameters
    ----------
    take : called with the model as soon as there is one, also when the user interrupts
    cache : where blocks are kept for later epochs and for the training errors; None: one epoch,
        whose training errors nobody counts
    before : of a run that was broken off: its model, and how far it was
    refilled : whether the blocks are still to be read; False where the cache has them all
    """
    training, outcome, position = _start(choices, opened, before)
    targets = of_book(opened.book).encoder(choices, opened.counts)
    targets.weighted = position is not None and position.weighted
    training.watch(choices.kept, plan.seed)
    model = opened.kind(choices, training.book, outcome, training, **opened.more)
    examples = StreamedExamples(
        training,
        opened.blocks if refilled else None,
        targets,
        cache,
        _after_block(model, checkpoints, opened.weighted),
        position,
        _check(checkpoints, position),
        opened.more.get("scale"),
    )
    examples.progressive = outcome.progressive
    return train(model, BlocksOfStream(training, examples, targets, plan, cache is not None), take)


@dataclass
class BlocksOfStream(Way):
    """The rows come in blocks, of which a few are in memory.

    kept : whether all blocks are at hand after the first pass.
    """

    training: Training
    examples: StreamedExamples
    targets: Encoder
    plan: Plan
    kept: bool

    def learn(self, model: Model) -> None:
        """Learn, the first time as the blocks come, later from the cache."""
        outcome = model.outcome
        try:
            self.training.fit(self.examples, self.plan, outcome)
        finally:
            outcome.weighted = self.targets.weighted
            outcome.progressive = self.examples.progressive

    def facts(self) -> Facts | None:
        """Return how many rows came, and the longest of them."""
        return Facts(self.examples.n_rows, self.examples.largest, start=self.training.start)

    def counts(self, model: Model) -> bool:
        """Whether the training errors are counted: not where the rows came once and are gone."""
        return self.kept

    def find_errors(self, model: Model) -> TrainingErrors | None:
        """Look at all rows of the cache."""
        return find_errors(model, self.examples, self.examples.n_rows)

    def warn(self) -> None:
        """Warn of what was noticed of the labels."""
        self.targets.warn(self.training.book)


def _start(
    choices: Choices, opened: Opened, before: tuple[Model, Position] | None
) -> tuple[Training, FitOutcome, Position | None]:
    """Return the state at the start: blank, at given weights, or of a run that was broken off."""
    if before is not None:
        model, position = before
        training = model.state
        training.choices = choices
        outcome = model.outcome
        # The mistakes of its epochs are added up at the end.
        training.mistakes = 0
        for neuron in position.resting:
            training.state.rest(neuron)
        if opened.start is not None:
            start_again(training, opened.start)
        return training, outcome, position
    training = Training(choices, opened.book, opened.n_columns)
    begin_at(training, opened.start)
    if opened.counts is not None and choices.balanced:
        training.class_counts = ClassCounts(
            {label: opened.counts.get(label, 0) for label in opened.book.numbers}
        )
    return training, FitOutcome(), None


def _check(
    checkpoints: StreamCheckpoints | None, position: Position | None
) -> Callable[[str], None] | None:
    if checkpoints is None or position is None:
        return None
    return lambda mark: checkpoints.check_digest(position, mark)


def _after_block(
    model: Model, checkpoints: StreamCheckpoints | None, weighted: bool
) -> Callable[[StreamedExamples], None]:
    """Return what is done after each block: the line of progress, a checkpoint where it is time."""

    def look(examples: StreamedExamples) -> None:
        unit = f"rows, {examples.so_far.error:.2%} wrong"
        if examples.epoch == 1:  # progressive validation: no row has been seen before
            unit += " before they were learnt"
        progress.report(f"learning, epoch {examples.epoch}", examples.n_shown, 0, unit)
        if checkpoints is not None:
            model.outcome.progressive = examples.progressive
            describe = checkpoints.describe
            checkpoints.look(model, lambda: describe(examples.position, weighted))

    return look
