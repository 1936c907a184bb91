"""What answers: weights, votes, a kernel's supports, or the state that a stream is moving.

All are asked in one way: ``answer.scores(rows)``. The answer of a fit is frozen; after a
``partial_fit`` the current state answers, on the columns of the row at hand, so that neither
learning nor asking costs O(columns).
"""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np

from hardlimit import _native, readouts
from hardlimit.classifiers.model.packing import packed, unpacked
from hardlimit.engine import restore_votes
from hardlimit.exceptions import InputError

Array = np.ndarray[Any, Any]


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

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that make a vote too slow; 0 where it is no vote."""


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

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked_weights, (packed(self.array),)


def _unpacked_weights(array: Any) -> Weights:
    return Weights(unpacked(array))


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

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that the scores of so many rows take, about."""
        return int(self._native.cost(n_rows))

    def scores(self, rows: _native.Rows) -> Array:
        """Shares of the votes (n_rows, n_outputs), of coupled classes in 0 .. 1, else in -1 .. 1.

        A neuron that votes by itself has (for - against) / presentations.
        """
        n = rows.n_rows
        cost = self.cost(n)
        if cost > readouts.VOTING_BUDGET:
            raise InputError(
                f"the votes of {self._native.n_corrections:,} corrections on {n:,} rows take about "
                f"{cost:.1e} multiply-adds, more than the limit of {readouts.VOTING_BUDGET:.1e}",
                who="voted",
                fix="use with_readout('averaged'), fewer rows at a time, or raise "
                "hardlimit.readouts.VOTING_BUDGET",
                topic="votes-too-slow",
            )
        scores: Array = self._native.scores(rows)
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        return Votes.restored, (self.arrays(),)


class LearningState(Protocol):
    """What a live answer asks of a training state."""

    @property
    def state(self) -> _native.Online:
        """The compiled state."""

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
        training = self.training
        scores: Array = training.state.scores(rows, *training.mixture(self.readout, self.averaging))
        return scores

    def weights(self) -> Array:
        """Return all weights as they are now: O(columns)."""
        training = self.training
        mixture = training.mixture(self.readout, self.averaging)
        weights: Any = training.state.weights(*mixture)
        return np.asarray(weights)

    def weights_of(self, columns: list[int]) -> Array:
        """Return the weights (len(columns), n_outputs) of these columns alone."""
        training = self.training
        mixture = training.mixture(self.readout, self.averaging)
        weights: Array = training.state.weights_of(columns, *mixture)
        return weights

    def cost(self, n_rows: int) -> int:
        """Return 0: this is no vote."""
        return 0
