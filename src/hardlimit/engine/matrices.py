"""Dense or sparse: the one place in Python that asks which of the two a matrix is.

Sparse matrices are recognised by what they hold, without scipy: ``indptr``, ``indices`` and
``data``, or a method ``tocsr``. In the compiled code ``native/rows`` is the one place.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeGuard

import numpy as np

from hardlimit import _native
from hardlimit.foundation.types import IntArray

Array = np.ndarray[Any, Any]


class CsrMatrix(Protocol):
    """A sparse matrix by what it holds, once :func:`as_csr` has looked at it."""

    indptr: Array
    indices: Array
    data: Array
    shape: tuple[int, ...]

    def __getattr__(self, name: str) -> Any:
        """Whatever else scipy gives it."""


def is_sparse(X: object) -> TypeGuard[CsrMatrix]:
    """Whether X is a sparse matrix of any format of scipy's, or holds CSR arrays.

    >>> is_sparse(np.zeros((2, 2))), is_sparse([[0, 1]])
    (False, False)
    """
    return hasattr(X, "indptr") or (hasattr(X, "tocsr") and hasattr(X, "nnz"))


def as_csr(X: CsrMatrix) -> CsrMatrix:
    """Return a sparse matrix with its values row by row; unchanged where it lies so already."""
    if getattr(X, "format", "csr") == "csr":
        return X
    rows: CsrMatrix = X.tocsr()
    return rows


def select_rows(starts: Array, rows: Array | list[int]) -> tuple[Array, Array]:
    """Return the starts of these rows of CSR arrays, one after the other, and their places.

    >>> starts, places = select_rows(np.array([0, 2, 3, 5]), [2, 0])
    >>> starts.tolist(), places.tolist()
    ([0, 2, 4], [3, 4, 0, 1])
    """
    lengths = np.diff(starts)[rows]
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.add.accumulate(lengths, out=ends[1:])
    # Where each row began, less where it begins now, added to every place of it.
    places = np.arange(ends[-1]) + np.repeat(starts[rows] - ends[:-1], lengths)
    return ends, places


def to_dense(X: object) -> Array:
    """Return X as a dense array; a dense one is not copied.

    >>> to_dense([[1, 2]])
    array([[1, 2]])
    """
    if not is_sparse(X):
        return np.asarray(X)
    if hasattr(X, "toarray"):
        dense: Array = X.toarray()
        return dense
    # Rows of this package and other holders of CSR arrays come without scipy's methods.
    dense = np.zeros(X.shape, X.data.dtype)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    np.add.at(dense, (rows, X.indices[: len(rows)]), X.data[: len(rows)])
    return dense


def stored_values(X: object) -> Array:
    """Return the numbers that X stores: all of a dense matrix, of a sparse one those kept.

    >>> stored_values([[0.0, 2.0]])
    array([[0., 2.]])
    """
    if is_sparse(X):
        return as_csr(X).data
    return np.asarray(X)


def monomials(n_columns: int, degree: int, c: float) -> _native.Monomials:
    """All monomials up to a degree, weighted as the polynomial kernel weights them."""
    return _native.Monomials(n_columns, degree, c)


def pairs(n_columns: int, places: IntArray, singles: bool, bits: int) -> _native.Pairs:
    """Products of two columns each.

    ``places`` int64: the rank of each chosen column, else -1; empty chooses all. ``bits`` 0 numbers
    the pairs, more hash them.
    """
    return _native.Pairs(n_columns, places, singles, bits)
