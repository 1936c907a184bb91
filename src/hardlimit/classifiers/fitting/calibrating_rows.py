"""The slope of a fit over rows of numbers, in whatever form they come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import calibrating
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import of_labels
from hardlimit.foundation.types import Array, ArrayLike, SampleWeight


def calibrate_rows(
    kind: Callable[..., Any],
    rows_of: Callable[[Model, ArrayLike], Any],
    model: Model,
    X: ArrayLike,
    labels: Any,
    weights: SampleWeight,
    start: ArrayLike | None,
) -> None:
    """Calibrate a model by fits on parts of its rows.

    kind : makes the classifier of a part.      rows_of : gives X as a model sees it.
    start : the initial weights.
    """
    readout = model.choices.readout
    answering = {"readout": readout, "keep": (readout,), "probability": False}

    def learn_and_score(_: Array, rows: Array) -> tuple[Array, Array]:
        # Rows of weight 0 are absent, in whatever form X comes.
        part = np.ones(len(labels)) if weights is None else np.array(weights, np.float64)
        part[rows] = 0
        other = kind(**(dict(model.choices.given) | answering))
        made = other.fit(X, labels, part, initial_weights=start).fitted
        wanted = np.zeros(len(labels), bool)
        wanted[rows] = True
        blocks = made.score_blocks(rows_of(made, X))
        scores = np.concatenate([scores[wanted[block]] for block, scores in blocks])
        codes = of_labels(labels).codes(labels, made.classes, rows)
        return made.classes.centre(scores, made.threshold), codes

    model.calibrate(calibrating.slope_out_of_sample(learn_and_score, labels, weights))
