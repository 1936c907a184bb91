"""The slope of a fit over texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import calibrating
from hardlimit.classifiers.targets import Labels, of_labels
from hardlimit.foundation.types import Array, SampleWeight


def calibrate_texts(
    kind: Callable[..., Any],
    model: Any,
    texts: Sequence[Any],
    names: Labels,
    weights: SampleWeight,
    start: Any,
) -> None:
    """Calibrate a model by fits on parts of its texts.

    kind : makes the classifier of a part.      start : the initial weights.
    """
    # The features of all texts, where those of a part could be others.
    vectorizer = model.vectorizer
    features = (
        vectorizer.chosen_features
        if hasattr(type(vectorizer), "chosen_features")  # of several columns
        else {"words": vectorizer.words, "chars": vectorizer.chars}
    )
    readout, targets = model.choices.readout, of_labels(names)
    answering = {"readout": readout, "keep": (readout,), "probability": False}
    known = None if weights is None else np.asarray(weights)

    def learn_and_score(rest: Array, rows: Array) -> tuple[Array, Array]:
        other = kind(**(dict(model.choices.given) | features | answering))
        part = None if known is None else known[rest]
        learnt = targets.take(names, rest)
        made = other.fit(take(texts, rest), learnt, part, initial_weights=start).fitted
        scores = made.scores_of_texts(take(texts, rows))
        codes = targets.codes(names, made.classes, rows)
        return made.classes.centre(scores, made.threshold), codes

    model.calibrate(calibrating.slope_out_of_sample(learn_and_score, names, known, keys=texts))


def take(texts: Sequence[Any], rows: Array) -> Any:
    """Return some of the texts, or of the rows of a table."""
    chosen = getattr(texts, "take", None)
    return [texts[i] for i in rows] if chosen is None else chosen(rows.tolist())
