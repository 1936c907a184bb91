"""Early stopping: a fit that is looked at after each epoch, and may go on where another ended.

What scikit-learn calls ``tol``, ``early_stopping`` and ``warm_start``. The epochs are those of a
plain fit: until it stops, the bits are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from hardlimit._native import Rows
from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.examples import map_rows, new_examples
from hardlimit.classifiers.fitting.fit import Callback
from hardlimit.classifiers.fitting.training import Take, learn_whole
from hardlimit.classifiers.model.answers import Answer, score_blocks
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.initial_weights import begin_at
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.model.parts import Facts
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Encoded, check_labels, read_labels
from hardlimit.engine import layout_of
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.types import ArrayLike, SampleWeight, Targets
from hardlimit.learner import EpochRecord, FitOutcome

Array = np.ndarray[Any, Any]


@dataclass
class Patience:
    """Says when enough is enough: the figure no longer rises by ``tol``, ``epochs`` times in a row.

    >>> patience = Patience(tol=0.1, epochs=2)
    >>> [patience.exhausted(figure) for figure in (0.5, 0.7, 0.75, 0.76)]
    [False, False, False, True]
    """

    tol: float
    epochs: int
    best: float = field(default=-math.inf, init=False)
    count: int = field(default=0, init=False)

    def exhausted(self, figure: float) -> bool:
        """Look at the figure of another epoch."""
        self.count = self.count + 1 if figure < self.best + self.tol else 0
        self.best = max(self.best, figure)
        return self.count >= self.epochs


# An exception, since a callback has no other way to end the epochs from inside.
class _EnoughError(Exception):
    """Raised through the epochs by whoever looks at them."""


def fit_with_patience(
    choices: Choices,
    X: ArrayLike,
    y: Targets,
    sample_weight: SampleWeight = None,
    *,
    take: Take,
    patience: Patience | None = None,
    held_out: Array | None = None,
    start: Model | None = None,
    initial_weights: ArrayLike | None = None,
    callback: Callback | None = None,
) -> Model:
    """Fit, and stop when patience ends: the stop reason is then ``no_improvement``.

    Parameters
    ----------
    take : called with the model as soon as there is one, also when the user interrupts
    patience : looks at the share of right answers among the rows ``held_out`` where there are any,
        else at the mean hinge loss of the training rows, negative; both of the last weights.
    held_out : truth values (n_rows,); these rows are not learnt from
    start : a fitted model of the same classes and columns, whose weights are gone on from
    initial_weights : weights to begin at instead, as :func:`initial_weights.read_weights` takes
        them
    """
    # The callback is the user's code, which runs between the epochs.
    mapped, own_map = map_rows(choices.map, X)
    layout = layout_of(mapped)
    labels = read_labels(layout.n_rows, y)
    examples = check_labels(choices, labels, sample_weight)
    weights = examples.weights
    if held_out is not None:
        # Held out means weight 0: the rows stay where they are, and are never presented.
        weights = np.where(held_out, 0.0, np.ones(layout.n_rows) if weights is None else weights)
    training = Training(choices, examples.book, layout.n_columns)
    rows, scale = fit.read_rows(training, layout, examples, guarded=True)
    begin_at(training, initial_weights)
    training = training if start is None else _continued(training, start.state)
    training.check_rows(rows)
    outcome = FitOutcome()
    model = Model(choices, training.book, outcome, training, scale=scale, map=own_map)

    def look(record: EpochRecord) -> None:
        if callback is not None:
            callback(record)
        if patience is not None:
            found = _figure(training, rows, examples, held_out)
            if patience.exhausted(found):
                raise _EnoughError

    plan = fit.make_plan(choices, look)
    round_ = new_examples(rows, examples.targets, weights, choices.tol)
    learnt = examples._replace(weights=weights)
    learn_whole(model, _Watched(training, rows, learnt, plan, round_, weights), take)
    return model


class _Watched(fit.RowsInMemory):
    """Rows in memory that are learnt for as long as there is patience; the rest in silence."""

    def learn(self, model: Model) -> None:
        """Learn in one run, until somebody has seen enough."""
        try:
            self.training.fit(self.round_, self.plan, model.outcome)
        except _EnoughError:
            model.outcome.stop_reason = "no_improvement"

    def facts(self) -> Facts | None:
        """None: where patience ended, no theorem applies."""
        return None


def _figure(training: Training, rows: Rows, examples: Encoded, held_out: Array | None) -> float:
    """Return how good the last weights are: an average hides for long that nothing improves."""
    choices = training.choices
    last = training.live_answer("last", choices.averaging)
    if held_out is None:
        return -_mean_hinge_loss(last, rows, examples.targets, choices.multiclass)
    return _accuracy(last, rows, examples, held_out)


def _continued(new: Training, old: Training) -> Training:
    """Return the new training state with what the old one has learnt, which keeps it."""
    # What would silently give the weights of one class to another.
    for name, mine, its in (
        ("classes", list(new.book.numbers), list(old.book.numbers)),
        ("columns", new.state.n_columns, old.state.n_columns),
        ("averages", new.state.averaged, old.state.averaged),
    ):
        if mine != its:
            raise InputError(
                who="warm_start",
                got=Given(f"the {name} {mine!r}"),
                wanted=f"{its!r}, as in the fit before",
                fix="set warm_start=False to begin anew",
            )
    with old.reading:  # another thread may be teaching it
        training = Training.restored(new.choices, new.book, old.mistakes, old.numbers())
    # What watches a run must not take these weights for zeros.
    training.start = training.state.array("w")
    return training


def _accuracy(answer: Answer, rows: Rows, examples: Encoded, held_out: Array) -> float:
    """The share of correct answers among the rows that are held out."""
    n_right = 0
    for block, scores in score_blocks(answer, rows):
        right = ~examples.book.find_errors(scores, 0.0, examples.targets[block])
        n_right += int(np.count_nonzero(right[held_out[block]]))
    return n_right / int(np.count_nonzero(held_out))


def _mean_hinge_loss(answer: Answer, rows: Rows, targets: Array, multiclass: str) -> float:
    """``max(0, 1 - margin)``: of coupled classes against the best rival, else over the neurons."""
    losses = (
        _hinge_losses(scores, targets[block], multiclass)
        for block, scores in score_blocks(answer, rows)
    )
    # Exact summation: the moment at which patience ends must not depend on the order of rows.
    return math.fsum(chain.from_iterable(losses)) / rows.n_rows


def _hinge_losses(scores: Array, targets: Array, multiclass: str) -> list[float]:
    n, outputs = scores.shape
    if targets.ndim == 2:
        margins = np.where(targets == 1, scores, -scores)
    elif outputs == 1:
        margins = np.where(targets == 1, scores[:, 0], -scores[:, 0])
    elif multiclass == "ovr":
        margins = np.where(np.arange(outputs) == targets[:, None], scores, -scores)
    else:
        right = scores[np.arange(n), targets]
        rivals = scores.copy()
        rivals[np.arange(n), targets] = -np.inf
        margins = right - rivals.max(1)
    losses: list[float] = np.maximum(0, 1 - margins).ravel().tolist()
    return losses
