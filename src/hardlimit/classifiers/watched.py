"""A fit that is looked at after each epoch, and that may go on where another one ended.

What scikit-learn calls ``tol``, ``early_stopping`` and ``warm_start``. The epochs are those of a
plain fit: until it stops, the bits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.training import Method, Training, new_examples
from hardlimit.engine import rows_of
from hardlimit.exceptions import InputError
from hardlimit.learner import EpochRecord, Outcome

Callback = Callable[[EpochRecord], Any]


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


class _EnoughError(Exception):
    """Raised through the epochs by whoever looks at them."""


def fit_watched(
    model: LinearClassifier,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    patience: Patience | None = None,
    held_out: Any = None,
    start: LinearClassifier | None = None,
    callback: Callback | None = None,
) -> None:
    """Fit ``model``, and stop when patience ends: ``stop_reason_`` is then ``no_improvement``.

    Parameters
    ----------
    patience : looks at the share of right answers among the rows ``held_out`` where there are any,
        else at the mean hinge loss of the training rows, negative; both of the last weights.
    held_out : truth values (n_rows,); these rows are not learnt from
    start : a fitted model of the same classes and columns, whose weights are gone on from
    """
    method = model._check_parameters()
    rows = rows_of(X, model._given_bias, guarded=True)
    labels = model._labels(rows.n_rows, y)
    examples = model._examples(method, labels, sample_weight)
    weights = examples.weights
    if held_out is not None:
        weights = np.where(held_out, 0.0, np.ones(rows.n_rows) if weights is None else weights)
    rows, scale = model._measured(rows, examples.present)
    training = model._new_training(method, examples.book, rows.n_columns)
    if start is not None:
        training = _continued(training, start._state)
    training.check_rows(rows)
    outcome = Outcome()

    def look(record: EpochRecord) -> None:
        if callback is not None:
            callback(record)
        if patience is not None and patience.exhausted(figure()):
            raise _EnoughError

    def figure() -> float:
        scores = training.state.scores(rows, *training.mixture("last", model.averaging))
        if held_out is not None:
            right = ~examples.book.wrong(scores, 0.0, examples.targets)
            return float(np.count_nonzero(right[held_out]) / np.count_nonzero(held_out))
        return -_mean_hinge_loss(scores, examples.targets, model.multiclass)

    plan = model._plan(look)
    round_ = new_examples(rows, examples.targets, weights, model.tol)
    try:
        training.fit(round_, plan, outcome)
    except _EnoughError:
        outcome.stop_reason = "no_improvement"
    finally:
        if training.state.presentations:
            answer = model._frozen_answer(training, model._readout)
            model._adopt(training, outcome, answer, {"_fitted_scale": scale})
    model._count_errors(rows, examples._replace(weights=weights))


def _continued(new: Training, old: Training) -> Training:
    """The new training with what the old one has learnt."""
    for name, mine, its in (
        ("classes", list(new.book.numbers), list(old.book.numbers)),
        ("columns", new.state.n_columns, old.state.n_columns),
        ("averages", new.state.averaged, old.state.averaged),
    ):
        if mine != its:
            raise InputError(
                f"warm_start: got the {name} {mine!r}, wanted {its!r}, as in the fit before; "
                "set warm_start=False to begin anew"
            )
    method = Method(new.rule, new.schedule, new.guards)
    return Training.restored(method, new.multiclass, new.book, old.mistakes, old.numbers())


def _mean_hinge_loss(scores: Any, targets: Any, multiclass: str) -> float:
    """``max(0, 1 - margin)``: of coupled classes against the best rival, else over the neurons."""
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
    return math.fsum(losses) / int(n)
