"""Weights at the start that a user gives: checked, and put into a blank training state."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.compatibility import check_started
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import ArrayLike, FloatArray

NAME = "initial_weights"


def begin_at(training: Training, given: ArrayLike | None) -> None:
    """Let a blank training state begin at the weights that were given; None leaves its own start.

    Raises
    ------
    InputError, KindError
        Another shape, numbers that are not finite; choices that have no meaning for them.
    """
    if given is None:
        return
    choices = training.choices
    check_started(training.combination(readout=choices.readout), choices.kept)
    check_units(choices)
    state = training.state
    weights = read_weights(given, state.n_columns, state.n_outputs, choices.bias)
    state.set_array("w", weights)
    # The mean `post` is of w_1 .. w_n: what it leaves out of w_0 + ... + w_n stands here.
    if state.averaged and choices.averaging == "post":
        state.set_array("u", weights)
    squares = state.squared_lengths()
    state.restore_counts(0, [0] * len(squares), [(one, one, 0) for one in squares])
    training.start = weights


def check_units(choices: Choices) -> None:
    """Refuse weights at the start beside a scale, which changes what they multiply."""
    if choices.scale is not None:
        raise InputError(
            "the learner sees the rows in other units than the weights are in",
            parameter=NAME,
            got=Given(f"weights beside scale={choices.given.get('scale')!r}"),
            fix="scale the rows before the fit, or leave one of the two out",
        )


def start_again(training: Training, given: ArrayLike) -> None:
    """Note in the state of a run that goes on at which weights the run began."""
    # By its own rows: classes may have come since.
    n_outputs = len(np.atleast_2d(np.asarray(given, np.float64)))
    state = training.state
    training.start = read_weights(given, state.n_columns, n_outputs, training.choices.bias)


def read_weights(given: ArrayLike, n_columns: int, n_outputs: int, bias: float) -> FloatArray:
    """Return weights as the state holds them, (n_columns + 1, n_outputs), the bias's last.

    given : (n_columns + 1,) or (n_outputs, n_columns + 1), the bias's weight last; without a bias
        (n_columns,) or (n_outputs, n_columns).

    >>> read_weights([1, 2, -3], n_columns=2, n_outputs=1, bias=1.0).tolist()
    [[1.0], [2.0], [-3.0]]
    >>> read_weights([[1], [2], [3]], n_columns=1, n_outputs=3, bias=0.0).tolist()
    [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    """
    try:
        weights: Any = np.asarray(given, np.float64)
    except (ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        raise KindError(parameter=NAME, got=given, wanted="an array of numbers") from error
    width = n_columns + (bias != 0)
    rows = np.atleast_2d(weights)
    if weights.ndim > 2 or rows.shape != (n_outputs, width):
        last = ", the bias's last" if bias else ", without a bias"
        raise InputError(
            parameter=NAME,
            got=Given(_counted(*rows.shape) if rows.ndim == 2 else f"shape {rows.shape}"),
            wanted=f"{_counted(n_outputs, width)}, one a column{last}",
        )
    if not np.isfinite(rows).all():
        raise InputError(parameter=NAME, got=Given("nan or infinity"), wanted="finite numbers")
    found = np.zeros((n_columns + 1, n_outputs))
    found[:width] = rows.T
    return found


def _counted(n_rows: int, width: int) -> str:
    weights = plural(width, "weight")
    return weights if n_rows == 1 else f"{plural(n_rows, 'row')} of {weights}"
