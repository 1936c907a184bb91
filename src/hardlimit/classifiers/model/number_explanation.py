"""Why a row of numbers got its class: what each column, or each support, added to the score."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from hardlimit.classifiers.model.decisions import Opposed
from hardlimit.classifiers.model.explanation import Explanation, TermContribution, explain
from hardlimit.engine import rows_of, sqnorms
from hardlimit.examples.dense import read_numbers
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from hardlimit.classifiers.model.choices import Choices
    from hardlimit.classifiers.model.labels import LabelBook
    from hardlimit.foundation.tables import Names
    from hardlimit.maps import FeatureMap
    from hardlimit.scaling import UnscaledWeights


class RowModel(Protocol):
    """What an explanation asks of a model of numbers."""

    choices: Choices
    classes: LabelBook
    threshold: float
    feature_names: Names | None
    map: FeatureMap | None

    @property
    def reading(self) -> AbstractContextManager[object]:
        """What is held while several things of one moment are asked."""

    def scores_of(self, X: object) -> Array:
        """Scores (n_rows, n_outputs)."""

    def weights_as_given(self) -> UnscaledWeights:
        """Weights and intercepts in the units of the rows that the user gives."""


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
    model: RowModel,
    x: object,
    top: int | None,
    against: Hashable | None,
    label: Hashable | None = None,
) -> Explanation:
    """Explain the answer of a linear model to one row."""
    return _read_row(model, x).explain(model, top, against, label)


def explain_row_labels(model: RowModel, x: object, top: int | None) -> dict[Hashable, Explanation]:
    """Explain the answer of each neuron of a model of several labels to one row."""
    row = _read_row(model, x)
    return {label: row.explain(model, top, None, label) for label in row.labels}


class _Row(NamedTuple):
    """A row as the weights of a model are about it, and what the model says of it."""

    scores: list[float]
    labels: list[Hashable]
    weights: tuple[Array, Array]
    entries: Entries
    name: Callable[[int], str]

    def explain(
        self, model: RowModel, top: int | None, against: Hashable | None, label: Hashable | None
    ) -> Explanation:
        opposed = model.classes.oppose(self.labels, self.scores, model.threshold, against, label)
        return explain_columns(opposed, self.weights, self.entries, self.name, top)


def _read_row(model: RowModel, x: object) -> _Row:
    X = one_row(x)
    with model.reading:
        scores = model.scores_of(X)[0].tolist()
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
    opposed: Opposed,
    weights: tuple[Array, Array],
    entries: Entries,
    name: Callable[[int], str],
    top: int | None = None,
) -> Explanation:
    """Explain an answer against its rival by the columns of one row.

    weights : coefficients (n_outputs, n_columns) and intercepts, in the units of the row
    """
    towards = opposed.toward(weights[0][opposed.outputs])
    intercept = float(opposed.toward(weights[1][opposed.outputs]))
    terms = [
        TermContribution(name(int(c)), float(v), float(v) * float(towards[c]))
        for c, v in zip(*entries, strict=True)
    ]
    return explain(opposed.labels, terms, intercept, top, "column")


def explain_supports(
    opposed: Opposed,
    coefficients: Array,
    values: Array,
    name: Callable[[int], str],
    top: int | None = None,
) -> Explanation:
    """Explain by the supports: ``beta_i K(x_i, x)`` each; coefficients (n_supports, n_outputs)."""
    towards = opposed.toward(coefficients.T)
    terms = [
        TermContribution(name(i), float(values[i]), float(towards[i] * values[i]))
        for i in np.flatnonzero(towards).tolist()
    ]
    return explain(opposed.labels, terms, 0.0, top, "support")
