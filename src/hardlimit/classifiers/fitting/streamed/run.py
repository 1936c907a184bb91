"""The fit of a stream: blocks in, a model out."""

from __future__ import annotations

from collections.abc import Callable

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.fit import Take
from hardlimit.classifiers.fitting.streamed.checkpoint import Checkpoints
from hardlimit.classifiers.fitting.streamed.opened import Opened
from hardlimit.classifiers.fitting.streamed.pieces import Cache, StreamedExamples
from hardlimit.classifiers.fitting.streamed.position import Position
from hardlimit.classifiers.fitting.training_errors import count_errors
from hardlimit.classifiers.fitting.unreached import warn_unreached
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.model import Facts, Model, freeze
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import of_book
from hardlimit.foundation import progress
from hardlimit.learner import Outcome, Plan


def fit_blocks(
    choices: Choices,
    opened: Opened,
    plan: Plan,
    take: Take,
    cache: Cache | None,
    checkpoints: Checkpoints | None = None,
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
    examples = StreamedExamples(
        training,
        opened.blocks if refilled else None,
        targets,
        cache,
        _after_block(checkpoints),
        position,
        _check(checkpoints, position),
        opened.more.get("scale"),
    )
    examples.progressive = outcome.progressive
    model = opened.kind(choices, training.book, outcome, training, **opened.more)
    if checkpoints is not None:
        checkpoints.model, checkpoints.has_weights = model, opened.weighted
    with fit.taken_if_whole(model, take):
        try:
            training.fit(examples, plan, outcome)
            progress.report("computing the weights that answer")
        except KeyboardInterrupt:
            progress.report("interrupted: keeping what was learned")
            raise
        finally:
            outcome.weighted, outcome.progressive = targets.weighted, examples.progressive
            if training.state.presentations:
                model.frozen = freeze(training, choices)
                model.facts = Facts(examples.n_rows, examples.largest)
        if cache is not None:
            count_errors(model, examples, examples.n_rows)
    row, presentations = training.state.collapse
    fit.warn_collapsed(training, row, f"at presentation {presentations}")
    warn_unreached(choices, outcome)
    targets.warn(training.book)
    return model


def _start(
    choices: Choices, opened: Opened, before: tuple[Model, Position] | None
) -> tuple[Training, Outcome, Position | None]:
    """Return the state at the start: blank, or that of a run that was broken off."""
    if before is not None:
        model, position = before
        training = model.state
        training.choices = choices
        outcome = model.outcome
        # The mistakes of its epochs are added up at the end.
        training.mistakes = 0
        return training, outcome, position
    training = Training(choices, opened.book, opened.n_columns)
    if opened.counts is not None and choices.balanced:
        training.class_counts = ClassCounts(
            {label: opened.counts.get(label, 0) for label in opened.book.numbers}
        )
    return training, Outcome(), None


def _check(
    checkpoints: Checkpoints | None, position: Position | None
) -> Callable[[str], None] | None:
    if checkpoints is None or position is None:
        return None
    return lambda mark: checkpoints.check_digest(position, mark)


def _after_block(checkpoints: Checkpoints | None) -> Callable[[StreamedExamples], None]:
    """Return what is done after each block: the line of progress, a checkpoint where it is time."""

    def look(examples: StreamedExamples) -> None:
        unit = f"rows, {examples.so_far.error:.2%} wrong"
        if examples.epoch == 1:  # progressive validation: no row has been seen before
            unit += " before they were learnt"
        progress.report(f"learning, epoch {examples.epoch}", examples.n_shown, 0, unit)
        if checkpoints is not None:
            checkpoints.look(examples)

    return look
