"""Bases that are loaded whole; that of a model of numbers: rows in place of texts."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from hardlimit import classifiers, model_file
from hardlimit._native import LiveRow, Overlay
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.forms import NumbersForm
from hardlimit.engine import canonical_arrays, dense_values, is_sparse
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.live.base import Base, count_known, read_confidence
from hardlimit.scaling import Scale


class LoadedBase:
    """A model that is loaded whole, with one vector of weights an output.

    Its columns are numbered as those of the weights.
    """

    columns: tuple[str, ...] = ()
    words_in_a_row = 0
    needs_state = False

    def __init__(self, file: model_file.ModelFile) -> None:
        loaded: Any = classifiers.read(file)
        self.classifier = loaded
        model = loaded.fitted
        self.form: NumbersForm = model.form
        self.path, self.fingerprint = file.path, file.digest
        self.metadata: dict[str, Any] = loaded.metadata
        self.confidence = read_confidence(file)
        self.classes: list[Hashable] = list(model.classes.numbers)
        self.threshold = self.own_threshold = float(model.threshold)
        self.bias = float(model.choices.bias)
        self._weights = model.frozen_weights()
        self.intercept = (np.asarray(self._weights.bias, np.float64) * self.bias).tolist()

    def weights_of(self, column: int) -> list[float]:
        """Return the weights of a column, by output."""
        weights: list[float] = self._weights.weights_of([column])[0].tolist()
        return weights


class RowBase(LoadedBase):
    """A linear model of numbers; a row is (n_columns,) or (1, n_columns), dense or sparse.

    The columns of corrections are those of X, or of its map, in the units in which the model sees
    them.
    """

    takes_texts = grows = False
    precision = "float64"
    classifier: LinearClassifier

    def keep(self, example: object) -> Any:
        """Return a row as it is: ledgers keep the features of rows of numbers, not the rows."""
        return example

    def row(self, overlay: Overlay, example: object, learn: bool) -> LiveRow:
        """Return one row."""
        scores, (columns, values) = self._read(_as_one(example))
        return overlay.row(columns[0], values[0], scores[0])

    def rows(self, overlay: Overlay, examples: Any) -> list[LiveRow]:
        """Return several rows."""
        scores, (columns, values) = self._read(examples)
        return list(map(overlay.row, columns, values, scores))

    def batch(self, examples: object) -> Any:
        """Return several rows as they are."""
        return examples

    def scores(self, overlay: Overlay, examples: object) -> tuple[bytes, list[int | None]]:
        """Return the scores of rows; their columns are not counted."""
        return score_rows(self, overlay, self.rows(overlay, examples))

    def _read(self, X: Any) -> tuple[list[list[float]], tuple[list[list[int]], list[list[float]]]]:
        scores = np.asarray(self.classifier.decision_function(X), np.float64)
        base = scores.reshape(len(scores), -1).tolist()
        if self.classifier.fitted.map is not None:
            X = self.classifier.fitted.map.transform(X)
        return base, _sparse_lists(X, self.classifier.fitted.scale)

    def name(self, column: int) -> str:
        """Return the name of a column."""
        names = self.classifier.fitted.feature_names
        return str(names[column]) if names is not None else f"column {column}"

    def width(self, model: Any, n_columns: int) -> int:
        """Return as many columns as before."""
        return n_columns

    def read_again(self, text: object, row: LiveRow) -> Any:
        """Return the row of numbers; None where the columns or units are not those of X."""
        if self.classifier.fitted.map is not None or self.classifier.fitted.scale is not None:
            return None
        values = np.zeros(self.classifier.n_features_in_)
        values[row.keys[: row.n_columns]] = row.values[: row.n_columns]
        return values


def score_rows(base: Base, overlay: Overlay, rows: list[LiveRow]) -> tuple[bytes, list[int | None]]:
    """Return the scores of rows, doubles, and how many terms of each are known."""
    scores = np.array([overlay.scores(row) for row in rows], np.float64)
    return scores.tobytes(), [count_known(base, row) for row in rows]


def _as_one(example: Any) -> Any:
    if is_sparse(example):
        if example.shape[0] != 1:
            raise _several(example.shape[0])
        return example
    array = np.asarray(example, dtype=np.float64)
    if array.ndim == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2 or len(array) != 1:
        raise _several(len(array))
    return array


def _several(n: int) -> InputError:
    return InputError(parameter="row", got=Given(plural(n, "row")), wanted="one row")


def _sparse_lists(X: object, scale: Scale | None) -> tuple[list[list[int]], list[list[float]]]:
    """Return columns and values of each row that are not zero, in the units of the model."""
    if is_sparse(X):
        indptr, indices, values = canonical_arrays(X)[:3]
        pairs = [
            (indices[a:b][values[a:b] != 0], values[a:b][values[a:b] != 0])
            for a, b in zip(indptr[:-1], indptr[1:], strict=True)
        ]
    else:
        pairs = [(np.flatnonzero(row), row[row != 0]) for row in dense_values(X)]
    if scale is not None:
        pairs = [scale.sparse_row(one, np.asarray(row, np.float64)) for one, row in pairs]
    columns = [one.tolist() for one, _ in pairs]
    return columns, [np.asarray(one, np.float64).tolist() for _, one in pairs]
