"""The examples of a fit as they are presented: mapped rows, targets, and weights as steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import _native
from hardlimit.classifiers.model.answers import Weights, score_blocks
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.initial_weights import read_weights
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import pair_examples, sqnorms
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.types import Array, ArrayLike, FloatArray

if TYPE_CHECKING:
    from hardlimit.maps import FeatureMap


def map_rows(template: FeatureMap | None, X: ArrayLike) -> tuple[Any, FeatureMap | None]:
    """Return the rows as they are learnt from, and the map that made them so.

    >>> map_rows(None, [[1, 2]])
    ([[1, 2]], None)
    """
    if template is None:
        return X, None
    own = template.for_rows(X)
    return own.transform(X), own


def new_examples(
    rows: _native.Rows, targets: Array, weights: Array | None, tol: float
) -> _native.Examples:
    """The examples of a fit; those of weight 0 are absent."""
    rows.keep_norms()
    round_ = pair_examples(rows, targets, weights, tol)
    if weights is not None and not weights.all():
        round_.set_present(np.flatnonzero(weights).astype(np.int64))
    return round_


def count_examples(training: Training, wanted: bool = True) -> None:
    """Count the corrections of each example of the fit, though neither rule nor guard asks."""
    if wanted and training.choices.order.loop == "batch":
        raise InputError(
            "a batch corrects all its violators together; textbook.trace counts them",
            parameter="count_examples",
            got=True,
            fix="use an order that presents row by row",
        )
    if wanted and training.choices.shards > 1:
        raise InputError(
            "the weights are no sum of corrected examples once shards are mixed",
            parameter="count_examples",
            got=True,
            fix="use one shard",
        )
    training.counts = wanted
    training.bound_steps(training.steps_below)  # the rule anew


def weigh_by_schedule(
    choices: Choices, rows: _native.Rows, targets: Array, weights: Array | None
) -> Array | None:
    """Return the weights of the examples times their optimal steps, where the schedule asks for it.

    A rule of this schedule adds the weight times the row, so that the weight is the step.

    Raises
    ------
    InputError
        A vector of another length, or one that does not separate a row.
    """
    schedule: Any = choices.schedule
    if not getattr(schedule, "of_example", False):
        return weights
    if choices.scale is not None:
        raise InputError(
            "the learner sees the rows in other units than the separator is in",
            parameter="schedule",
            got=schedule,
            fix="scale the rows before the fit, or leave one of the two out",
        )
    try:
        separator = read_weights(schedule.w, rows.n_columns, 1, choices.bias)
    except (InputError, KindError) as error:
        raise error.replaced(who="OptimalStep", parameter="w") from None
    margins = _margins(separator, rows, targets)
    present = np.ones(rows.n_rows, bool) if weights is None else weights > 0
    wrong = np.flatnonzero(present & ~(margins > 0))
    if len(wrong):
        raise InputError(
            f"w must separate the examples, and this one has the margin {margins[wrong[0]]:.6g}",
            who="OptimalStep",
            where=Given(f"row {wrong[0]}"),
        )
    squares = sqnorms(rows, choices.bias)
    steps: FloatArray = np.divide(margins, squares, out=np.zeros(rows.n_rows), where=present)
    return steps


def _margins(separator: FloatArray, rows: _native.Rows, targets: Array) -> FloatArray:
    scores = np.concatenate(
        [scores[:, 0] for _, scores in score_blocks(Weights(separator), rows)] or [np.zeros(0)]
    )
    signed: FloatArray = np.where(targets == 1, scores, -scores)
    return signed
