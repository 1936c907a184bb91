"""The dual form: which scores are computed ahead, and when they are computed anew.

A block of rows is scored at once, by matrix products with the supports; within the block a
correction moves the scores of the rows behind it by a row of their Gram matrix. Where the examples
have few rows the Gram matrix of all of them is kept, and the scores of all rows with it: then a
presentation costs O(outputs), a correction O(rows). Both make the corrections of the sequential
run, which computes one row at a time: see ``native/dual/dual.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hardlimit import _native
from hardlimit.engine.products import Products
from hardlimit.exceptions import KindError
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array, FloatArray, IntArray

# Rows of a block: the products inside it are half wasted, those with the supports are not.
BLOCK = 512
# Rows below which nothing is computed ahead.
FEW = 8
# Bytes for the Gram matrix of all examples.
GRAM_BYTES = 1 << 28


class DualState(_native.Dual):
    """The training state of a kernel classifier, driven as the primal one is.

    ``ahead`` may be ``"block"``, ``"all"`` or ``"nothing"``: whose scores are computed ahead.
    """

    ahead: str = "nothing"
    exact_margins: bool = True
    inverts: str = ""  # the budget that keeps the inverse of the supports' Gram matrix
    products: Products

    def examples(
        self,
        products: Products,
        n_supports: int,
        ahead: str,
        combined: Callable[[Array, Array], Array] | None,
    ) -> None:
        """Take these examples from now on; the first of them are the supports so far.

        ``combined`` multiplies values with coefficients, with whatever rounding; it is asked only
        where scores are computed ahead.
        """
        self.products, self.ahead, self.combined = products, ahead, combined
        self._whole: Array | None = None
        self.attach(products.native, n_supports)

    def release(self) -> None:
        """Let go of the examples."""
        self.__dict__.pop("products", None)  # none where memory ended before them
        self._whole = None
        self.detach()

    def present(self, examples: _native.Examples, begin: int, work_limit: int) -> int:
        """Present a block of the epoch; the position reached."""
        end = min(examples.length, begin + BLOCK)
        if self.inverts:
            self._require_inverses(end - begin)
        self._look_ahead(lambda: np.array(examples.rows_at(begin, end), np.int64))
        return self.present_span(examples, begin, end, self.exact_margins)

    def verify(self, examples: _native.Examples) -> list[tuple[int, int]]:
        """Mistakes and rows short of what is required, for each neuron, at fixed weights."""
        counts = [(0, 0)] * len(self.corrections)
        for begin in range(0, examples.n_present, BLOCK):
            block = self._verify_block(examples, begin)
            counts = [(a + c, b + d) for (a, b), (c, d) in zip(counts, block, strict=True)]
        return counts

    def _verify_block(self, examples: _native.Examples, begin: int) -> list[tuple[int, int]]:
        end = min(examples.n_present, begin + BLOCK)
        self._look_ahead(lambda: np.array(examples.present_at(begin, end), np.int64))
        return self.verify_span(examples, begin, end)

    def _require_inverses(self, n_coming: int) -> None:
        """Estimate the inverses as they are if all that come become supports of all outputs."""
        each = [len(self.supports) + n_coming] * self.n_outputs
        if 8 * sum(n * n for n in each) > 1 << 28:  # else the look below would cost more
            held = np.count_nonzero(self.coefficients(), axis=0)
            each = [int(n) + n_coming for n in held]
        memory.require(
            8 * sum(n * n for n in each),
            f"{self.inverts}: the inverse of the kernel's values of {plural(max(each), 'support')}",
            "use a larger eta, which holds fewer supports, or budgets.RemoveOldest(size)",
        )

    def _look_ahead(self, rows: Callable[[], IntArray]) -> None:
        if self.ahead == "all":
            if self.stale:
                self._all_ahead()
        elif self.ahead == "block":
            self._block_ahead(rows())

    def _all_ahead(self) -> None:
        everyone = np.arange(self.products.rows.n_rows)
        if self._whole is None:
            self._whole = self.products.matrix
        if self._whole is None:
            self._whole = self.products.block(everyone, everyone)
        supports = np.array(self.supports, np.int64)
        coefficients = self.coefficients()
        scores = self._combine(self._whole[:, supports], coefficients)
        self._take(scores, self._whole, everyone, coefficients, True)

    def _block_ahead(self, rows: IntArray) -> None:
        if len(rows) < FEW:
            self.drop_scores_ahead()
            return
        supports = np.array(self.supports, np.int64)
        coefficients = self.coefficients()
        values = self.products.block_of_growing(rows, supports)
        scores = self._combine(values, coefficients)
        self._take(scores, self.products.block(rows, rows), rows, coefficients, False)

    def _combine(self, values: Array, coefficients: FloatArray) -> Array:
        if self.combined is None:
            raise ValueError("scores ahead need a product of values with coefficients")
        return self.combined(values, coefficients)

    def _take(
        self,
        scores: Array,
        values: Array,
        rows: IntArray,
        coefficients: FloatArray,
        by_row: bool,
    ) -> None:
        deviation, magnitude = self.products.bounds(rows)
        moved = np.add.accumulate(np.abs(coefficients), axis=0)[-1:].reshape(-1)
        moved = moved if len(moved) else np.zeros(self.n_outputs)
        self.set_scores_ahead(
            np.ascontiguousarray(scores),
            np.ascontiguousarray(values),
            deviation,
            magnitude,
            moved.tolist(),
            by_row,
        )


LiveState = _native.Online | DualState


def new_holding(
    name: str, parameters: dict[str, float], seed: int, negligible: float
) -> _native.Holding:
    """The compiled budget of that name."""
    holding = _native.compiled_budget(name, parameters, seed, negligible)
    if holding is None:
        raise KindError("there is no compiled twin of that name", parameter="budget", got=name)
    return holding
