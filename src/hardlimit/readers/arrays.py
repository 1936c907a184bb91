"""Arrays of numpy in files, as far as they hold plain numbers or texts; objects are refused.

A header says how many numbers follow. What it says is compared with the bytes that are there before
memory is taken.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Literal

from hardlimit.exceptions import DataFormatError, FileError, Given, HardlimitError, Setting
from hardlimit.foundation import dtypes, memory, storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers.numbers import Csr, LoadOptions, Numbers, as_targets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_BYTES = 1 << 62  # of an array: numpy counts them in 63 bits
_BLOCK = 1 << 20
_FEWER = "give fewer rows, or train with --stream, which holds few"
_SIBLINGS = (("X", "y"), ("x", "y"), ("features", "labels"), ("images", "labels"))


def read_array(name: str, file: IO[bytes], size: int) -> NDArray[Any]:
    """Read an array of ``size`` bytes, its header included.

    A file of the disk is mapped: its numbers are read when they are used.
    """
    import numpy as np

    shape, columns_first, dtype, begin = _read_header(name, file, size)
    order: Literal["C", "F"] = "F" if columns_first else "C"
    try:
        if isinstance(getattr(file, "raw", None), io.FileIO) and size > begin:
            return np.memmap(file, dtype, "r", begin, shape, order)
        memory.require(size - begin, f"{name}: the array", _FEWER)
        data = bytearray()
        while block := file.read(_BLOCK):
            data += block
            if len(data) > size - begin:
                break
    except HardlimitError:  # of a store
        raise
    except (OSError, EOFError, ValueError, MemoryError) as error:
        raise DataFormatError(f"damaged or cut off: {error}", where=name) from None
    except Exception as error:  # zlib.error, zipfile.BadZipFile, lzma.LZMAError
        raise DataFormatError(f"damaged or cut off: {error}", where=name) from None
    if len(data) != size - begin:
        reason = f"{plural(len(data), 'byte')} of numbers, but {size - begin:,} were promised"
        raise DataFormatError(reason, where=name)
    return np.frombuffer(data, dtype).reshape(shape, order=order)


def blocks_of(name: str, file: IO[bytes], size: int) -> Iterator[NDArray[np.float64]]:
    """Read the rows of an array some at a time, whose header is still to be read.

    One that is stored column by column is read whole.
    """
    shape, columns_first, dtype, begin = _read_header(name, file, size)
    if len(shape) < 2 or columns_first:
        file.seek(0)
        yield as_rows(name, read_array(name, file, size))
        return
    yield from read_rows(name, file.read, shape, dtype)


def read_rows(
    name: str, read: Callable[[int], bytes], shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Iterator[NDArray[np.float64]]:
    """Read the rows of an array, one behind the other, some at a time."""
    import numpy as np

    width = math.prod(shape[1:]) * dtype.itemsize
    most, done = max(1, _BLOCK // max(1, width)), 0
    if not shape[0] or not width:
        raise DataFormatError("there is no row of numbers", where=name)
    while done < shape[0]:
        n_rows = min(most, shape[0] - done)
        try:
            data = read(n_rows * width)
        except HardlimitError:  # of a store
            raise
        except Exception as error:  # zlib.error, zipfile.BadZipFile, lzma.LZMAError, OSError
            raise DataFormatError(f"damaged or cut off: {error}", where=name) from None
        if len(data) != n_rows * width:
            there = f"{plural(done * width + len(data), 'byte')} of numbers"
            reason = f"{there}, but {shape[0] * width:,} were promised"
            raise DataFormatError(reason, where=name)
        rows = np.frombuffer(data, dtype).reshape(n_rows, *shape[1:])
        yield as_rows(name, rows, done)
        done += n_rows


def to_blocks(
    blocks: Iterable[NDArray[np.float64]], y: NDArray[Any] | None, path: str, options: LoadOptions
) -> Iterator[Numbers]:
    """Yield blocks of rows with their labels."""
    done = 0
    for X in blocks:
        check_width(path, X.shape[1], options)
        labels = None if y is None else y[done : done + len(X)]
        done += len(X)
        yield replace(to_numbers(X, labels), lines=range(done - len(X) + 1, done + 1))


def _read_header(
    name: str, file: IO[bytes], size: int
) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    import numpy as np

    form = np.lib.format
    try:
        version = form.read_magic(file)
        read = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}[version]
        shape, columns_first, dtype = read(file)
        begin = file.tell()
    except HardlimitError:  # of a store
        raise
    except KeyError:
        raise DataFormatError("its version of numpy's format is not read", where=name) from None
    except Exception as error:  # numpy raises ValueError, SyntaxError, TypeError, RecursionError
        reason = " ".join(str(error).split())[:120]
        raise DataFormatError(f"this is no array of numpy: {reason}", where=name) from None
    if not (dtypes.is_real(dtype) or dtypes.is_text(dtype)) or not dtype.itemsize:
        kind = "objects of Python, which a file could run as code" if dtype.hasobject else "others"
        reason = f"an array of numbers or texts was wanted, not of {kind} ({dtype})"
        raise DataFormatError(reason, where=name)
    check_size(name, shape, dtype)
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != size - begin:
        reason = (
            f"its header says {shape} of {dtype}; what follows has {plural(size - begin, 'byte')}"
        )
        raise DataFormatError(reason, where=name)
    return shape, columns_first, dtype, begin


def check_size(name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Refuse what is beyond any memory but for a zero, by which it promises no number at all."""
    size = math.prod(n or 1 for n in shape) * max(8, dtype.itemsize)  # as doubles
    if 0 in shape and size >= _MOST_BYTES:
        raise DataFormatError(f"its header says {shape}, which is no array", where=name)


@contextmanager
def opened(path: str) -> Iterator[tuple[IO[bytes], int]]:
    """Open a file of the disk; give its size, too."""
    try:
        with storage.open_seekable(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            yield file, size
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot be read: {error.strerror or error}", where=path) from None


def count_rows(name: str, file: IO[bytes], size: int) -> int:
    """Return the rows that the header of an array promises, and go back to its beginning."""
    shape, *_ = _read_header(name, file, size)
    file.seek(0)
    return shape[0] if shape else 0


def read_file(path: str) -> NDArray[Any]:
    """Read a ``.npy``."""
    with opened(path) as (file, size):
        return read_array(path, file, size)


def as_rows(name: str, array: NDArray[Any], first: int = 0) -> NDArray[np.float64]:
    """Return an array as finite rows of doubles; images and their like become one row each.

    first : rows that came before these.
    """
    import numpy as np

    if array.ndim < 2 or not dtypes.is_real(array.dtype):
        got = Given(f"an array of {array.dtype} with {plural(array.ndim, 'dimension')}")
        raise DataFormatError(where=name, got=got, wanted="rows of numbers")
    if array.ndim > 2:
        array = array.reshape(len(array), math.prod(array.shape[1:]))
    if array.dtype != np.float64 or not array.flags.c_contiguous:
        memory.require(8 * array.size, f"{name}: the numbers as doubles", _FEWER)
    rows = np.ascontiguousarray(array, dtype=np.float64)
    step = max(1, _BLOCK // max(1, rows.shape[1]))
    for start in range(0, len(rows), step):
        bad = ~np.isfinite(rows[start : start + step])
        if bad.any():
            row, column = np.argwhere(bad)[0]
            where = f"{name}: row {first + start + row + 1}, column {column}"
            value = float(rows[start + row, column])
            raise DataFormatError(where=where, got=value, wanted="a finite number")
    if not rows.size:
        raise DataFormatError("there is no row of numbers", where=name)
    return np.asarray(rows)


def as_labels(name: str, array: NDArray[Any], n_rows: int) -> NDArray[Any]:
    """Return an array as one label a row."""
    import numpy as np

    flat = array.ravel() if array.size == len(array.ravel()) == n_rows else array
    if flat.shape != (n_rows,):
        got = Given(f"labels of shape {array.shape}")
        raise DataFormatError(
            where=name, got=got, wanted=f"one for each of {plural(n_rows, 'row')}"
        )
    if np.issubdtype(flat.dtype, np.bytes_):
        flat = np.char.decode(flat, "utf-8", "replace")
    if dtypes.is_floating(flat.dtype):
        if not np.isfinite(flat).all():
            raise DataFormatError("a label is not finite", where=name)
        return as_targets(flat.astype(np.float64))
    if not dtypes.is_integer(flat.dtype):
        return np.array(flat)
    if flat.size and int(flat.max()) >= 1 << 63:
        got = Given(f"the label {int(flat.max())}")
        raise DataFormatError(where=name, got=got, wanted="whole numbers below 2**63")
    return np.array(flat, dtype=np.int64)


def find_labels(path: str, options: LoadOptions) -> str | None:
    """Return the file of labels: the one that is named, else the obvious one beside the rows."""
    label = options.label
    if isinstance(label, str) and label.lower().endswith(".npy"):
        return label
    folder, name = os.path.split(storage.without_query(path))
    stem = os.path.splitext(name)[0]
    for rows, labels in _SIBLINGS:
        if rows in stem:
            beside = os.path.join(folder, stem.replace(rows, labels, 1) + ".npy")
            if beside != path and storage.exists(beside):
                return beside
    return None


def load_labels(path: str, options: LoadOptions, n_rows: int) -> NDArray[Any] | None:
    """Read the labels of rows that have none in their file; None where none are needed."""
    if not options.need_label:
        return None
    beside = find_labels(path, options)
    if beside is None:
        raise DataFormatError(
            "there are no labels for these rows",
            where=path,
            fix=("say ", Setting("label", Given("y.npy")), ", a file with one label a row"),
        )
    return as_labels(beside, read_file(beside), n_rows)


def check_width(path: str, n_columns: int, options: LoadOptions) -> None:
    """Refuse rows of another width than the model's."""
    if options.n_features not in (None, n_columns):
        columns = plural(n_columns, "column")
        reason = f"{columns} of numbers, but the model was trained on {options.n_features}"
        raise DataFormatError(reason, where=path)


def to_numbers(X: Csr | NDArray[np.float64], y: NDArray[Any] | None) -> Numbers:
    """Return rows whose columns have no names."""
    n_rows, n_columns = X.shape
    return Numbers(X, y, range(n_columns), zero_based=True, lines=range(1, n_rows + 1))
