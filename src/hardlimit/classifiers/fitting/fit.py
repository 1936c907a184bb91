"""Learning from all examples at once: choices and rows in, a model out."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit import _native, scaling
from hardlimit.classifiers.fitting.examples import (
    count_examples,
    new_examples,
    weigh_by_schedule,
)
from hardlimit.classifiers.fitting.mixed import fit_in_shards
from hardlimit.classifiers.fitting.parallel_one_vs_rest import count_groups, fit_in_groups
from hardlimit.classifiers.fitting.training import Take, Way, train
from hardlimit.classifiers.fitting.training_errors import LearntRows, TrainingErrors, find_errors
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.compatibility import check_sum
from hardlimit.classifiers.model.initial_weights import begin_at
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Encoded
from hardlimit.engine import DualState, RowLayout, largest_sqnorm
from hardlimit.exceptions import Given, HardlimitWarning, InputError, KindError
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.types import ArrayLike
from hardlimit.learner import EpochRecord, FitOutcome, Plan

Array = np.ndarray[Any, Any]
Callback = Callable[[EpochRecord], Any]

# The compiled loops count presentations in 64 bits.
MOST_EPOCHS = 2**31 - 1


def fit_rows(
    training: Training,
    rows: _native.Rows,
    examples: Encoded,
    plan: Plan,
    take: Take,
    kind: type[Model] = Model,
    start: ArrayLike | None = None,
    count: bool = False,
    **more: Any,
) -> Model:
    """Learn from zero weights, or from others, and count the training errors.

    Parameters
    ----------
    training : a new state, of which the model is made
    take : called with the model as soon as there is one, also when the user interrupts: what was
        learnt until then stays
    kind, more : the class of the model, and what it holds besides
    count : whether to count the corrections of each example, whoever asks for it
    start : weights to begin at, as :func:`initial_weights.read_weights` takes them

    Raises
    ------
    InputError
        Rows or weights that the rule cannot take.
    """
    choices = training.choices
    if start is not None:
        begin_at(training, start)
    if count:
        count_examples(training)
    outcome = FitOutcome(weighted=examples.weighted)
    # By what the rule needs of the numbers themselves, which no table of choices can know.
    training.check_rows(rows)
    if examples.weights is not None:
        training.check_weights(examples.weights)
    weights = weigh_by_schedule(choices, rows, examples.targets, examples.weights)
    round_ = new_examples(rows, examples.targets, weights, choices.tol)
    # Whether a plain sum diverges depends on the examples: only now it can be told.
    if plan.combine == "sum" and plan.order.loop == "batch":
        _bound_the_sum(training, round_)
    count_classes(training, examples)
    # Before the first presentation: the zero vector may be drawn, too.
    training.watch(choices.kept, plan.seed)
    model = kind(choices, examples.book, outcome, training, **more)
    way = RowsInMemory(training, rows, examples, plan, round_, weights)
    train(model, way, take)
    if count:
        count_examples(training, False)  # a stream knows no example again
    return model


@dataclass
class RowsInMemory(Way):
    """All rows of a fit are in memory.

    round_, weights : the examples as they are presented, and what they weigh there.
    """

    training: Training
    rows: _native.Rows
    examples: Encoded
    plan: Plan
    round_: _native.Examples
    weights: Array | None

    def learn(self, model: Model) -> None:
        """Learn in shards, in groups of outputs side by side, or in one run."""
        training, rows, plan, outcome = self.training, self.rows, self.plan, model.outcome
        targets, weights = self.examples.targets, self.weights
        n_groups = count_groups(training, rows, plan)
        if training.choices.shards > 1:
            fit_in_shards(training, rows, targets, weights, plan, outcome)
        elif n_groups == 1:
            training.fit(self.round_, plan, outcome)
        else:
            fit_in_groups(training, rows, targets, weights, plan, outcome, n_groups)

    def facts(self) -> Facts | None:
        """Return how many rows there were, and the longest of them."""
        examples, training = self.examples, self.training
        largest = largest_sqnorm(self.rows, training.choices.bias, examples.present)
        return Facts(examples.n_present, largest, start=training.start)

    def find_errors(self, model: Model) -> TrainingErrors | None:
        """Look at all rows, of which absent ones are no mistakes."""
        examples, rows = self.examples, self.rows
        learnt = LearntRows(rows, examples.targets, examples.absent)
        return find_errors(model, [learnt], rows.n_rows)

    def place(self, row: int, presentations: int) -> str:
        """Say in which epoch and at which row a covariance collapsed."""
        return f"in epoch {presentations // self.round_.n_present + 1} at row {row}"

    def warn(self) -> None:
        """Warn of weights that changed nothing."""
        warn_idle_weights(self.training, self.examples)


def count_classes(training: Training, examples: Encoded) -> None:
    """Count the examples of each class for a stream that goes on, if it weighs them by that."""
    if training.choices.balanced:
        training.class_counts = ClassCounts.of(
            list(examples.book.numbers), examples.targets, examples.weights
        )


def _bound_the_sum(training: Training, round_: _native.Examples) -> None:
    """Refuse steps with which the plain sum of a batch diverges: that depends on the examples."""
    if not getattr(training.rule, "quadratic", False):
        return
    state = training.state
    if isinstance(state, DualState):  # it takes no batches
        return
    largest = state.largest_eigenvalue(round_)
    check_sum(training.rule, training.choices.schedule, largest)
    # A schedule may grow later; then the step is refused when it comes.
    training.bound_steps(2 / largest if largest > 0 else math.inf)


def warn_idle_weights(training: Training, examples: Encoded) -> None:
    """Warn where a rule whose weights are ceilings ended with every example below its own."""
    ceiling, alphas = getattr(training.rule, "ceiling", None), training.examples.get("alpha_i")
    if ceiling is None or alphas is None or examples.weights is None or not examples.weighted:
        return
    most = ceiling(examples.weights)[:, None] * (1 - 1e-9)
    present = slice(None) if examples.present is None else examples.present
    if (alphas[present] < most[present]).all():
        warnings.warn(
            HardlimitWarning(
                "the weights of examples or classes changed nothing: none of the examples reached "
                "its limit, C times its weight",
                fix="use a smaller C, or more epochs",
            ),
            stacklevel=caller_stacklevel(),
        )


def make_plan(choices: Choices, callback: Callback | None) -> Plan:
    """Return how long to learn and in which order.

    Raises
    ------
    InputError, KindError
        An aim that there is not, no whole number of epochs, a callback that cannot be called.
    """
    if callback is not None and not callable(callback):
        raise KindError(
            parameter="callback", got=callback, wanted="a function of an EpochRecord, or None"
        )
    # As a float first: 10.0 of a search over parameters is a whole number, "10" is none.
    epochs = as_float(choices.max_iter)
    if not epochs.is_integer() or epochs > MOST_EPOCHS:
        wanted = f"a whole number up to {MOST_EPOCHS}"
        raise InputError(parameter="max_iter", got=choices.max_iter, wanted=wanted)
    return Plan(
        choices.order,
        choices.until,
        int(choices.max_iter),
        choices.seed,
        callback,
        choices.combine,
        skip=choices.skip,
    )


def read_rows(
    training: Training, layout: RowLayout, examples: Encoded, *, guarded: bool
) -> tuple[_native.Rows, scaling.Scale | None]:
    """Return the rows as they are to be learnt from, and the scale that made them so.

    The numbers are read in one pass, which checks and measures them. Only with a training state at
    hand, so that weights for which there is no room are refused before.

    guarded : copies the column numbers, for a fit in the middle of which the user's own code runs
    """
    choices = training.choices
    if choices.scale is None:
        asks = training.asks_sqnorm
        rows = layout.measured(choices.bias, examples.present, with_norms=asks, guarded=guarded)
        # Only where the user left the units alone: a scale makes the warning pointless.
        scaling.warn_of_norms(rows)
        return rows, None
    rows = layout.rows(choices.bias, guarded=guarded)
    # Absent rows must not move the units in which the others are learnt.
    measured = choices.scale.fitted(rows, examples.present)
    return measured.rows(rows), measured


def check_pair(validation: object) -> None:
    """Refuse examples to validate with that are no pair."""
    if validation is not None and (
        not isinstance(validation, tuple | list) or sum(1 for _ in validation) != 2
    ):
        raise InputError(
            parameter="validation",
            got=Given(type(validation).__name__),
            wanted="the pair (X, y) of examples that were not learnt from",
        )
