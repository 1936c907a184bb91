"""Distances from scores and the lengths of weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardlimit.exceptions import InputError

Array = np.ndarray[Any, Any]
Found = tuple[Array, Array | None, float | None]


def of_two(
    scores: Array, targets: Array | None, coef: Array, intercept: float, threshold: float
) -> Found:
    """Two classes: the hyperplane where the score is the threshold."""
    length = math.sqrt(float(np.dot(coef, coef)))
    found, margins = _signed(scores - threshold, targets, length)
    return found, margins, (threshold - intercept) / length


def of_kernel(scores: Array, targets: Array | None, gram: Array, threshold: float) -> Found:
    """In the space of a kernel: ``gram`` (n_outputs, n_outputs) holds all ``<w_c, w_r>``."""
    if scores.ndim == 2:
        return of_many(scores, targets, gram)
    found, margins = _signed(scores - threshold, targets, math.sqrt(max(0.0, float(gram[0, 0]))))
    return found, margins, None


def _signed(scores: Array, targets: Array | None, length: float) -> tuple[Array, Array | None]:
    if length == 0:
        raise InputError(
            "distances.of: the weights are zero, so that there is no hyperplane; another read-out "
            "may have one: with_readout('averaged')"
        )
    found: Array = scores / length
    return found, None if targets is None else np.where(targets > 0, found, -found)


def of_many(scores: Array, targets: Array | None, gram: Array) -> Found:
    """Many classes: from the nearest boundary of the class that is predicted, or of the right one.

    By hand: weights (1, 0) and (0, 1) and (0, 0), a row (3, 1): scores 3, 1, 0; the boundary with
    the second class is (3 - 1) / sqrt(2) away, that with the third 3 / 1.

    >>> of_many(np.array([[3.0, 1.0, 0.0]]), np.array([1]), np.diag([1.0, 1.0, 0.0]))
    (array([1.41421356]), array([-1.41421356]), None)
    """
    lengths = np.sqrt(np.maximum(0.0, np.add.outer(np.diag(gram), np.diag(gram)) - 2 * gram))
    predicted = scores.argmax(1)
    values = _least(scores, predicted, lengths)
    return values, None if targets is None else _least(scores, targets, lengths), None


def _least(scores: Array, classes: Array, lengths: Array) -> Array:
    """``min_r (s_c - s_r) / ||w_c - w_r||`` over other classes r; equal weights are no rival."""
    rows = np.arange(len(scores))
    ahead = scores[rows, classes][:, None] - scores
    apart = lengths[classes]
    found = np.full(scores.shape, np.inf)
    np.divide(ahead, apart, out=found, where=apart > 0)
    found[rows, classes] = np.inf
    least: Array = found.min(axis=1)
    return least
