"""A model from weights that a user gives: nothing is learnt, and everything can be learnt on."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.initial_weights import begin_at
from hardlimit.classifiers.model.labels import LabelBook, as_list
from hardlimit.classifiers.model.model import Model, freeze
from hardlimit.classifiers.model.storable_labels import check_storable
from hardlimit.classifiers.model.training import Training
from hardlimit.exceptions import Given, InputError, KindError, Setting
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.tables import check_column_names
from hardlimit.foundation.types import FloatArray
from hardlimit.learner import Outcome

NAME = "weights"
REASON = "given"  # why no fit ended: there was none


class Columns(NamedTuple):
    """Weights (n_outputs, n_columns), and the names of the columns where those were given."""

    weights: FloatArray
    names: tuple[str, ...] | None


def read_columns(weights: Any) -> Columns:
    """Return weights of columns: a mapping of names to numbers, a list, or a row a class.

    >>> read_columns({"x1": 1, "x2": -2})
    Columns(weights=array([[ 1., -2.]]), names=('x1', 'x2'))
    """
    names = None
    if isinstance(weights, Mapping):
        names = tuple(weights)
        if not all(isinstance(name, str) for name in names):
            raise KindError(parameter=NAME, got=weights, wanted="names of columns, and numbers")
        names = check_column_names(names)
        weights = list(weights.values())
    try:
        rows: Any = np.atleast_2d(np.asarray(weights, np.float64))
    except (TypeError, ValueError) as error:
        raise KindError(parameter=NAME, got=weights, wanted="an array of numbers") from error
    if rows.ndim != 2 or not rows.size:
        raise InputError(
            parameter=NAME, got=Given(f"shape {rows.shape}"), wanted="a number for each column"
        )
    return Columns(rows, names)


def make_book(classes: Iterable[Hashable], n_outputs: int) -> LabelBook:
    """Return the classes of so many rows of weights: two of a single row, the second above it."""
    named = as_list(classes)
    wanted = 2 if n_outputs == 1 else n_outputs
    if len(named) != wanted or len(set(named)) != wanted or n_outputs == 2:
        rows = plural(n_outputs, "row of weights", "rows of weights")
        fix = "two classes share one row: their difference" if n_outputs == 2 else ""
        raise InputError(
            parameter="classes",
            got=Given(f"{plural(len(named), 'class', 'classes')} and {rows}"),
            wanted="two different classes and one row, or a row for each class",
            fix=fix,
        )
    book = LabelBook(named)
    check_storable(book.numbers)
    book.check_kinds(named)
    return book


def make_model(
    choices: Choices,
    book: LabelBook,
    weights: FloatArray,
    threshold: Any,
    kind: type[Model] = Model,
    **more: Any,
) -> Model:
    """Return a model of weights (n_outputs, n_columns) that answers at once.

    threshold : what a score must exceed, one for all classes or one for each. It becomes the
        bias's weight, ``-threshold / bias``, so that learning moves it like the others.
    """
    training = Training(choices, book, weights.shape[1])
    begin_at(training, _with_bias(choices, weights, threshold))
    model = kind(choices, training.book, Outcome(REASON), training, **more)
    model.frozen = freeze(training, choices)
    return model


def _with_bias(choices: Choices, weights: FloatArray, threshold: Any) -> FloatArray:
    thresholds = np.array([as_float(one) for one in np.ravel(np.asarray(threshold, object))])
    if not all(map(math.isfinite, thresholds)) or len(thresholds) not in (1, len(weights)):
        raise InputError(
            parameter="threshold",
            got=threshold,
            wanted="a finite number" + (", or one for each class" if len(weights) > 1 else ""),
        )
    if not choices.bias:
        if thresholds.any():
            raise InputError(
                "the threshold is the weight of the bias, which is left out",
                parameter="threshold",
                got=threshold,
                fix=("use ", Setting("fit_intercept", True)),
            )
        return weights
    # 0 and not -0, as a fit would have it.
    bias = np.broadcast_to(0.0 - thresholds / choices.bias, len(weights))
    whole: FloatArray = np.column_stack([weights, bias])
    return whole
