"""Margins of rows by a fitted model: distances, where it has weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.classifiers import KernelClassifier, LinearClassifier, TextClassifier
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.foundation.types import ArrayLike, Labels
from hardlimit.pictures import _labels
from hardlimit.pictures._labels import rows_and_labels_error
from hardlimit.theory import distances

Array = np.ndarray[Any, Any]


def measure_margins(who: str, model: Any, X: ArrayLike, y: Labels) -> tuple[Array, str]:
    """Return the margin of each row, > 0 where it is correct, and what kind of margin it is.

    "geometric" is a distance, as :mod:`hardlimit.distances` measures it; "functional" are the
    scores of the right side less those of the other, of models without weights (votes, strangers)
    or whose weights are zero. O(scores).
    """
    if _has_boundary(model):
        return np.asarray(distances.of(model, X, y).margins), "geometric"
    labels, classes = _labels.to_list(y), _labels.to_list(model.classes_)
    # a stranger's model, or votes: only scores are known, so margins are functional
    numbers = {label: k for k, label in enumerate(classes)}
    unknown = [label for label in labels if label not in numbers]
    if unknown:
        raise InputError(f"the model does not know the label {unknown[0]!r}", who=who)
    target = np.fromiter(map(numbers.__getitem__, labels), int, len(labels))
    scores = np.asarray(model.decision_function(X), dtype=float)
    if len(scores) != len(target):
        raise rows_and_labels_error(who, len(scores), len(target))
    if scores.ndim == 1:
        ahead = scores - float(getattr(model, "threshold_", 0.0))
        return np.where(target == 1, ahead, -ahead), "functional"
    return _subtract_rivals(scores, target), "functional"


def _has_boundary(model: object) -> bool:
    """Return whether it is one of ours, predicting by weights that are not zero."""
    # distances knows the scale that a model of ours learnt in; of a stranger's it knows nothing
    model = getattr(model, "model_", model)  # of an estimator
    if not isinstance(model, LinearClassifier | KernelClassifier | TextClassifier):
        return False
    try:
        return hasattr(model, "dual_coef_") or bool(np.any(model.coef_))
    except HardlimitError:  # a vote has no single weight vector
        return False


def _subtract_rivals(scores: Array, target: Array) -> Array:
    rows = np.arange(len(scores))
    rivals = scores.copy()
    # the right class is no rival of itself
    rivals[rows, target] = -np.inf
    leads: Array = scores[rows, target] - rivals.max(axis=1)
    return leads
