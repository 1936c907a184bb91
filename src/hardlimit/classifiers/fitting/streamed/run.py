"""The fit of a stream: blocks in, a model out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.fit import Take
from hardlimit.classifiers.fitting.streamed.labels import Targets
from hardlimit.classifiers.fitting.streamed.pieces import Cache, StreamedExamples
from hardlimit.classifiers.fitting.training_errors import count_errors
from hardlimit.classifiers.fitting.unreached import warn_unreached
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import ClassCounts, LabelBook
from hardlimit.classifiers.model.model import Facts, Model, freeze
from hardlimit.classifiers.model.training import Training
from hardlimit.foundation import progress
from hardlimit.learner import Outcome, Plan
from hardlimit.streaming.blocks import Block


def fit_blocks(
    choices: Choices,
    book: LabelBook,
    blocks: Iterable[Block],
    n_columns: int,
    plan: Plan,
    take: Take,
    kind: type[Model] = Model,
    cache: Cache | None = None,
    counts: dict[Hashable, int] | None = None,
    **more: Any,
) -> Model:
    """Learn from blocks of rows, the first time as they come, later from the cache.

    Parameters
    ----------
    book : the classes that are known at the start
    blocks : gone through once
    take : called with the model as soon as there is one, also when the user interrupts
    cache : where blocks are kept for later epochs and for the training errors; None: one epoch,
        whose training errors nobody counts
    counts : examples of each class, for balanced ones
    """
    training = Training(choices, book, n_columns)
    if counts is not None and choices.balanced:
        training.class_counts = ClassCounts(dict(counts))
    targets = Targets(choices, counts)
    outcome = Outcome()
    training.watch(choices.kept, plan.seed)
    examples = StreamedExamples(training, blocks, targets, cache, _report)
    model = kind(choices, book, outcome, training, **more)
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
    return model


def _report(examples: StreamedExamples) -> None:
    """Show the error so far of the epoch, whose first is progressive validation."""
    unit = f"rows, {examples.so_far.error:.2%} wrong before they were learnt"
    progress.report(f"learning, epoch {examples.epoch}", examples.n_shown, 0, unit)
