"""Distances from scores and the lengths of weights."""

from __future__ import annotations

import math

import numpy as np

from hardlimit.exceptions import InputError
from hardlimit.foundation.types import Array

# Distances, margins where labels are known, and the offset of a hyperplane.
Measured = tuple[Array, Array | None, float | None]


def measure_two_classes(
    scores: Array, targets: Array | None, coef: Array, intercept: float, threshold: float
) -> Measured:
    """Measure two classes: the hyperplane where the score is the threshold."""
    length = math.sqrt(float(np.dot(coef, coef)))
    distances, margins = _measure_hyperplane(scores - threshold, targets, length)
    return distances, margins, (threshold - intercept) / length


def measure_kernel(scores: Array, targets: Array | None, gram: Array, threshold: float) -> Measured:
    """Measure in the space of a kernel; ``gram`` holds all ``<w_c, w_r>`` of the outputs."""
    if scores.ndim == 2:
        return measure_many_classes(scores, targets, gram)
    length = math.sqrt(max(0.0, float(gram[0, 0])))
    distances, margins = _measure_hyperplane(scores - threshold, targets, length)
    return distances, margins, None


def _measure_hyperplane(
    scores: Array, targets: Array | None, length: float
) -> tuple[Array, Array | None]:
    if length == 0:
        raise InputError(
            "the weights are zero, so that there is no hyperplane",
            who="distances.of",
            fix="another read-out may have one: with_readout('averaged')",
        )
    distances: Array = scores / length
    return distances, None if targets is None else np.where(targets > 0, distances, -distances)


def measure_many_classes(scores: Array, targets: Array | None, gram: Array) -> Measured:
    """Measure many classes from the nearest boundary of the predicted class, or of the right one.

    By hand: weights (1, 0) and (0, 1) and (0, 0), a row (3, 1): scores 3, 1, 0; the boundary with
    the second class is (3 - 1) / sqrt(2) away, that with the third 3 / 1.

    >>> measure_many_classes(np.array([[3.0, 1.0, 0.0]]), np.array([1]), np.diag([1.0, 1.0, 0.0]))
    (array([1.41421356]), array([-1.41421356]), None)
    """
    # ||w_c - w_r||^2 from inner products; rounding may leave it slightly below 0.
    lengths = np.sqrt(np.maximum(0.0, np.add.outer(np.diag(gram), np.diag(gram)) - 2 * gram))
    predicted = scores.argmax(1)
    values = _least(scores, predicted, lengths)
    return values, None if targets is None else _least(scores, targets, lengths), None


def _least(scores: Array, classes: Array, lengths: Array) -> Array:
    """``min_r (s_c - s_r) / ||w_c - w_r||`` over other classes r; equal weights are no rival."""
    rows = np.arange(len(scores))
    ahead = scores[rows, classes][:, None] - scores
    apart = lengths[classes]
    # Classes of equal weights have equal scores everywhere and no boundary between them.
    distances = np.full(scores.shape, np.inf)
    np.divide(ahead, apart, out=distances, where=apart > 0)
    distances[rows, classes] = np.inf
    least: Array = distances.min(axis=1)
    return least
