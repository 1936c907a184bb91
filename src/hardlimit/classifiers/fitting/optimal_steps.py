"""Steps that depend on the example alone: as the weights of the examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.classifiers.model.answers import Weights, score_blocks
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.initial_weights import read_weights
from hardlimit.engine import sqnorms
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.types import Array, FloatArray


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
