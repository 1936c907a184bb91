"""The slope of an estimator's probabilities, from scores that were made out of sample.

What a slope is, and how it is fitted: :mod:`hardlimit.evaluation.calibration`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting.calibrating import slope_of, slope_out_of_sample
from hardlimit.classifiers.kernel import KernelClassifier
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.targets import of_labels, read_labels
from hardlimit.evaluation.calibration import FOLDS, Slope, fit_slope
from hardlimit.foundation.types import Array, ArrayLike, Labels, SampleWeight

Classifier = LinearClassifier | KernelClassifier

__all__ = ["FOLDS", "Slope", "calibrate", "centred_scores", "cross_calibrate", "fit_slope"]


def centred_scores(model: Classifier, X: ArrayLike) -> Array:
    """Return the scores of a classifier, with the border between two classes at 0."""
    scores: Array = model.decision_function(X)
    return scores - model.threshold_ if scores.ndim == 1 else scores


def calibrate(
    model: Classifier, X: ArrayLike, y: Labels, sample_weight: SampleWeight = None
) -> Slope:
    """Return the slope for a validation set, which the model must not have learnt from."""
    return slope_of(model.fitted, model.calibration_scores(X), y, sample_weight)


def cross_calibrate(
    make: Callable[[], Classifier],
    X: Array,
    y: Labels,
    sample_weight: SampleWeight = None,
    *,
    initial_weights: Array | None = None,
    folds: int = FOLDS,
    pairwise: bool = False,
) -> Slope:
    """Return the slope for scores that were each made by a model that had not seen the row.

    ``make()`` gives a classifier that was not fitted. The examples of each class are dealt to the
    folds in turn, so that nothing is left to chance; the only one of its class is always learnt.
    ``initial_weights``: where each fit begins. ``pairwise``: X holds a kernel's values, a column an
    example.

    Cost: a fit for each fold.

    Raises
    ------
    InputError
        When every class has one example only.
    """
    labels = read_labels(X.shape[0], y)
    targets = of_labels(labels)
    weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)

    def learn_and_score(rest: Array, rows: Array) -> tuple[Array, Array]:
        # A Gram matrix has a column a training row: rows held out leave as columns too.
        known = (slice(None), rest) if pairwise else slice(None)
        part = None if weights is None else weights[rest]
        learnt: Any = targets.take(labels, rest)
        model = make().fit(X[rest][known], learnt, part, initial_weights=initial_weights)
        codes = targets.codes(labels, model.fitted.classes, rows)
        return model.calibration_scores(X[rows][known]), codes

    return slope_out_of_sample(learn_and_score, labels, weights, folds=folds)
