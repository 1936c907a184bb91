"""The frozen answer of a kernel classifier: supports, and what each counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hardlimit.classifiers.votes import Votes
from hardlimit.engine import Points, Products, rows_of

Array = np.ndarray[Any, Any]

# Bytes of kernel values at a time.
BLOCK_BYTES = 1 << 26
# Rows of which so few are multiplied one by one.
FEW = 8


class KernelAnswer:
    """Scores are those of a linear model over the columns ``K(support, x)``.

    weights : (n_supports + 1, n_outputs), the last row 0; or votes over so many columns.
    numbers : the supports' rows in the examples of the fit; empty after a stream.
    """

    def __init__(
        self, kernel: Any, bias: float, supports: Points, numbers: Array, weights: Any
    ) -> None:
        self.kernel, self.bias = kernel, bias
        self.supports, self.numbers, self.weights = supports, numbers, weights

    @property
    def votes(self) -> bool:
        """Whether all hypotheses answer."""
        return isinstance(self.weights, Votes)

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return int(self.weights.n_outputs if self.votes else self.weights.shape[1])

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that votes on so many rows take, about."""
        return int(self.weights.cost(n_rows)) if self.votes else 0

    def scores(self, points: Points) -> Array:
        """Scores (n_rows, n_outputs), in blocks of rows."""
        found = np.empty((points.n_rows, self.n_outputs))
        if self.kernel.given:  # the columns of all examples: those of the supports are taken
            for rows in self._blocks(points.n_rows):
                found[rows] = self._of_values(points.dense(rows)[:, self.numbers] + self.bias)
            return found
        products = Products(self.kernel, self.bias, points, self.supports)
        everyone = np.arange(self.supports.n_rows)
        for rows in self._blocks(points.n_rows):
            if len(rows) < FEW:
                found[rows] = self._of_values(products.native.block(rows, everyone))
                continue
            found[rows] = self._of_values(products.block_of_growing(rows, everyone))
            doubtful = rows[self._in_doubt(found[rows], products, rows)]
            if len(doubtful):
                found[doubtful] = self._of_values(products.native.block(doubtful, everyone))
        return found

    def _blocks(self, n_rows: int) -> Iterator[Array]:
        """Numbers of rows whose values fit into a block."""
        length = max(16, BLOCK_BYTES // (8 * self.supports.n_rows + 8) // 16 * 16)
        for begin in range(0, n_rows, length):
            yield np.arange(begin, min(begin + length, n_rows))

    def _of_values(self, values: Array) -> Array:
        columns = rows_of(values, 0.0)
        scores: Array = self.weights.scores(columns) if self.votes else columns.scores(self.weights)
        return scores

    def _in_doubt(self, scores: Array, products: Products, rows: Array) -> Array:
        """Rows whose class the rounding of the matrix product might decide: ties, above all."""
        if self.votes:
            return np.zeros(len(rows), bool)
        deviation, _ = products.bounds(rows)
        moved = np.add.accumulate(np.abs(self.weights), axis=0)[-1]
        errors = 2 * np.multiply.outer(deviation, moved)
        if scores.shape[1] == 1:
            doubtful: Array = np.abs(scores[:, 0]) <= errors[:, 0]
            return doubtful
        best = (scores - errors).max(1)
        doubtful = np.add.accumulate(scores + errors >= best[:, None], axis=1)[:, -1] > 1
        return doubtful

    def without_zeros(self) -> KernelAnswer:
        """The same answer without supports that count nothing."""
        if self.votes:
            return self
        counts = (self.weights[:-1] != 0).any(axis=1)
        if counts.all():
            return self
        weights = np.concatenate([self.weights[:-1][counts], self.weights[-1:]])
        used = np.flatnonzero(counts)
        numbers = self.numbers[used] if len(self.numbers) else self.numbers
        return KernelAnswer(self.kernel, self.bias, self.supports.take(used), numbers, weights)
