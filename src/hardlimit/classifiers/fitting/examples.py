"""The examples of a fit: rows, targets and weights."""

from __future__ import annotations

import numpy as np

from hardlimit import _native
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import pair_examples
from hardlimit.exceptions import InputError
from hardlimit.foundation.types import Array


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
