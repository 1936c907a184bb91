"""``coef_init`` and ``intercept_init`` of ``fit``, with the shapes that scikit-learn's have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hardlimit import maps
from hardlimit.classifiers.model.many_labels import is_many
from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.types import Array, Labels


def initial_weights(estimator: Any, X: Any, y: Labels, given: tuple[Any, Any]) -> Array | None:
    """Return the weights at the start as a classifier takes them; None where none are given.

    Raises
    ------
    InputError, KindError
        Other shapes, numbers that are not finite, an intercept without a bias.
    """
    if all(one is None for one in given):
        return None
    bias = float(estimator.bias_feature) if estimator.fit_intercept else 0.0
    own_map = getattr(estimator, "map", None)
    n_columns = X.shape[1] if own_map is None else maps.resolve(own_map).for_rows(X).n_columns_
    n_outputs = _count_outputs(y)
    coef = _read("coef_init", given[0], (n_outputs, n_columns))
    if not bias:
        if given[1] is not None and np.any(given[1]):
            raise InputError(
                "there is no bias whose weight it could be",
                parameter="intercept_init",
                got=given[1],
                fix=("use ", Setting("fit_intercept", True)),
            )
        return coef
    intercept = _read("intercept_init", given[1], (n_outputs,))
    return np.column_stack([coef, intercept / bias])


def _count_outputs(y: Any) -> int:
    if is_many(y):
        # Of a matrix its columns; else sets of labels.
        return int(y.shape[1]) if hasattr(y, "shape") and y.ndim == 2 else len(set().union(*y))
    n_classes = len(np.unique(np.asarray(y)))
    return 1 if n_classes == 2 else n_classes


def _read(name: str, given: object, shape: tuple[int, ...]) -> Array:
    if given is None:
        return np.zeros(shape)
    try:
        found: Array = np.asarray(given, np.float64)
    except (ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        raise KindError(parameter=name, got=given, wanted="an array of numbers") from error
    # As scikit-learn: any shape of as many numbers, and one intercept stands for all.
    if found.ndim > 2 or found.size not in (math.prod(shape), 1 if len(shape) == 1 else -1):
        raise InputError(parameter=name, got=Given(f"shape {found.shape}"), wanted=f"shape {shape}")
    if not np.isfinite(found).all():
        raise InputError(parameter=name, got=Given("nan or infinity"), wanted="finite numbers")
    return np.broadcast_to(found.ravel(), shape) if found.size == 1 else found.reshape(shape)
