"""Labels that are whole numbers: read as they lie, without an object a row."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, Self

import numpy as np

from hardlimit.foundation import dtypes
from hardlimit.foundation.types import Array


class WholeNumbers(NamedTuple):
    """The labels of an array of whole numbers or truth values, without an object a row.

    classes : those that occur, ascending.
    codes : (n,) int32, the place of each example's label among them.
    """

    classes: list[Hashable]
    codes: Array

    @classmethod
    def read(cls, labels: object, n_rows: int) -> Self | None:
        """Count the labels of such an array; None for all others, and for far-flung numbers.

        >>> WholeNumbers.read(np.array([7, 5, 7]), 3)
        WholeNumbers(classes=[5, 7], codes=array([1, 0, 1], dtype=int32))
        """
        if type(labels) is not np.ndarray or labels.shape != (n_rows,) or n_rows < 2:
            return None
        if not dtypes.is_whole(labels.dtype) or labels.dtype == np.uint64:
            return None
        low, high = int(np.minimum.reduce(labels)), int(np.maximum.reduce(labels))
        if high - low > 4 * len(labels):
            return None
        offsets = labels.astype(np.int64) - low
        there = np.bincount(offsets).nonzero()[0]
        places = np.zeros(high - low + 1, np.int32)
        places[there] = np.arange(len(there))
        kind = bool if labels.dtype.kind == "b" else int
        return cls([kind(low + int(offset)) for offset in there], places[offsets])

    def to_list(self) -> list[Hashable]:
        """One label an example."""
        return [self.classes[code] for code in self.codes]
