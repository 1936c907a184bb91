"""Bases that are loaded whole; that of a model of numbers: rows in place of texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from hardlimit import classifiers, model_file
from hardlimit._native import LiveRow, Overlay
from hardlimit.classifiers.linear import LinearClassifier
from hardlimit.classifiers.model.forms import NumbersForm
from hardlimit.engine import canonical_arrays, dense_values, is_sparse
from hardlimit.examples.dense import Dense
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.live.base import Base, Grown, Kept, count_known, read_confidence


class LoadedBase:
    """A model that is loaded whole, with one vector of weights an output.

    Its columns are numbered as those of the weights.
    """

    words_in_a_row = 0
    needs_state = False

    def __init__(self, file: model_file.ModelFile) -> None:
        loaded: Any = classifiers.read(file)
        self.classifier = loaded
        model = loaded.fitted
        self.form: NumbersForm = model.form
        self.path, self.digest = file.path, file.digest
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

    grows = False
    precision = "float64"
    classifier: LinearClassifier

    def keep(self, example: object) -> Kept:
        """Return None: ledgers keep the features of rows of numbers, not the rows."""
        return None

    def row(self, overlay: Overlay, example: object, learn: bool) -> LiveRow:
        """Return one row."""
        is_matrix = is_sparse(example) or np.ndim(example) > 1  # type: ignore[arg-type]
        found = self.batch(example if is_matrix else [example])
        if len(found) != 1:
            raise InputError(
                parameter="row", got=Given(plural(len(found), "row")), wanted="one row"
            )
        return self.rows(overlay, found)[0]

    def batch(self, examples: Any) -> Dense | Csr:
        """Return several rows."""
        return _read(examples)

    def kept(self, batch: Dense | Csr) -> tuple[()]:
        """Return none of them."""
        return ()

    def rows(self, overlay: Overlay, batch: Dense | Csr) -> list[LiveRow]:
        """Return several rows."""
        model = self.classifier.fitted
        scores = np.asarray(self.classifier.decision_function(batch), np.float64)
        seen = batch if model.map is None else _read(model.map.transform(batch))
        made = []
        for place, base in enumerate(scores.reshape(len(batch), -1).tolist()):
            columns, values = seen.entries(place)
            values = np.asarray(values, np.float64)
            if model.scale is not None:
                columns, values = model.scale.sparse_row(columns, values)
            made.append(overlay.row(columns.tolist(), values.tolist(), base))
        return made

    def each(self, batch: Dense | Csr) -> Iterable[Dense | Csr]:
        """Yield each row."""
        return map(batch.example, range(len(batch)))

    def scores(self, overlay: Overlay, batch: Dense | Csr) -> tuple[bytes, list[int | None]]:
        """Return the scores of rows; their columns are not counted."""
        return score_rows(self, overlay, self.rows(overlay, batch))

    def name(self, column: int) -> str:
        """Return the name of a column."""
        names = self.classifier.fitted.feature_names
        return str(names[column]) if names is not None else f"column {column}"

    def width(self, model: Grown, n_columns: int) -> int:
        """Return as many columns as before."""
        return n_columns

    def read_again(self, kept: Kept, row: LiveRow) -> object:
        """Return the row of numbers; None where the columns or units are not those of X."""
        if self.classifier.fitted.map is not None or self.classifier.fitted.scale is not None:
            return None
        values = np.zeros(self.classifier.n_features_in_)
        values[row.keys[: row.n_columns]] = row.values[: row.n_columns]
        return values


def score_rows(
    base: Base[Any], overlay: Overlay, rows: list[LiveRow]
) -> tuple[bytes, list[int | None]]:
    """Return the scores of rows, doubles, and how many terms of each are known."""
    scores = np.array([overlay.scores(row) for row in rows], np.float64)
    return scores.tobytes(), [count_known(base, row) for row in rows]


def _read(X: Any) -> Dense | Csr:
    """Return rows of numbers, checked; of sparse ones each column once, and none that is 0."""
    if not is_sparse(X):
        return Dense(dense_values(X))
    starts, columns, values = canonical_arrays(X)[:3]
    there = values != 0
    starts = np.concatenate([[0], np.cumsum(there)])[starts]
    return Csr(starts, columns[there], values[there], X.shape[1])
