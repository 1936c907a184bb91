"""The margin of weights on a set of examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardlimit.engine import is_sparse
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.labels import sort_labels
from hardlimit.foundation.types import Array, ArrayLike, Labels


def margin(X: ArrayLike, y: Labels, w: Any, *, bias_feature: float | None = None) -> float:
    """Return ``min_i y_i <w, x_i>``; w separates the classes if it is above 0.

    ::

        margin(S, w) = min y <w, x>

    The margin of the set itself is the largest over all w of length 1: ``bounds_.gamma`` brackets
    it, and ``certify`` proves it.

    Parameters
    ----------
    X, y
        Rows, and labels of two classes, the second in sorted order being +1.
    w
        Weights, a number for each column, with a ``bias_feature`` the bias's last; or a fitted
        classifier of two classes, with its intercept.
    bias_feature
        The constant value of a last column; None: there is none.

    Examples
    --------
    >>> X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    >>> margin(X, y, [1, 1, -1], bias_feature=-1), margin(X, y, [1, 1])
    (1.0, 0.0)
    """
    targets = _read_targets(y)
    if hasattr(w, "decision_function"):
        scores = np.asarray(w.decision_function(X), np.float64)
        classes = list(w.classes_)
        if scores.ndim != 1:
            raise InputError(
                who="distances.margin",
                got=Given(f"a classifier of {plural(len(classes), 'class', 'classes')}"),
                wanted="one of two",
            )
    else:
        scores = _scores(X, w, bias_feature)
    if len(scores) != len(targets):
        raise InputError(
            parameter="y",
            got=Given(plural(len(targets), "label")),
            wanted=f"{len(scores)}, one a row",
        )
    # + 0.0, so that a row on the plane has the margin 0 and not -0
    return float((targets * scores).min()) + 0.0


def _read_targets(y: Labels) -> Array:
    labels = np.asarray(y).tolist()
    classes = sort_labels(set(labels))
    # Targets are taken as they are, also where one of the two does not occur.
    if set(classes) <= {-1, 1}:
        classes = [-1, 1]
    if len(classes) != 2:
        raise InputError(
            who="distances.margin", parameter="y", got=classes, wanted="labels of two classes"
        )
    return np.array([1.0 if label == classes[1] else -1.0 for label in labels])


def _scores(X: ArrayLike, w: object, bias_feature: float | None) -> Array:
    rows: Any = X if is_sparse(X) else np.asarray(X, np.float64)
    try:
        weights = np.asarray(w, np.float64)
    except (TypeError, ValueError) as error:
        raise KindError(parameter="w", got=w, wanted="a number for each column") from error
    width = rows.shape[1] + (bias_feature is not None)
    if weights.shape != (width,):
        raise InputError(parameter="w", got=Given(f"shape {weights.shape}"), wanted=f"({width},)")
    if bias_feature is None:
        scores: Array = rows @ weights
        return scores
    with_bias: Array = np.asarray(rows @ weights[:-1]) + weights[-1] * bias_feature
    return with_bias
