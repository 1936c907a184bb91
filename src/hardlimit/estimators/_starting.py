"""``coef_init`` and ``intercept_init`` of ``fit``, with the shapes that scikit-learn's have."""

from __future__ import annotations

import math

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.targets import targets_of
from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.types import Array, ArrayLike, Labels


def initial_weights(
    choices: Choices, X: Array, y: Labels, given: tuple[ArrayLike | None, ArrayLike | None]
) -> Array | None:
    """Return the weights at the start as a classifier takes them; None where none are given.

    Raises
    ------
    InputError, KindError
        Other shapes, numbers that are not finite, an intercept without a bias.
    """
    if all(one is None for one in given):
        return None
    bias, own_map, targets = choices.bias, choices.map, targets_of(y)
    n_columns = X.shape[1] if own_map is None else own_map.for_rows(X).n_columns_
    items = targets.read(X.shape[0], y, "X")
    n_outputs = targets.open_book(choices, items, whole=True).n_outputs
    coef = _read("coef_init", given[0], (n_outputs, n_columns))
    if not bias:
        if given[1] is not None and np.any(np.asarray(given[1])):
            raise InputError(
                "there is no bias whose weight it could be",
                parameter="intercept_init",
                got=given[1],
                fix=("use ", Setting("fit_intercept", True)),
            )
        return coef
    intercept = _read("intercept_init", given[1], (n_outputs,))
    return np.column_stack([coef, intercept / bias])


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
