"""Margins of rows by a fitted model: distances, where it has weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.pictures import _labels
from hardlimit.theory import distances

Array = np.ndarray[Any, Any]


def margins(who: str, model: Any, X: Any, y: Any) -> tuple[Array, str]:
    """The margin of each row, > 0 where it is right, and what kind of margin that is.

    "geometric" is a distance, as :mod:`hardlimit.distances` measures it; "functional" are the
    scores of the right side less those of the other, of models without weights (votes, strangers)
    or whose weights are zero. O(scores).
    """
    if _has_boundary(getattr(model, "model_", model)):
        found = distances.of(model, X, y).margins
        return np.asarray(found), "geometric"
    labels, classes = _labels.plain(y), _labels.plain(model.classes_)
    numbers = {label: k for k, label in enumerate(classes)}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise InputError(f"{who}: the model does not know the label {unknown[0]!r}")
    target = np.fromiter(map(numbers.__getitem__, labels), int, len(labels))
    scores = np.asarray(model.decision_function(X), dtype=float)
    if len(scores) != len(target):
        raise InputError(f"{who}: got {len(scores)} rows and {len(target)} labels")
    if scores.ndim == 1:
        ahead = scores - float(getattr(model, "threshold_", 0.0))
        return np.where(target == 1, ahead, -ahead), "functional"
    return _against_rivals(scores, target), "functional"


def _has_boundary(model: Any) -> bool:
    """Whether it is one of ours, answering by weights that are not zero."""
    if not hasattr(type(model), "fitted"):
        return False
    try:
        return hasattr(model, "dual_coef_") or bool(np.any(model.coef_))
    except HardlimitError:  # a vote has no single weight vector
        return False


def _against_rivals(scores: Array, target: Array) -> Array:
    rows = np.arange(len(scores))
    rivals = scores.copy()
    rivals[rows, target] = -np.inf
    found: Array = scores[rows, target] - rivals.max(axis=1)
    return found
