"""The signed rows z_i = y_i (x_i, s): what every certificate speaks of, in floats and exactly.

A set is separable iff some w has ``z_i . w > 0`` for all i. The finders see floats; the checks see
integers: every finite float is a rational, so each column is scaled by one positive number (a power
of two for floats, a common denominator for fractions) that makes all its entries integers. Neither
verdict changes with the scale of a column, and margins are brought back by ``scales``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from hardlimit.certificates.exact.entries import Entries
from hardlimit.certificates.exact.integers import to_integers
from hardlimit.foundation import progress

Array = np.ndarray[Any, Any]
_REPORTED = 1024  # rows between two reports of progress


class SignedRows:
    """The rows of two classes, augmented by the bias and multiplied by their signs.

    Parameters
    ----------
    entries
        The numbers of X, dense or sparse, as :func:`read_entries` reads them.
    target
        -1 or +1 a row.
    bias
        Value of the constant feature, the last column; None: through the origin, no such column.

    Attributes
    ----------
    n_rows, n_columns
        Columns count the bias.
    target
        (n_rows,) float64 of -1 and +1.
    dense
        (n_rows, n_columns) float64, row by row; None where the rows are sparse.
    data, indices, indptr
        The same as CSR, columns ascending, no zeros stored; made when asked of dense rows.
    """

    def __init__(self, entries: Entries, target: Array, bias: float | None) -> None:
        self.target: Array = np.asarray(target, dtype=np.float64)
        self.bias = bias
        self._signed = entries.signed(self.target, bias)
        self.n_rows, self.n_columns = self._signed.shape
        self.dense: Array | None = self._signed.dense

    @property
    def is_sparse(self) -> bool:
        """Whether the rows lie as CSR."""
        return self.dense is None

    @property
    def data(self) -> Array:
        """The values that are not 0, row by row."""
        return self._signed.values

    @property
    def indices(self) -> Array:
        """The column of each value."""
        return self._signed.indices

    @property
    def indptr(self) -> Array:
        """Where each row starts in ``data``; one more, where the last one ends."""
        return self._signed.indptr

    @property
    def matrix(self) -> Array | tuple[Array, Array, Array]:
        """The dense array, or (data, indices, indptr)."""
        return (self.data, self.indices, self.indptr) if self.dense is None else self.dense

    def row(self, i: int) -> tuple[Array, Array]:
        """Columns and values of one row."""
        begin, end = self.indptr[i], self.indptr[i + 1]
        return self.indices[begin:end], self.data[begin:end]

    @cached_property
    def _row_of_value(self) -> Array:
        return np.repeat(np.arange(self.n_rows), np.diff(self.indptr))

    def dot(self, w: Array) -> Array:
        """Z w in floats; O(non-zeros)."""
        if self.dense is not None:
            product: Array = self.dense @ w
            return product
        return np.bincount(self._row_of_value, self.data * w[self.indices], self.n_rows)

    def transposed(self, p: Array) -> Array:
        """Z' p in floats: the rows weighted by p and added up; O(non-zeros)."""
        if self.dense is not None:
            product: Array = p @ self.dense
            return product
        return np.bincount(self.indices, self.data * p[self._row_of_value], self.n_columns)

    @cached_property
    def norms(self) -> Array:
        """||z_i|| in floats, of rows of any size."""
        # Divided by the largest of the row first: squares of 1e200 are beyond the floats.
        largest = np.zeros(self.n_rows)
        np.maximum.at(largest, self._row_of_value, np.abs(self.data))
        shares = self.data / largest[self._row_of_value]
        return largest * np.sqrt(np.bincount(self._row_of_value, shares * shares, self.n_rows))

    @cached_property
    def _integers(self) -> tuple[list[int], list[int]]:
        return to_integers(self._signed)

    @property
    def scales(self) -> list[int]:
        """The factor of each column, >= 1: ``exact(i)[j] == scales[j] * z_ij``."""
        return self._integers[1]

    @property
    def is_integer(self) -> bool:
        """Whether the data are integers as they stand."""
        return all(scale == 1 for scale in self.scales)

    def exact(self, i: int) -> dict[int, int]:
        """One row as integers, zeros left out: {column: value times the column's scale}."""
        columns, values = self.integers(i)
        return dict(zip(columns, values, strict=True))

    def integers(self, i: int) -> tuple[list[int], list[int]]:
        """Columns and integers of one row."""
        begin, end = self._bounds[i], self._bounds[i + 1]
        return self._columns[begin:end], self._integers[0][begin:end]

    def all_integers(self, purpose: str) -> Iterator[tuple[list[int], list[int]]]:
        """Columns and integers of every row; ``purpose`` is reported as what is being done."""
        for first in range(0, self.n_rows, _REPORTED):
            progress.report(purpose, first, self.n_rows)
            yield from map(self.integers, range(first, min(first + _REPORTED, self.n_rows)))

    @cached_property
    def _bounds(self) -> list[int]:
        bounds: list[int] = self.indptr.tolist()
        return bounds

    @cached_property
    def _columns(self) -> list[int]:
        columns: list[int] = self.indices.tolist()
        return columns


def length(vector: Array) -> float:
    """||v|| in floats, of numbers whose squares may be beyond them.

    >>> round(length(np.array([3e200, 4e200])) / 1e200, 9)
    5.0
    """
    largest = float(np.abs(vector).max(initial=0.0))
    if not 0 < largest < np.inf:
        return largest
    shares = vector / largest
    return largest * float(np.sqrt(shares @ shares))


def compute_digest(rows: SignedRows) -> str:
    """SHA-256 of the signed rows; O(non-zeros)."""
    hashed = hashlib.sha256(f"{rows.n_rows} {rows.n_columns}\n".encode())
    hashed.update((" ".join(f"{scale:x}" for scale in rows.scales) + "\n").encode())
    # Row by row: the text of a large set is never held as a whole.
    for columns, values in rows.all_integers("computing the digest of the rows"):
        pairs = zip(columns, values, strict=True)
        hashed.update((" ".join(f"{j}:{value:x}" for j, value in pairs) + "\n").encode())
    return f"sha256:{hashed.hexdigest()}"


_REPORTED = 1024  # rows between two reports of progress


def find_contradiction(rows: SignedRows) -> dict[int, int]:
    """Multipliers of the first zero row, or of the first pair ``z_i = -z_j``; empty if none.

    The same x with both labels is such a pair. A zero row is on no side of any plane through the
    origin; with a bias there is none. Cost: a look at each number.
    """
    seen: dict[bytes, int] = {}
    for i in range(rows.n_rows):
        if not i % _REPORTED:
            progress.report("looking for contradictions", i, rows.n_rows)
        columns, values = rows.row(i)
        if not len(columns):
            return {i: 1}
        # Rows are canonical (columns ascending, no zeros), so that equal rows have equal bytes.
        place = columns.tobytes()
        j = seen.get(place + (-values).tobytes())
        if j is not None and _cancel(rows, i, j):
            return {j: 1, i: 1}
        seen.setdefault(place + values.tobytes(), i)
    return {}


def _cancel(rows: SignedRows, i: int, j: int) -> bool:
    """Whether they do exactly: fractions may share their nearest floats."""
    return rows.exact(i) == {column: -value for column, value in rows.exact(j).items()}
