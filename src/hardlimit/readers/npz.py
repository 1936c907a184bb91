"""``.npz``: numpy's arrays by name, and scipy's sparse matrices.

Rows are the array ``X`` (or ``data``, ``features``, ``x``, with ``_train`` or not), labels ``y``
(or ``labels``, ``target``), or as the label's name says. A matrix of ``scipy.sparse.save_npz``
(csr, csc, coo) is read without scipy; its labels are in a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import ColumnError, DataFormatError, FileError, Given, HardlimitError
from hardlimit.foundation import dtypes, storage
from hardlimit.readers import arrays
from hardlimit.readers.columns import list_names
from hardlimit.readers.numbers import Csr, LoadOptions, Numbers, NumericFormat

if TYPE_CHECKING:
    import zipfile

    import numpy as np
    from numpy.typing import NDArray

_ROWS = "X x X_train x_train data features images".split()
_LABELS = "y Y y_train labels label target targets".split()
_LARGEST_RATIO = 1100  # of deflate: what claims more lies about its size
_LARGEST = 2**31 - 2
_MOST_EMPTY = 1000  # rows for each cell
Members = dict[str, "zipfile.ZipInfo"]


def read(path: str, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read the rows and, where they are needed, their labels."""
    yield _load(path, options)


def _load(path: str, options: LoadOptions) -> Numbers:
    import zipfile  # start-up: the list of formats does without

    try:
        with zipfile.ZipFile(storage.path_or_copy(path)) as packed:
            members = {part.filename.removesuffix(".npy"): part for part in packed.infolist()}
            if {"format", "shape"} <= members.keys():
                return _load_sparse(path, packed, members, options)
            return _load_dense(path, packed, members, options)
    except HardlimitError:
        raise
    except (FileNotFoundError, PermissionError) as error:
        raise FileError(f"cannot be read: {error.strerror}", where=path) from None
    except Exception as error:  # zipfile raises what it stumbles over: OSError, struct.error, ...
        raise DataFormatError(f"damaged, or no .npz: {error}", where=path) from None


def _load_dense(
    path: str, packed: zipfile.ZipFile, members: Members, options: LoadOptions
) -> Numbers:
    label = options.label if isinstance(options.label, str) else None
    rows = next((name for name in _ROWS if name in members and name != label), None)
    if rows is None:
        there = list_names(list(members))
        raise ColumnError(
            f"no array has the name of rows ({', '.join(_ROWS)}); there are {there}", where=path
        )
    X = arrays.as_rows(f"{path}: {rows}", _read(path, packed, members[rows]))
    arrays.check_width(path, X.shape[1], options)
    name = label if label in members else next((n for n in _LABELS if n in members), None)
    if label is not None and label not in members and not label.endswith(".npy"):
        reason = f"there is no array {label!r} for the label; there are "
        raise ColumnError(reason + list_names(list(members)), where=path)
    if not options.need_label:
        return arrays.to_numbers(X, None)
    if name is None or (label is not None and label not in members):
        return arrays.to_numbers(X, arrays.load_labels(path, options, len(X)))
    found = _read(path, packed, members[name])
    return arrays.to_numbers(X, arrays.as_labels(f"{path}: {name}", found, len(X)))


def _read(path: str, packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> NDArray[Any]:
    name = f"{path}: {part.filename.removesuffix('.npy')}"
    if part.file_size > _LARGEST_RATIO * (part.compress_size + 1):
        raise DataFormatError("its size is a lie", where=name)
    with packed.open(part) as file:
        return arrays.read_array(name, file, part.file_size)


def _load_sparse(
    path: str, packed: zipfile.ZipFile, members: Members, options: LoadOptions
) -> Numbers:
    """Read a matrix of scipy."""
    parts = {name: _read(path, packed, part) for name, part in members.items()}
    kind = parts["format"].item() if parts["format"].size == 1 else b""
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    wanted = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
    if kind not in wanted or not {"data", *wanted[kind]} <= parts.keys():
        got = Given(f"a sparse matrix as {kind!r}")
        fix = "save it as csr: scipy.sparse.save_npz(path, X.tocsr())"
        raise DataFormatError(where=path, got=got, wanted="csr, csc or coo", fix=fix)
    shape = parts["shape"]
    if shape.shape != (2,) or not dtypes.is_integer(shape.dtype) or not 0 < shape[1] <= _LARGEST:
        raise DataFormatError("its shape is not that of a matrix", where=path)
    first, second = (parts[name] for name in wanted[kind])
    n_rows, n_columns = int(shape[0]), int(shape[1])
    across = n_columns if kind == "csc" else n_rows
    if kind != "coo":
        second = _spread(path, second, across, len(first))
        rows, columns = (first, second) if kind == "csc" else (second, first)
    else:
        rows, columns = first, second
    X = _to_csr(path, rows, columns, parts["data"], (n_rows, n_columns))
    columns_wanted = options.n_features
    if columns_wanted is not None and columns_wanted > n_columns:
        X = X.widened(columns_wanted)
    arrays.check_width(path, X.shape[1], options)
    return arrays.to_numbers(X, arrays.load_labels(path, options, n_rows))


def _spread(path: str, ends: NDArray[Any], n: int, cells: int) -> NDArray[np.int64]:
    """Return the row of each cell, from where rows end."""
    import numpy as np

    good = dtypes.is_integer(ends.dtype) and ends.shape == (n + 1,)
    ends = ends.astype(np.int64) if good else ends
    if not good or ends[0] != 0 or ends[-1] != cells or (np.diff(ends) < 0).any():
        raise DataFormatError("indptr does not say where rows end", where=path)
    return np.repeat(np.arange(n, dtype=np.int64), np.diff(ends))


def _to_csr(
    path: str, rows: NDArray[Any], columns: NDArray[Any], data: NDArray[Any], shape: tuple[int, int]
) -> Csr:
    """Check the cells and sort them; those of one place are added, as scipy does."""
    import numpy as np

    are_places = dtypes.is_integer(rows.dtype) and dtypes.is_integer(columns.dtype)
    plain = are_places and dtypes.is_real(data.dtype)
    if not plain or rows.ndim != 1 or not rows.shape == columns.shape == data.shape:
        raise DataFormatError("indices and values do not go together", where=path)
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    if len(rows) and not (
        rows.min() >= 0
        and rows.max() < shape[0]
        and columns.min() >= 0
        and columns.max() < shape[1]
    ):
        raise DataFormatError(f"an index lies outside of the shape {shape}", where=path)
    values = data.astype(np.float64)
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        where = f"{path}: row {rows[place] + 1}, column {columns[place]}"
        raise DataFormatError(where=where, got=float(values[place]), wanted="a finite number")
    keys = rows * shape[1] + columns
    if (np.diff(keys) <= 0).any():
        order = np.argsort(keys, kind="stable")
        keys, first = np.unique(keys[order], return_index=True)
        values = np.add.reduceat(values[order], first) if len(first) else values
        rows, columns = np.divmod(keys, shape[1])
    if shape[0] <= 0:
        raise DataFormatError("there is no row of numbers", where=path)
    # a matrix without cells may claim any number of rows, and each takes memory
    if shape[0] > _MOST_EMPTY * (len(rows) + 1):
        raise DataFormatError(f"its shape {shape} has too many rows", where=path)
    indptr = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=indptr[1:])
    return Csr(indptr, columns.astype(np.int32), values, shape[1])


NUMERIC = NumericFormat(
    "npz",
    (".npz",),
    read,
    "numpy's arrays X and y, scipy's sparse matrix",
    takes_path=True,
    streams=False,
)
