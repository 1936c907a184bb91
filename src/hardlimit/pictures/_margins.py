"""Margins of rows by a fitted model, in the units of the rows where it has a plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.pictures import _labels

Array = np.ndarray[Any, Any]


def margins(who: str, model: Any, X: Any, y: Any) -> tuple[Array, str]:
    """The margin of each row, > 0 where it is right, and what kind of margin that is.

    ::

        two classes:   y (w.x + c - threshold) / ||w||
        many:          (score of the right class - that of its best rival) / ||w_right - w_rival||

    "geometric" is a distance; "functional" are the scores as they are, of models without weights
    (kernels, votes). O(scores).
    """
    labels, classes = _labels.plain(y), _labels.plain(model.classes_)
    numbers = {label: k for k, label in enumerate(classes)}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise InputError(f"{who}: the model does not know the label {unknown[0]!r}")
    target = np.fromiter(map(numbers.__getitem__, labels), int, len(labels))
    scores = np.asarray(model.decision_function(X), dtype=float)
    if len(scores) != len(target):
        raise InputError(f"{who}: got {len(scores)} rows and {len(target)} labels")
    weights = _weights(model)
    if scores.ndim == 1:
        sign = np.where(target == 1, 1.0, -1.0)
        found = sign * (scores - float(getattr(model, "threshold_", 0.0)))
        norms = None if weights is None else np.linalg.norm(weights[-1])
    else:
        found, rival = _against_rivals(scores, target)
        norms = None if weights is None else _apart(weights)[target, rival]
    if norms is None or np.any(norms == 0):
        return found, "functional"
    return found / norms, "geometric"


def _weights(model: Any) -> Array | None:
    try:
        found = model.coef_
    except (AttributeError, HardlimitError):
        return None
    return np.asarray(found, dtype=float)


def _against_rivals(scores: Array, target: Array) -> tuple[Array, Array]:
    rows = np.arange(len(scores))
    rivals = scores.copy()
    rivals[rows, target] = -np.inf
    best = rivals.argmax(axis=1)
    return scores[rows, target] - rivals[rows, best], best


def _apart(weights: Array) -> Array:
    """``||w_a - w_b||`` of all pairs, 1 on the diagonal, which nobody asks for."""
    n = len(weights)
    found = np.ones((n, n))
    for a in range(n):
        for b in range(a):
            found[a, b] = found[b, a] = np.linalg.norm(weights[a] - weights[b])
    return found
