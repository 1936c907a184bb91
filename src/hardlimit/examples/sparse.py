"""Sparse rows of numbers, without scipy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEY = 16  # bytes of the digest that stands for a row
EMPTY = hashlib.blake2b(b"", digest_size=KEY).digest()  # the key of a row of zeros


# Not frozen: one is made for every text that is learnt, and freezing costs more than the rest.
@dataclass(slots=True, eq=False)
class Csr:
    """Compressed sparse rows: row i is ``data[indptr[i]:indptr[i + 1]]``, its columns beside it.

    Nothing changes them once they are made. The names are those of scipy.

    Attributes
    ----------
    indptr
        int64, one more than there are rows.
    indices
        Column numbers, int32 or int64; ascending and distinct in a row where they come from a
        reader, a vectorizer or a feature map.
    data
        float32 or float64; of rows that are counts of terms uint32.
    n_columns
        Width; every index is below it.
    grows
        Whether later rows of the same file may have more columns.
    """

    noun: ClassVar[str] = "row"
    format: ClassVar[str] = "csr"

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]
    n_columns: int
    grows: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, self.n_columns

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def known_features(self) -> NDArray[Any]:
        """How many columns each row has; 0 flags a text of which no term is known."""
        lengths: NDArray[Any] = self.indptr[1:] - self.indptr[:-1]
        return lengths

    def widened(self, n_columns: int) -> Csr:
        """Return the same rows with another number of columns."""
        return Csr(self.indptr, self.indices, self.data, n_columns, self.grows)

    def within(self, n_columns: int) -> Csr:
        """Return the same rows without their entries beyond so many columns."""
        import numpy as np

        known = self.indices < n_columns
        of = np.repeat(np.arange(len(self)), self.known_features)[known]
        indptr = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.bincount(of, minlength=len(self)), out=indptr[1:])
        return Csr(indptr, self.indices[known], self.data[known], n_columns)

    def example(self, row: int) -> Csr:
        """Return a matrix of one row."""
        return self.part(row, row + 1)

    def entries(self, row: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the columns that one row stores, and their values."""
        begin, end = int(self.indptr[row]), int(self.indptr[row + 1])
        return self.indices[begin:end], self.data[begin:end]

    def take(self, rows: Sequence[int] | NDArray[Any]) -> Csr:
        """Return some of the rows, in this order."""
        import numpy as np

        from hardlimit.engine import select_rows

        starts, places = select_rows(self.indptr, np.asarray(rows, np.int64))
        return self._of(starts, self.indices[places], self.data[places])

    def as_sparse(self) -> Csr:
        """Return them as they are."""
        return self

    def part(self, begin: int, end: int) -> Csr:
        """Return the rows from ``begin`` to ``end - 1``, which share the memory."""
        first, last = int(self.indptr[begin]), int(self.indptr[end])
        starts = self.indptr[begin : end + 1] - first
        return self._of(starts, self.indices[first:last], self.data[first:last])

    def _of(self, indptr: NDArray[Any], indices: NDArray[Any], data: NDArray[Any]) -> Csr:
        return Csr(indptr, indices, data, self.n_columns, self.grows)

    def keys(self) -> list[bytes]:
        """Return the digest of each row: its columns that are not 0, and their values."""
        import numpy as np

        columns, values = self.indices.astype(np.int64), self.data.astype(np.float64)
        found = []
        for begin, end in pairwise(self.indptr.tolist()):
            there = values[begin:end] != 0
            own = columns[begin:end][there].tobytes() + values[begin:end][there].tobytes()
            found.append(hashlib.blake2b(own, digest_size=KEY).digest())
        return found

    def hold_out_keys(self) -> list[bytes]:
        """Return the bytes of each row."""
        return [
            self.indices[begin:end].tobytes() + self.data[begin:end].tobytes()
            for begin, end in pairwise(self.indptr.tolist())
        ]

    def count_repeats(self) -> int:
        """Return 0: rows of numbers are often equal, and that says nothing."""
        return 0

    def size(self) -> int:
        """Return the bytes of the arrays."""
        return int(self.indptr.nbytes + self.indices.nbytes + self.data.nbytes)

    def place(self, row: int) -> str:
        """Return the number of a row."""
        return f"row {row}"

    @staticmethod
    def joined(parts: Sequence[Csr]) -> Csr:
        """Return the rows of all parts, as wide as the widest."""
        import numpy as np

        ends = [int(part.indptr[-1]) for part in parts]
        starts, cells = [np.zeros(1, np.int64)], 0
        for part, end in zip(parts, ends, strict=True):
            starts.append(part.indptr[1:] + cells)
            cells += end
        return Csr(
            np.concatenate(starts),
            np.concatenate([part.indices[:end] for part, end in zip(parts, ends, strict=True)]),
            np.concatenate([part.data[:end] for part, end in zip(parts, ends, strict=True)]),
            max(part.n_columns for part in parts),
            parts[0].grows,
        )

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
