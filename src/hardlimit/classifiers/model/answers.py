"""What answers: weights, votes, a kernel's supports, or the state that a stream is moving.

All are asked in one way: ``answer.scores(rows)``. The answer of a fit is frozen; after a
``partial_fit`` the current state answers, on the columns of the row at hand, so that neither
learning nor asking costs O(columns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, Self

import numpy as np

from hardlimit import _native, readouts
from hardlimit.classifiers.model.packed_weights import PackedWeights
from hardlimit.engine import LiveState, Points, Products, Reading, restore_votes, rows_of
from hardlimit.engine.packed import pack, unpack
from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.memory import require_dense
from hardlimit.theory import margins

if TYPE_CHECKING:
    from hardlimit.kernels import Kernel

Array = np.ndarray[Any, Any]


# Bytes of scores at a time, where labels or counts are made of them.
SCORE_BYTES = 1 << 24
# Bytes of kernel values at a time.
BLOCK_BYTES = 1 << 26
# Rows that are always scored together.
LEAST_BLOCK = 16
# Rows of which so few are multiplied one by one.
FEW = 8


class Answer(Protocol):
    """Scores of rows, by whatever a fit has learnt."""

    @property
    def n_outputs(self) -> int:
        """Scores a row: 1 for two classes."""

    @property
    def n_columns(self) -> int:
        """Columns of the rows, without the bias."""

    def scores(self, rows: Any) -> Array:
        """Scores (n_rows, n_outputs) of rows of the engine, or of points where a kernel answers."""

    def weights(self) -> Array | None:
        """Weights (n_columns + 1, n_outputs), the bias's last; None where no vector answers."""

    def frozen(self, single_precision: bool = False) -> Weights | PackedWeights:
        """The weights as they are now, which no stream moves; not of votes and kernels."""

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that make a vote too slow; 0 where it is no vote."""


def row_blocks(answer: Answer, n_rows: int) -> list[slice]:
    """Return the rows in blocks whose scores take bounded memory; a single one if they are few.

    >>> weights = Weights(np.zeros((3, 1 << 16)))
    >>> [(block.start, block.stop) for block in row_blocks(weights, 40)]
    [(0, 32), (32, 40)]
    """
    # A whole number of an answer's own blocks, so that it sees the same rows together.
    step: int = getattr(answer, "block_length", LEAST_BLOCK)
    length = max(step, SCORE_BYTES // (8 * answer.n_outputs) // step * step)
    return [slice(at, min(at + length, n_rows)) for at in range(0, n_rows, length)]


def score_blocks(answer: Answer, rows: Any) -> Iterator[tuple[slice, Array]]:
    """Yield blocks of rows and their scores (n, n_outputs): never those of all rows at once."""
    blocks = row_blocks(answer, rows.n_rows)
    if isinstance(answer, Votes):  # of all rows, as if they were asked at once
        answer.check_cost(rows.n_rows)
    for block in blocks:
        part = rows if len(blocks) == 1 else rows.part(block.start, block.stop)
        yield block, answer.scores(part)


class Weights:
    """A vector of weights for each output, as an array (n_columns + 1, n_outputs)."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array = array

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return int(self.array.shape[1])

    @property
    def n_columns(self) -> int:
        """Columns of the rows."""
        return len(self.array) - 1

    def scores(self, rows: _native.Rows) -> Array:
        """Scores (n_rows, n_outputs)."""
        scores: Array = rows.scores(self.array)
        return scores

    def weights(self) -> Array:
        """Return the array."""
        return self.array

    def frozen(self, single_precision: bool = False) -> Weights:
        """Return the weights as they are, which no stream moves: themselves."""
        return self

    def weights_of(self, columns: list[int]) -> Array:
        """Return the weights (len(columns), n_outputs) of these columns alone, in double."""
        return self.array[columns].astype(np.float64)

    @property
    def bias(self) -> Array:
        """The weights of the bias, by output."""
        bias: Array = self.array[-1]
        return bias

    @property
    def used_columns(self) -> Array:
        """Columns that have weights, ascending."""
        return np.flatnonzero((self.array[:-1] != 0).any(axis=1))

    def lengths(self, scheme: str) -> Array:
        """Return ``||w||`` of each part."""
        return margins.weight_lengths(self.array, scheme)

    def absolute_sums(self, scheme: str) -> Array:
        """Return ``sum |w_j|`` of each part."""
        return margins.absolute_sums(self.array, scheme)

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0

    # Most weights of texts are 0, and a pickle need not hold them.
    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked_weights, (pack(self.array),)


def _unpacked_weights(array: Any) -> Weights:
    return Weights(unpack(array))


class Votes:
    """Every hypothesis of a fit votes, as often as it lived: its corrections, and their examples.

    Cost of the scores of n rows: O(n x (non-zeros of the corrected examples + corrections)).
    """

    def __init__(self, native: _native.Votes) -> None:
        self._native = native

    @classmethod
    def restored(cls, arrays: dict[str, Any]) -> Self:
        """Make votes of what :meth:`arrays` gave; checked, since it may come from a file."""
        return cls(restore_votes(arrays))

    def arrays(self) -> dict[str, Any]:
        """Return everything as arrays."""
        arrays: dict[str, Any] = self._native.arrays()
        return arrays

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return int(self._native.n_outputs)

    @property
    def n_columns(self) -> int:
        """Columns of the examples."""
        return int(self._native.n_columns)

    def weights(self) -> None:
        """Return None: a vote is the sign of no single vector."""

    def frozen(self, single_precision: bool = False) -> NoReturn:
        """Refuse: a vote is the sign of no single vector."""
        raise TypeError("votes have no weights")

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that the scores of so many rows take, about."""
        return int(self._native.cost(n_rows))

    def check_cost(self, n_rows: int) -> None:
        """Refuse votes on more rows than their budget allows."""
        cost = self.cost(n_rows)
        # Refused before it begins: nobody waits for hours without being told.
        if cost > readouts.VOTING_BUDGET:
            raise InputError(
                f"the votes of {plural(self._native.n_corrections, 'correction')} on "
                f"{plural(n_rows, 'row')} take "
                f"about {cost:.1e} multiply-adds, more than the limit of "
                f"{readouts.VOTING_BUDGET:.1e}",
                who="voted",
                fix="use with_readout('averaged'), fewer rows at a time, or raise "
                "hardlimit.readouts.VOTING_BUDGET",
                topic="votes-too-slow",
            )

    def scores(self, rows: _native.Rows) -> Array:
        """Shares of the votes (n_rows, n_outputs), of coupled classes in 0 .. 1, else in -1 .. 1.

        A neuron that votes by itself has (for - against) / presentations.
        """
        self.check_cost(rows.n_rows)
        scores: Array = self._native.scores(rows)
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        return Votes.restored, (self.arrays(),)


class LearningState(Protocol):
    """What a live answer asks of a training state."""

    @property
    def state(self) -> LiveState:
        """The compiled state."""

    @property
    def reading(self) -> Reading:
        """What is held while it is looked at, so that no step comes in between."""

    def mixture(self, readout: str, averaging: str) -> readouts.Mixture:
        """How the read-out mixes the two kept vectors, now."""


class LiveWeights:
    """The current weights of a training state, mixed anew each time that they are asked."""

    __slots__ = ("averaging", "readout", "training")

    def __init__(self, training: LearningState, readout: str, averaging: str) -> None:
        self.training, self.readout, self.averaging = training, readout, averaging

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return self.training.state.n_outputs

    @property
    def n_columns(self) -> int:
        """Columns of the rows so far."""
        return self.training.state.n_columns

    def scores(self, rows: _native.Rows) -> Array:
        """Scores (n_rows, n_outputs), computed on the columns of these rows."""
        # Mixed on the columns of these rows alone: a wide average costs nothing to ask.
        training = self.training
        with training.reading:
            mixture = training.mixture(self.readout, self.averaging)
            scores: Array = training.state.scores(rows, *mixture)
        return scores

    def weights(self) -> Array:
        """Return all weights as they are now: O(columns)."""
        training = self.training
        require_dense(self.n_columns, self.n_outputs)
        with training.reading:
            mixture = training.mixture(self.readout, self.averaging)
            weights: Any = training.state.weights(*mixture)
        return np.asarray(weights)

    def frozen(self, single_precision: bool = False) -> Weights | PackedWeights:
        """Return the weights as they are now, which no stream moves."""
        training = self.training
        with training.reading:
            state, mixture = training.state, training.mixture(self.readout, self.averaging)
            if state.lies_in_cells:
                return PackedWeights.of_state(state, mixture, single_precision)
            weights: Any = state.weights(*mixture, single_precision)
            return Weights(weights)

    def lengths(self, scheme: str) -> Array:
        """Return ``||w||`` of each part."""
        return self.frozen().lengths(scheme)

    def absolute_sums(self, scheme: str) -> Array:
        """Return ``sum |w_j|`` of each part."""
        return self.frozen().absolute_sums(scheme)

    def weights_of(self, columns: list[int]) -> Array:
        """Return the weights (len(columns), n_outputs) of these columns alone."""
        training = self.training
        with training.reading:
            mixture = training.mixture(self.readout, self.averaging)
            weights: Array = training.state.weights_of(columns, *mixture)
        return weights

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0


class KernelAnswer:
    """Scores are those of a linear model over the columns ``K(support, x)``.

    coefficients : (n_supports + 1, n_outputs), the last row 0; or votes over so many columns.
    numbers : the supports' rows in the examples of the fit; empty after a stream.
    """

    def __init__(
        self, kernel: Kernel, bias: float, supports: Points, numbers: Array, coefficients: Any
    ) -> None:
        self.kernel, self.bias = kernel, bias
        self.supports, self.numbers, self.coefficients = supports, numbers, coefficients

    @property
    def votes(self) -> Votes | None:
        """The votes, where all hypotheses answer."""
        return self.coefficients if isinstance(self.coefficients, Votes) else None

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        counts = self.coefficients
        return int(counts.n_outputs if isinstance(counts, Votes) else counts.shape[1])

    @property
    def n_columns(self) -> int:
        """Columns of the rows."""
        return self.supports.n_columns

    def weights(self) -> None:
        """Return None: the weights live in the space of the kernel."""

    def frozen(self, single_precision: bool = False) -> NoReturn:
        """Refuse: the weights live in the space of the kernel."""
        raise TypeError("the weights live in the space of the kernel")

    @property
    def dual_coef(self) -> Array:
        """What each support counts, (n_supports, n_outputs)."""
        if self.votes is not None:
            raise InputError(
                "a vote has no single vector of coefficients",
                fix="ask with_readout('averaged') or with_readout('last') for one",
            )
        coefficients: Array = self.coefficients[:-1]
        return coefficients

    def values_of(self, points: Points) -> Array:
        """Return the kernel's values of one row with each support, bias included."""
        if self.kernel.given:
            values: Array = points.dense(np.arange(1))[0, self.numbers] + self.bias
            return values
        products = Products(self.kernel, self.bias, points, self.supports)
        first: Array = products.native.block(np.arange(1), np.arange(self.supports.n_rows))[0]
        return first

    def gram(self) -> Array:
        """Return all ``<w_c, w_r>`` of the outputs, in the space of the kernel."""
        coefficients = self.dual_coef
        if self.kernel.given:
            raise InputError(
                "with kernel='precomputed' the products of the supports with each other are not "
                "kept, so that ||w|| is not known",
                fix="use a kernel that computes",
            )
        return margins.kernel_products(coefficients, self.scores(self.supports))

    def lengths(self, scheme: str) -> Array:
        """Return ``||w||`` of each part, from the scores of the supports."""
        return margins.kernel_lengths(self.dual_coef, self.scores(self.supports), scheme)

    def lengths_of(self, scores: Array, scheme: str) -> Array:
        """Return ``||w||`` of each part, from scores of the supports that are at hand."""
        return margins.kernel_lengths(self.dual_coef, scores, scheme)

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that votes on so many rows take, about."""
        return 0 if self.votes is None else self.votes.cost(n_rows)

    def check_cost(self, n_rows: int) -> None:
        """Refuse votes on more rows than their budget allows."""
        if self.votes is not None:
            self.votes.check_cost(n_rows)

    def scores(self, points: Points) -> Array:
        """Scores (n_rows, n_outputs), in blocks of rows."""
        return self._score(points, FEW)

    def repeatable_scores(self, points: Points) -> Array:
        """Scores without products of matrices: the same bits on every machine, but slower."""
        return self._score(points, points.n_rows + 1)

    def _score(self, points: Points, few: int) -> Array:
        """Scores in blocks; blocks of fewer rows than ``few`` are multiplied row by row."""
        scores = np.empty((points.n_rows, self.n_outputs))
        if self.kernel.given:  # the columns of all examples: those of the supports are taken
            for rows in self._blocks(points.n_rows):
                scores[rows] = self._of_values(points.dense(rows)[:, self.numbers] + self.bias)
            return scores
        products = Products(self.kernel, self.bias, points, self.supports)
        everyone = np.arange(self.supports.n_rows)
        # A product of matrices pays only for several rows.
        for rows in self._blocks(points.n_rows):
            if len(rows) < few:
                scores[rows] = self._of_values(products.native.block(rows, everyone))
                continue
            scores[rows] = self._of_values(products.block_of_growing(rows, everyone))
            # Matrix products round otherwise than the engine; a decision must not depend on that.
            doubtful = rows[self._in_doubt(scores[rows], products, rows)]
            if len(doubtful):
                scores[doubtful] = self._of_values(products.native.block(doubtful, everyone))
        return scores

    def _blocks(self, n_rows: int) -> Iterator[Array]:
        """Numbers of rows whose values fit into a block."""
        length = self.block_length
        for begin in range(0, n_rows, length):
            yield np.arange(begin, min(begin + length, n_rows))

    @property
    def block_length(self) -> int:
        """Rows whose values are computed together."""
        return max(16, BLOCK_BYTES // (8 * self.supports.n_rows + 8) // 16 * 16)

    def _of_values(self, values: Array) -> Array:
        columns = rows_of(values, 0.0)
        scores: Array = (
            columns.scores(self.coefficients) if self.votes is None else self.votes.scores(columns)
        )
        return scores

    def _in_doubt(self, scores: Array, products: Products, rows: Array) -> Array:
        """Rows whose class the rounding of the matrix product might decide: ties, above all."""
        if self.votes is not None:
            return np.zeros(len(rows), bool)
        deviation, _ = products.bounds(rows)
        # Accumulated and not summed: numpy's pairwise sums differ from machine to machine.
        moved = np.add.accumulate(np.abs(self.coefficients), axis=0)[-1]
        errors = 2 * np.multiply.outer(deviation, moved)
        if scores.shape[1] == 1:
            doubtful: Array = np.abs(scores[:, 0]) <= errors[:, 0]
            return doubtful
        # More than one class that could be the best within the rounding is a tie.
        best = (scores - errors).max(1)
        doubtful = np.add.accumulate(scores + errors >= best[:, None], axis=1)[:, -1] > 1
        return doubtful

    def without_zeros(self) -> KernelAnswer:
        """The same answer without supports that count nothing."""
        if self.votes is not None:
            return self
        counts = (self.coefficients[:-1] != 0).any(axis=1)
        if counts.all():
            return self
        coefficients = np.concatenate([self.coefficients[:-1][counts], self.coefficients[-1:]])
        used = np.flatnonzero(counts)
        # After a stream the supports have no numbers in the examples of a fit.
        numbers = self.numbers[used] if len(self.numbers) else self.numbers
        return KernelAnswer(self.kernel, self.bias, self.supports.take(used), numbers, coefficients)
