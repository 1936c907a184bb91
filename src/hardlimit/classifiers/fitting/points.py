"""Learning in the space of a kernel from all examples at once: as :mod:`.fit`, without weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.classifiers.fitting import calibrating, fit
from hardlimit.classifiers.fitting.examples import new_examples
from hardlimit.classifiers.fitting.training import Take, Way, train
from hardlimit.classifiers.fitting.training_errors import (
    LearntRows,
    TrainingErrors,
    find_errors,
    may_give_way,
)
from hardlimit.classifiers.model.answers import KernelAnswer
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.kernel_training import KernelModel, KernelTraining
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.targets import Encoded, check_labels
from hardlimit.engine import Points
from hardlimit.foundation.tables import Names
from hardlimit.foundation.types import Array, SampleWeight
from hardlimit.learner import FitOutcome, Plan

# Kernel values that a look at the training errors may cost, where there were few epochs.
LOOK = 1 << 22
EPOCHS = 8


def fit_points(
    choices: Choices,
    points: Points,
    examples: Encoded,
    plan: Plan,
    take: Take,
    names: Names | None = None,
) -> Model:
    """Learn with a kernel from no support: as :func:`.fit_rows`."""
    training = KernelTraining(choices, examples.book, points.n_rows)
    training.check_weights(examples.weights)
    outcome = FitOutcome(weighted=examples.weighted)
    round_ = new_examples(points.native, examples.targets, examples.weights, choices.tol)
    fit.count_classes(training, examples)
    training.watch(choices.kept, plan.seed)
    model = KernelModel(choices, examples.book, outcome, training, feature_names=names)
    return train(model, PointsInMemory(training, points, examples, plan, round_), take)


@dataclass
class PointsInMemory(Way):
    """All examples of a fit with a kernel are in memory, and so may be their kernel matrix."""

    training: KernelTraining
    points: Points
    examples: Encoded
    plan: Plan
    round_: _native.Examples

    def learn(self, model: Model) -> None:
        """Learn from all examples; what is corrected is a support."""
        self.training.learn(self.points, self.round_, self.plan, model.outcome)

    def facts(self) -> Facts | None:
        """Return how many examples there were, and the largest ``K(x, x)``."""
        # As long as the examples; only the facts need it.
        lengths, self.training.diagonal = self.training.diagonal, None
        present = self.examples.present
        if present is not None:
            lengths = lengths[present]
        return Facts(self.examples.n_present, float(lengths.max(initial=0.0)))

    def counts(self, model: Model) -> bool:
        """Whether a look at the training errors costs no more than the epochs did.

        A fit that separated has looked at all rows already, and without the look its average could
        err unseen.
        """
        frozen = model.frozen
        supports = len(frozen.numbers) if isinstance(frozen, KernelAnswer) else 0
        is_cheap = self.points.n_rows * supports <= LOOK or len(model.outcome.history) >= EPOCHS
        return is_cheap or may_give_way(model)

    def find_errors(self, model: Model) -> TrainingErrors | None:
        """Look at all examples, of which absent ones are no mistakes."""
        examples, points = self.examples, self.points
        learnt = LearntRows(points, examples.targets, examples.absent)
        return find_errors(model, [learnt], points.n_rows)

    def warn(self) -> None:
        """Warn of weights that changed nothing."""
        fit.warn_idle_weights(self.training, self.examples)


def calibrate_points(
    kind: Callable[..., Any],
    model: Model,
    points: Points,
    labels: list[Any],
    weights: SampleWeight,
) -> None:
    """Calibrate a model by fits on parts of its examples; ``kind`` makes the classifier of one."""
    kernel = model.choices.kernel
    kept = None if weights is None else np.asarray(weights, np.float64)

    def part_of(rows: Array, learnt: Array) -> Points:
        # Of a given matrix the columns are examples, too: those that are held out leave.
        if kernel is not None and kernel.given:
            return Points.of(points.dense(rows)[:, learnt])
        return points.take(rows)

    def learn_part(given: dict[str, Any], learnt: Array, rows: Array) -> tuple[Model, Array]:
        choices = kind(**given).check_parameters()
        own = [labels[row] for row in learnt.tolist()]
        examples = check_labels(choices, own, None if kept is None else kept[learnt])
        plan = fit.make_plan(choices, None)
        made = fit_points(choices, part_of(learnt, learnt), examples, plan, _keep_nowhere)
        return made, made.repeatable_scores(part_of(rows, learnt))

    calibrating.calibrate(model, learn_part, labels, weights)


def _keep_nowhere(model: Model) -> None:
    """A model of a part is asked for its scores, and nobody answers by it."""
