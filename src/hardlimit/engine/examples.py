"""The border: whatever a user calls a matrix becomes checked rows, or a clear error.

Sparse matrices are recognised by what they hold (``indptr``, ``indices``, ``data``), without scipy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from hardlimit import _native
from hardlimit.engine.matrices import as_csr, is_sparse
from hardlimit.exceptions import InputError, KindError

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def rows_of(X: Any, bias: float, who: str = "X", *, guarded: bool = False) -> _native.Rows:
    """Check X (n_rows, n_columns), dense or sparse, and give it to the engine.

    The loops trust what was checked here. ``guarded`` copies the column numbers, for a fit in the
    middle of which the caller's own code runs and could change them.

    Cost: one look at each number; no copy of float32 or float64 arrays that lie row by row.

    Raises
    ------
    InputError
        Not a finite matrix of numbers; the message names the first row and column that is not.
    """
    try:
        return _sparse(X, bias, guarded) if is_sparse(X) else _dense(X, bias)
    except ValueError as error:
        raise _told(error, who) from None


@contextlib.contextmanager
def named(who: str) -> Iterator[None]:
    """Errors inside say whose matrix it is."""
    try:
        yield
    except ValueError as error:
        raise _told(error, who) from None


def sparse_scores(X: Any, bias: float, weights: Any, who: str = "X") -> Any:
    """Scores (n_rows, n_outputs) of CSR rows by weights (n_columns + 1, n_outputs) in one look.

    None where :func:`rows_of` has to make rows of X first. The same bits and the same refusals.
    """
    if not hasattr(X, "indptr") or getattr(X, "format", "csr") != "csr":
        return None
    if X.shape[1] + 1 != len(weights) or X.data.dtype not in _FLOATS:
        return None
    try:
        return _native.sparse_scores(X.indptr, X.indices, X.data, X.shape[1], bias, weights)
    except ValueError as error:
        raise _told(error, who) from None


def sqnorms(rows: _native.Rows, bias: float) -> np.ndarray[Any, Any]:
    """All ``<x, x>`` of rows with this bias, which is included.

    Cost: a look at the rows whose norms nobody has asked for since they were kept.
    """
    found: np.ndarray[Any, Any] = _native.sqnorms(rows) + bias * bias
    return found


def _told(error: ValueError, who: str) -> InputError:
    """An error of the border that says of whom it speaks."""
    if isinstance(error, InputError):
        return type(error)(f"{who}: {error}")
    return InputError(f"{who}: {error}; wanted finite numbers{_mend(str(error))}")


def _mend(message: str) -> str:
    if "NaN" in message:
        return ": drop or fill missing values first"
    return ": clip or drop infinite values first" if "infinite" in message else ""


def _dense(X: Any, bias: float) -> _native.Rows:
    return _native.Rows.dense(dense_values(X), bias)


def dense_values(X: Any) -> np.ndarray[Any, Any]:
    """A matrix of float32 or float64 that lies row by row; not yet looked through."""
    values = X if type(X) is np.ndarray else np.asarray(X)
    if values.dtype not in _FLOATS:
        values = _as_floats(values)
    if values.ndim != 2:
        raise InputError(
            f"got an array of shape {values.shape}, wanted (n_rows, n_columns); a single row is "
            "X.reshape(1, -1), a single column X.reshape(-1, 1)"
        )
    if not values.flags.c_contiguous:
        values = np.ascontiguousarray(values)
    return values


def _as_floats(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if values.dtype.kind not in "biufO":
        raise KindError(
            f"got values of type {values.dtype}, wanted numbers; texts go to TextClassifier"
        )
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"wanted a matrix of numbers, but {error}") from None


def _sparse(X: Any, bias: float, guarded: bool) -> _native.Rows:
    indptr, indices, values = _sparse_arrays(X)
    if guarded:
        indices = indices.copy()
    n_columns = X.shape[1]
    rows: _native.Rows | None = _native.Rows.sparse(indptr, indices, values, n_columns, bias)
    if rows is not None:
        return rows
    return _native.Rows.sparse(*_canonical(indptr, indices, values), n_columns, bias)


def canonical_arrays(X: Any) -> tuple[Any, Any, Any]:
    """The arrays of a sparse matrix, row starts first: checked, sorted, duplicates added up."""
    arrays = _sparse_arrays(X)
    if _native.Rows.sparse(*arrays, X.shape[1], 0.0) is None:
        arrays = _canonical(*arrays)
    return arrays


def _sparse_arrays(X: Any) -> tuple[Any, Any, Any]:
    X = as_csr(X)
    indptr, indices, values = X.indptr, X.indices, X.data
    if values.dtype not in _FLOATS:
        values = _as_floats(values)
    return indptr, indices, values


def _canonical(indptr: Any, indices: Any, values: Any) -> tuple[Any, Any, Any]:
    """Sort each row by column and add up what one column holds twice, in the order it came."""
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((indices[: len(row)], row))
    row, column = row[order], indices[order]
    first = np.ones(len(row), bool)
    first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    places = np.cumsum(first) - 1
    added = np.zeros(int(first.sum()), values.dtype)
    np.add.at(added, places, values[order])
    starts = np.searchsorted(row[first], np.arange(len(indptr)))
    return starts.astype(np.int64), column[first], added
