"""Batches of rows of numbers in, blocks of sparse rows out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from hardlimit.classifiers.features import Pass
from hardlimit.classifiers.features.numbers import ColumnCount, ColumnsSeen, NumberFeatures
from hardlimit.classifiers.fitting.streamed.opening import Asked, Looking
from hardlimit.classifiers.model.model import Model
from hardlimit.engine import (
    canonical_arrays,
    dense_values,
    explain_refusals,
    is_sparse,
)
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.tables import check_feature_names, feature_names
from hardlimit.streaming.blocks import Block, cut

# Rows whose classes are looked at before anything is learnt, and the most cells that they have.
HEAD_ROWS = 10_000
HEAD_CELLS = 1 << 23


class NumbersOfStream:
    """Rows of numbers, dense or sparse: blocks of sparse ones, a batch each."""

    kind: type[Model] = Model

    def __init__(self, asked: Asked) -> None:
        self._asked, self._features = asked, NumberFeatures(asked.choices)
        self._names: Any = None
        self.n_columns = 0

    @property
    def head_rows(self) -> int:
        """How many rows are looked at before anything is learnt."""
        return HEAD_ROWS

    def items(self) -> Iterator[Block]:
        """Yield the rows of each batch as sparse ones; examples of weight 0 are left out."""
        width = 0
        for number, batch in enumerate(self._asked.batches()):
            if number:
                check_feature_names(self._names, batch.examples)
            else:
                self._names = feature_names(batch.examples)
            rows = _as_csr(batch.examples)
            width = _check_width(batch.examples, rows.n_columns, width, number)
            if rows.shape[0]:
                kept, labels, weights = self._asked.read_present(rows.shape[0], batch, "X")
                yield Block(rows if kept is None else rows.take(kept), labels, weights)

    def measure(self, item: Block) -> int:
        """Return the cells of some rows."""
        return len(item.examples.data)

    def is_enough(self, n_rows: int, size: int, last: Block) -> bool:
        """Whether the first rows are enough to look at."""
        return n_rows >= HEAD_ROWS or size >= HEAD_CELLS

    @property
    def why_counted(self) -> str:
        """Why all rows are looked at before the first is learnt."""
        if not (self._features.counts or self._asked.choices.balanced):
            return ""
        what = "columns are measured" if self._features.counts else "the classes are counted"
        return f"{what} before any row is learnt"

    def looks(self, head: list[Block]) -> Iterator[tuple[Looking, str]]:
        """Look at all rows: to count the columns that are mapped, and to measure the columns."""
        features = self._features
        self.n_columns = max(block.examples.n_columns for block in head)
        if features.is_mapped and any(block.examples.grows for block in head):
            seen = ColumnCount()
            yield seen, "columns are counted before any row is mapped"
            self.n_columns = seen.n_columns
        self.n_columns = features.fit_map(self.n_columns, self._names)
        if self.why_counted:
            yield self, self.why_counted
            self.n_columns = features.n_columns

    @property
    def passes(self) -> list[Pass]:
        """What the looks at the columns are for."""
        return self._features.passes

    def look(self, number: int, examples: Csr, before: ColumnsSeen | None = None) -> ColumnsSeen:
        """Measure some rows in the columns that are learnt."""
        return self._features.look(number, self._features.mapped(examples), before)

    def settle(self, number: int, found: list[ColumnsSeen]) -> None:
        """Measure the scale."""
        self._features.settle(number, found)

    def restore(self, model: Model) -> bool:
        """Go on with what an earlier run has fitted."""
        self._features.restore(model)
        self.n_columns = model.n_columns
        return False

    @property
    def of_model(self) -> dict[str, Any]:
        """What the model holds besides its weights."""
        return {**self._features.of_model, "feature_names": self._names}

    @property
    def finds_terms(self) -> bool:
        """Numbers have no terms."""
        return False

    def blocks(self, items: Iterator[Block], learn: bool) -> Iterator[Block]:
        """Yield blocks of the rows that are learnt, with the digest of all so far."""
        digest, mapped = self._asked.digest, self._features.mapped
        learnt = (replace(block, rows=mapped(block.examples)) for block in items)
        for block in cut(learnt, self._asked.size):
            if digest is not None:
                rows = block.examples
                digest.add_rows((rows.indptr, rows.indices, rows.data), block.labels, block.weights)
            yield replace(block, mark=self._asked.mark)


def _check_width(X: Any, found: int, width: int, number: int) -> int:
    """Return the columns of all rows so far; of a matrix those of the first batch."""
    if number == 0 or getattr(X, "grows", False):
        return max(found, width)
    if found != width:
        raise InputError(
            parameter=f"batches[{number}]",
            got=Given(f"{found} columns"),
            wanted=f"{width}, as in the first batch",
        )
    return width


def _as_csr(X: Any) -> Csr:
    """Return a dense or sparse matrix as sparse rows; which of the two changes no bit."""
    with explain_refusals("X"):
        if is_sparse(X):
            indptr, indices, data = canonical_arrays(X)
            starts, grows = indptr.astype(np.int64), getattr(X, "grows", False)
            return Csr(starts, indices, data.astype(np.float64), X.shape[1], grows)
        values = dense_values(X)
    places, columns = np.nonzero(values)
    indptr = np.zeros(len(values) + 1, np.int64)
    np.add.accumulate(np.bincount(places, minlength=len(values)), out=indptr[1:])
    data = values[places, columns].astype(np.float64)
    return Csr(indptr, columns.astype(np.int32), data, values.shape[1])
