"""Learning in the space of a kernel: choices and points in, a model out."""

from __future__ import annotations

from hardlimit.classifiers.fitting.fit import (
    Examples,
    Take,
    count_errors,
    note_facts,
    warn_unreached,
)
from hardlimit.classifiers.model.answers import KernelAnswer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.kernel_training import KernelTraining
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.classifiers.model.training import new_examples
from hardlimit.engine import Points
from hardlimit.learner import Outcome, Plan

# Kernel values that a look at the training errors may cost, where there were few epochs.
LOOK = 1 << 22
EPOCHS = 8


def fit_points(
    choices: Choices, points: Points, examples: Examples, plan: Plan, take: Take
) -> Model:
    """Learn with a kernel from no support: as :func:`fit_rows`."""
    training = KernelTraining(choices, examples.book, points.n_rows)
    outcome = Outcome(weighted=examples.weighted)
    round_ = new_examples(points.native, examples.targets, examples.weights, choices.tol)
    training.watch(choices.kept, plan.seed)
    model = Model(choices, examples.book, outcome, training)
    try:
        training.learn(points, round_, plan, outcome)
    finally:
        if training.state.presentations:
            model.frozen = freeze(training, choices)
            model.facts = note_facts(training.diagonal, examples)
            training.diagonal = None
            take(model)
    supports = len(model.frozen.numbers) if isinstance(model.frozen, KernelAnswer) else 0
    if points.n_rows * supports <= LOOK or len(outcome.history) >= EPOCHS:
        count_errors(model, points, examples)
    warn_unreached(choices, outcome)
    return model
