"""The voted read-out: every hypothesis votes, as often as it lived."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from hardlimit import readouts
from hardlimit.engine import restore_votes
from hardlimit.exceptions import InputError


class Votes:
    """The corrections of a fit and the examples that made them.

    Cost of the scores of n rows: O(n x (non-zeros of the corrected examples + corrections)).
    """

    def __init__(self, native: Any) -> None:
        self._native = native

    @classmethod
    def restored(cls, arrays: dict[str, Any]) -> Self:
        """From what :meth:`arrays` gave; checked, since it may come from a file."""
        return cls(restore_votes(arrays))

    def arrays(self) -> dict[str, Any]:
        """Everything as arrays."""
        found: dict[str, Any] = self._native.arrays()
        return found

    @property
    def n_outputs(self) -> int:
        """Scores a row."""
        return int(self._native.n_outputs)

    @property
    def n_columns(self) -> int:
        """Columns of the examples."""
        return int(self._native.n_columns)

    def cost(self, n_rows: int) -> int:
        """Multiply-adds that the scores of so many rows take, about."""
        return int(self._native.cost(n_rows))

    def scores(self, rows: Any) -> np.ndarray[Any, Any]:
        """Shares of the votes (n_rows, n_outputs), of coupled classes in 0 .. 1, else in -1 .. 1.

        A neuron that votes by itself has (for - against) / presentations.
        """
        n = rows.n_rows
        cost = self.cost(n)
        if cost > readouts.VOTING_BUDGET:
            raise InputError(
                f"voted: the votes of {self._native.n_corrections:,} corrections on {n:,} rows "
                f"take about {cost:.1e} multiply-adds, more than the budget of "
                f"{readouts.VOTING_BUDGET:.1e}; use with_readout('averaged'), fewer rows at a "
                "time, or raise hardlimit.readouts.VOTING_BUDGET"
            )
        scores: np.ndarray[Any, Any] = self._native.scores(rows)
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        return Votes.restored, (self.arrays(),)
