"""Why a row of numbers got its class: what each column, or each support, added to the score."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hardlimit.classifiers.model.explanation import (
    Explanation,
    TermContribution,
    chosen_and_rival,
    explain,
    find_label,
    refuse_against,
    refuse_label,
)
from hardlimit.classifiers.model.model import Model
from hardlimit.engine import rows_of, sqnorms
from hardlimit.examples.dense import read_numbers
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from hardlimit.foundation.types import ArrayLike


Entries = tuple[Array, Array]  # columns and values of a row that are not 0


def one_row(x: Any) -> Any:
    """Return a row, given as (n_columns,) or (1, n_columns), as a matrix of one row.

    >>> one_row([1.0, 2.0])
    [[1.0, 2.0]]
    """
    shape = getattr(x, "shape", None) or np.shape(x)
    if len(shape) == 1:
        return [x] if isinstance(x, list | tuple) else np.asarray(x)[None]
    if len(shape) != 2 or shape[0] != 1:
        got = Given(f"shape {tuple(map(int, shape))}")
        raise InputError(who="explain", parameter="x", got=got, wanted="one row")
    return x


def explain_row(
    model: Model,
    scores_of: Callable[[Model, Any], Array],
    x: object,
    top: int | None,
    against: Hashable | None,
    label: Hashable | None = None,
) -> Explanation:
    """Explain the answer of a linear model to one row; ``scores_of`` gives its scores."""
    row = _read_row(model, scores_of, x)
    if model.classes.many:
        refuse_against(against)
        return _explain_neuron(model, row, find_label(row.labels, label), top)
    refuse_label(label)
    pair = chosen_and_rival(row.scores, row.labels, model.threshold, against)
    return explain_columns(row.labels, pair, row.weights, row.entries, row.name, top)


def explain_labels(
    model: Model, scores_of: Callable[[Model, Any], Array], x: ArrayLike, top: int | None
) -> dict[Hashable, Explanation]:
    """Explain the answer of each neuron of a model of several labels to one row."""
    book: Any = model.classes
    if not book.many:
        got = Given("a model of one label an example")
        raise InputError(who="explain_labels", got=got, fix="use explain(x)")
    row = _read_row(model, scores_of, x)
    return {label: _explain_neuron(model, row, k, top) for k, label in enumerate(row.labels)}


class _Row(NamedTuple):
    """A row as the weights of a model are about it, and what the model says of it."""

    scores: list[float]
    labels: list[Hashable]
    weights: tuple[Array, Array]
    entries: Entries
    name: Callable[[int], str]


def _explain_neuron(model: Model, row: _Row, k: int, top: int | None) -> Explanation:
    """Explain the answer of one neuron, which alone decides on its label."""
    book: Any = model.classes
    chosen = int(row.scores[k] > model.threshold)
    own = row.weights[0][k : k + 1], row.weights[1][k : k + 1]
    pair = chosen, 1 - chosen
    return explain_columns(book.answers_of(k), pair, own, row.entries, row.name, top)


def _read_row(model: Model, scores_of: Callable[[Model, Any], Array], x: Any) -> _Row:
    X = one_row(x)
    with model.reading:
        scores = scores_of(model, X)[0].tolist()
        weights = model.weights_as_given()
        labels = list(model.classes.numbers)
    names = model.feature_names
    if model.map is not None:  # whose columns have the weights
        X = model.map.transform(X)
        names = tuple(model.map.formulas(names))
    columns, values = read_numbers(X).entries(0)
    if str(model.choices.given.get("scale")) == "rows":  # weights are of rows of unit length
        values = values / (math.sqrt(sqnorms(rows_of(X, 0.0), 0.0)[0]) or 1.0)
    return _Row(
        scores,
        labels,
        (weights.coef, weights.intercept),
        (columns, values),
        lambda column: names[column] if names else f"column {column}",
    )


def explain_columns(
    labels: Sequence[Hashable],
    pair: tuple[int, int],
    weights: tuple[Array, Array],
    entries: Entries,
    name: Callable[[int], str],
    top: int | None = None,
) -> Explanation:
    """Explain the class ``pair[0]`` against the class ``pair[1]`` by the columns of one row.

    weights : coefficients (n_outputs, n_columns) and intercepts, in the units of the row
    """
    towards = _towards(weights[0], pair)
    intercept = float(_towards(weights[1], pair))
    terms = [
        TermContribution(name(int(c)), float(v), float(v) * float(towards[c]))
        for c, v in zip(*entries, strict=True)
    ]
    return explain((labels[pair[0]], labels[pair[1]]), terms, intercept, top, "column")


def explain_supports(
    labels: Sequence[Hashable],
    pair: tuple[int, int],
    coefficients: Array,
    values: Array,
    name: Callable[[int], str],
    top: int | None = None,
) -> Explanation:
    """Explain by the supports: ``beta_i K(x_i, x)`` each; coefficients (n_supports, n_outputs)."""
    towards = _towards(coefficients.T, pair)
    terms = [
        TermContribution(name(i), float(values[i]), float(towards[i] * values[i]))
        for i in np.flatnonzero(towards).tolist()
    ]
    return explain((labels[pair[0]], labels[pair[1]]), terms, 0.0, top, "support")


def _towards(outputs: Array, pair: tuple[int, int]) -> Any:
    """What is added for the first class of the pair against the second."""
    # Two classes share one vector: towards the second, and turned round for the first.
    if len(outputs) == 1:
        return outputs[0] if pair[0] == 1 else -outputs[0]
    return outputs[pair[0]] - outputs[pair[1]]
