"""Weights of many outputs that hold only the cells other than zero: what answers of large fits are.

Most terms of texts occur in few rows, and a correction of coupled classes moves two outputs: of the
weights of 20 newsgroups a fifth is other than zero, and columns that occur in the same rows hold
equal cells, which are kept once. :meth:`PackedWeights.weights` makes the whole array where it is
asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from hardlimit import _native, readouts
from hardlimit.engine import LiveState, open_packed, pack_array, pack_mixture
from hardlimit.foundation.memory import require_dense
from hardlimit.theory import margins

Array = np.ndarray[Any, Any]

# From so many outputs on, files hold packed weights where those are smaller.
MANY_OUTPUTS = 8
# So many weights or more lie packed in memory, too.
MANY_WEIGHTS = 1 << 20


class Packed(NamedTuple):
    """The arrays of packed weights: see ``native/state/packed.hpp``.

    runs : (n_columns + 1,) the run of each column, 0 for none; the bias's last.
    starts : where the cells of each run begin, and one behind the last.
    outputs, values : of each cell.
    """

    runs: Array
    starts: Array
    outputs: Array
    values: Array

    def with_runs(self, runs: Array) -> Packed:
        """Return the same runs for other columns."""
        return self._replace(runs=runs)

    def is_smaller(self, n_outputs: int) -> bool:
        """Whether these arrays take fewer bytes than a row of all outputs for each column used."""
        n_used = int(np.count_nonzero(self.runs))
        cells = self.starts.nbytes + self.outputs.nbytes + self.values.nbytes
        return cells + 4 * n_used < n_used * n_outputs * self.values.itemsize


def with_bias(columns: Packed, bias: Array) -> PackedWeights:
    """Return packed weights of these columns with a bias, which has a run of its own."""
    n_outputs = len(bias)
    places = np.flatnonzero(bias)
    if not len(places):
        runs = np.append(columns.runs, np.uint32(0))
        return PackedWeights(columns.with_runs(runs), n_outputs)
    end = int(columns.starts[-1]) + len(places)
    packed = Packed(
        np.append(columns.runs, np.uint32(len(columns.starts))),
        np.append(columns.starts, columns.starts.dtype.type(end)),
        np.concatenate([columns.outputs, places.astype(columns.outputs.dtype)]),
        np.concatenate([columns.values, bias[places].astype(columns.values.dtype)]),
    )
    return PackedWeights(packed, n_outputs)


class PackedWeights:
    """An answer by weights of which each column has its own few."""

    __slots__ = ("native", "packed")

    def __init__(self, packed: Packed, n_outputs: int) -> None:
        self.packed = packed
        self.native = open_packed(packed, n_outputs)

    @classmethod
    def of_state(cls, state: LiveState, mixture: readouts.Mixture, single: bool) -> Self:
        """Return the mixture of a state as it is now, in double or single precision."""
        return cls(Packed(*pack_mixture(state, mixture, single)), state.n_outputs)

    @classmethod
    def of_array(cls, weights: Array) -> Self:
        """Pack an array (n_columns + 1, n_outputs)."""
        return cls(Packed(*pack_array(weights)), weights.shape[1])

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return self.native.n_outputs

    @property
    def n_columns(self) -> int:
        """Columns of the rows."""
        return self.native.n_columns

    @property
    def bias(self) -> Array:
        """The weights of the bias, by output."""
        bias: Array = self.weights_of([self.n_columns])[0]
        return bias

    def without_bias(self) -> Packed:
        """Return the arrays of the columns alone."""
        packed, last = self.packed, int(self.packed.runs[-1])
        columns = packed.with_runs(packed.runs[:-1])
        # The bias comes last, and its run is the last one where no column has the same.
        if last == 0 or last < len(packed.starts) - 1 or int(columns.runs.max(initial=0)) == last:
            return columns
        begin = int(packed.starts[last - 1])
        return Packed(
            columns.runs, packed.starts[:-1], packed.outputs[:begin], packed.values[:begin]
        )

    @property
    def used_columns(self) -> Array:
        """Columns that have weights, ascending."""
        return np.flatnonzero(self.packed.runs[:-1])

    def frozen(self, single_precision: bool = False) -> Self:
        """Return the weights as they are, which no stream moves: themselves."""
        return self

    def scores(self, rows: _native.Rows) -> Array:
        """Scores (n_rows, n_outputs)."""
        scores: Array = self.native.scores(rows)
        return scores

    def weights(self) -> Array:
        """Return the whole array (n_columns + 1, n_outputs), made anew."""
        require_dense(self.n_columns, self.n_outputs, self.packed.values.itemsize)
        weights: Array = self.native.dense()
        return weights

    def weights_of(self, columns: list[int]) -> Array:
        """Return the weights (len(columns), n_outputs) of these columns alone."""
        weights: Array = self.native.rows_of(columns)
        return weights

    def largest(self, top: int) -> list[list[tuple[int, float]]]:
        """Return columns and weights of the largest positive weights of each output."""
        return self.native.largest(top)

    def lengths(self, scheme: str) -> Array:
        """Return ``||w||`` of each part."""
        return margins.lengths_of_squares(np.array(self.native.sums()[1]), scheme)

    def absolute_sums(self, scheme: str) -> Array:
        """Return ``sum |w_j|`` of each part."""
        return margins.sums_of_parts(np.array(self.native.sums()[0]), scheme)

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedWeights, (self.packed, self.n_outputs)
