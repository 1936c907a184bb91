"""Writing rows of numbers as svmlight."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit._native import write_svmlight_rows
from hardlimit.exceptions import Cell, Given, InputError
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.readers.numbers import Csr
from hardlimit.readers.writing import open_target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_CELLS = 1 << 20  # that are written at once
_LARGEST = 2**31 - 2


def write_svmlight(
    path: str | os.PathLike[str], X: ArrayLike | Csr, y: ArrayLike, zero_based: bool = False
) -> None:
    r"""Write rows of numbers with their labels: ``label index:value ...``.

    Numbers have the fewest digits that are read back as the same doubles. The file is written
    beside its place and renamed, so that it is there whole or not at all; ``.gz``, ``.bz2``,
    ``.xz`` and ``.zst`` are packed.

    Parameters
    ----------
    path
        The file.
    X
        Rows: an array, whose zeros are left out, or a sparse matrix, whose stored ones are kept.
    y
        One finite number a row.
    zero_based
        Whether indices count from 0; most programs want them from 1.

    Raises
    ------
    InputError
        A value is not finite, labels are no numbers, or rows and labels differ in number.
    FileError
        The file cannot be written; what was there is untouched.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "or.svm")
    >>> write_svmlight(path, [[0.0, 0.0], [0.5, 1.0]], [-1, 1])
    >>> path.read_text()
    '-1\n1 1:0.5 2:1\n'
    """
    import numpy as np

    labels = _check_labels(y)
    sparse = X if isinstance(X, Csr) else _to_csr(X)
    rows: Any = np.asarray(X) if sparse is None else sparse
    if len(getattr(rows, "shape", ())) != 2:
        raise InputError(parameter="X", got=Given(f"shape {np.shape(X)}"), wanted="rows of numbers")
    if rows.shape[0] != len(labels):
        found = f"{plural(rows.shape[0], 'row')}, but {plural(len(labels), 'label')}"
        raise InputError(found, who="write_svmlight", parameter="y")
    if rows.shape[1] > _LARGEST:
        raise InputError(parameter="X", got=rows.shape[1], wanted=f"at most {_LARGEST:,} columns")
    pieces = _dense_pieces(rows) if sparse is None else _sparse_pieces(sparse)
    lowest = 0 if zero_based else 1
    with open_target(os.fspath(path)) as file:
        for first, starts, indices, values in pieces:
            bad = ~np.isfinite(values)
            if bad.any():
                place = int(np.flatnonzero(bad)[0])
                row = first + int(np.searchsorted(starts, place, "right")) - 1
                where = Cell(row, int(indices[place]))
                got = float(values[place])
                raise InputError(where=where, got=got, wanted="a finite number")
            own = labels[first : first + len(starts) - 1]
            file.write(write_svmlight_rows(own, starts, indices, values, lowest))


def _check_labels(y: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    given = np.asarray(y)
    if given.ndim != 1 or not dtypes.is_real(given.dtype):
        got = Given(f"an array of {given.dtype} with {plural(given.ndim, 'dimension')}")
        raise InputError(who="write_svmlight", parameter="y", got=got, wanted="one number a row")
    labels = np.ascontiguousarray(given, dtype=np.float64)
    if not np.isfinite(labels).all():
        raise InputError(parameter="y", got=Given("NaN or infinity"), wanted="finite numbers")
    return labels


def _to_csr(X: object) -> Any:
    """Return a sparse matrix of scipy in order, without what is there twice; None of others."""
    if not hasattr(X, "tocsr"):
        return None
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    return rows


Piece = tuple[int, "NDArray[np.int64]", "NDArray[np.int32]", "NDArray[np.float64]"]


def _sparse_pieces(X: Csr) -> Iterator[Piece]:
    """Give rows of about a million cells at a time, with the number of the first."""
    import numpy as np

    ends = np.asarray(X.indptr, dtype=np.int64)
    first = 0
    while first < len(ends) - 1:
        last = int(np.searchsorted(ends, ends[first] + _CELLS, "right")) - 1
        last = min(max(last, first + 1), len(ends) - 1)
        begin, end = int(ends[first]), int(ends[last])
        indices = np.ascontiguousarray(X.indices[begin:end], dtype=np.int32)
        values = np.ascontiguousarray(X.data[begin:end], dtype=np.float64)
        yield first, ends[first : last + 1] - begin, indices, values
        first = last


def _dense_pieces(X: NDArray[Any]) -> Iterator[Piece]:
    import numpy as np

    if not dtypes.is_real(X.dtype):
        raise InputError(parameter="X", got=Given(f"values of {X.dtype}"), wanted="numbers")
    step = max(1, _CELLS // max(1, X.shape[1]))
    for first in range(0, len(X), step):
        block = np.asarray(X[first : first + step], dtype=np.float64)
        rows, columns = np.nonzero(block)
        starts = np.zeros(len(block) + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=len(block)), out=starts[1:])
        yield first, starts, columns.astype(np.int32), block[rows, columns]
