"""What a scaling is, and what becomes of it in a fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hardlimit import _native
from hardlimit.foundation.register import Choice

Numbers = np.ndarray[Any, Any]
IntArray = np.ndarray[Any, np.dtype[np.int64]]
# Goes through all rows: their number, and the sums of their columns less a center.
Look = Callable[["Numbers | None"], tuple[int, Any]]


class UnscaledWeights(NamedTuple):
    """Weights (n_outputs, n_columns) and intercepts (n_outputs,) in the units of the rows given."""

    coef: Numbers
    intercept: Numbers


class Scale:
    """A scaling that was fitted: part of a model."""

    def rows(self, rows: _native.Rows) -> _native.Rows:
        """The rows as the learner sees them."""
        raise NotImplementedError

    def sparse_row(self, columns: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
        """One row as the learner sees it: its columns, ascending, and their values other than 0."""
        raise NotImplementedError

    def weights(self, learnt: UnscaledWeights) -> UnscaledWeights:
        """What the learner's weights are in the user's units."""
        return learnt

    def arrays(self) -> dict[str, Numbers]:
        """What a model file keeps."""
        return {}


class Scaling(Choice):
    """Base of the scalings: frozen dataclasses with ``fitted`` and ``restored``."""

    measures: ClassVar[bool] = True  # whether examples must be known before the first is scaled

    def fitted(self, rows: _native.Rows, present: IntArray | None = None) -> Scale:
        """Measure rows; ``present`` (int64) names those that count, None all of them."""
        raise NotImplementedError

    def measured(self, look: Look) -> Scale:
        """Measure rows that are not all at hand.

        look : goes through all rows, and gives their number and the ``ColumnSums`` of their values
            less a center, if one is given.

        Raises
        ------
        NotImplementedError
            A scaling that wants all rows at once.
        """
        raise NotImplementedError

    def restored(self, arrays: dict[str, Numbers], n_columns: int) -> Scale:
        """The scale that gave these arrays."""
        raise NotImplementedError
