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
        for rows, values in self._blocks(points):
            columns = rows_of(values, 0.0)
            ours = self.weights.scores(columns) if self.votes else columns.scores(self.weights)
            found[rows] = ours
        return found

    def _blocks(self, points: Points) -> Iterator[tuple[Array, Array]]:
        n = self.supports.n_rows
        length = max(16, BLOCK_BYTES // (8 * n + 8) // 16 * 16)
        if self.kernel.given:  # the columns of all examples: those of the supports are taken
            for begin in range(0, points.n_rows, length):
                rows = np.arange(begin, min(begin + length, points.n_rows))
                yield rows, points.dense(rows)[:, self.numbers] + self.bias
            return
        products, everyone = Products(self.kernel, self.bias, points, self.supports), np.arange(n)
        for begin in range(0, points.n_rows, length):
            rows = np.arange(begin, min(begin + length, points.n_rows))
            yield rows, products.block_of_growing(rows, everyone)

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
