"""Rows of weighted features without scipy."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Compressed sparse rows, canonical: columns ascending, each once, values finite.

    Attributes
    ----------
    indptr
        int64, ``n + 1`` numbers: row ``i`` is ``indptr[i]:indptr[i + 1]``.
    indices
        int32 column numbers; int64 where a feature map makes so many.
    data
        float32 values; float64 from a feature map.
    n_columns
        Width; every index is below it.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32] | NDArray[np.int64]
    data: NDArray[np.float32] | NDArray[np.float64]
    n_columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, self.n_columns

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def known_features(self) -> NDArray[np.int64]:
        """Distinct known terms of each document; 0 flags a text of which nothing is known."""
        lengths: NDArray[np.int64] = self.indptr[1:] - self.indptr[:-1]
        return lengths

    def to_scipy(self) -> Any:
        """Return the same memory as a ``scipy.sparse.csr_matrix``; self where scipy is missing."""
        try:
            csr_matrix = import_module("scipy.sparse").csr_matrix
        except ImportError:
            return self
        # scipy wants both index arrays of one type; int32 where it fits, as scipy itself keeps them
        small = len(self.data) < 2**31
        indptr = self.indptr.astype("int32") if small else self.indptr
        indices = self.indices if small else self.indices.astype("int64")
        matrix = csr_matrix((self.data, indices, indptr), shape=self.shape, copy=False)
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix
