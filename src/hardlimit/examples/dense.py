"""Dense rows of numbers, and the border for what users hand in as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hardlimit.engine import as_csr, dense_values, is_sparse
from hardlimit.examples.sparse import Csr
from hardlimit.foundation.types import Array

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from hardlimit.foundation.types import ArrayLike


class Dense:
    """An array of two dimensions, whose rows are the examples; numpy takes it as that array."""

    noun: ClassVar[str] = "row"

    __slots__ = ("values",)

    def __init__(self, values: Array) -> None:
        self.values = values

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        values: Array = np.array(self.values, dtype, copy=copy)
        return values

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.values), self.n_columns

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return int(self.values.shape[1])

    def __len__(self) -> int:
        return len(self.values)

    def example(self, row: int) -> Dense:
        """Return a matrix of one row."""
        return self.part(row, row + 1)

    def entries(self, row: int) -> tuple[Array, Array]:
        """Return the columns of one row that are not 0, and their values."""
        values = self.values[row].astype(np.float64)
        columns = np.flatnonzero(values)
        return columns, values[columns]

    def take(self, rows: Sequence[int] | Array) -> Dense:
        """Return some of the rows, in this order."""
        return Dense(self.values[np.asarray(rows, np.int64)])

    def part(self, begin: int, end: int) -> Dense:
        """Return the rows from ``begin`` to ``end - 1``, which share the memory."""
        return Dense(self.values[begin:end])

    def as_sparse(self) -> Csr:
        """Return the same rows without their zeros, as doubles."""
        places, columns = np.nonzero(self.values)
        indptr = np.zeros(len(self) + 1, np.int64)
        np.add.accumulate(np.bincount(places, minlength=len(self)), out=indptr[1:])
        data = self.values[places, columns].astype(np.float64)
        return Csr(indptr, columns.astype(np.int32), data, self.n_columns)

    def keys(self) -> list[bytes]:
        """Return the digest of each row: its columns that are not 0, and their values."""
        return self.as_sparse().keys()

    def hold_out_keys(self) -> list[bytes]:
        """Return the bytes of each row."""
        return [row.tobytes() for row in self.values]

    def count_repeats(self) -> int:
        """Return 0: rows of numbers are often equal, and that says nothing."""
        return 0

    def size(self) -> int:
        """Return the bytes of the array."""
        return int(self.values.nbytes)

    def place(self, row: int) -> str:
        """Return the number of a row."""
        return f"row {row}"

    @staticmethod
    def joined(parts: Sequence[Dense]) -> Dense:
        """Return the rows of all parts."""
        return Dense(np.concatenate([part.values for part in parts]))


def read_numbers(X: ArrayLike, *, grows: bool = False) -> Dense | Csr:
    """Return a matrix as examples, over the same memory where that can be.

    grows : whether later rows may have more columns, where they are sparse.

    Raises
    ------
    InputError, KindError
        Not a matrix of numbers. The numbers themselves are not looked at.
    """
    if isinstance(X, Dense) or not is_sparse(X):
        return X if isinstance(X, Dense) else Dense(dense_values(X))
    found = as_csr(X)
    return Csr(found.indptr, found.indices, found.data, found.shape[1], grows)
