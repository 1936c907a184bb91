"""Batches of columns cut into slices that are bounded in rows and in bytes.

Texts that are coded by a dictionary take few bytes in a batch, and as many as they are long in each
row that is made of it. So slices are cut by the length of their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hardlimit.readers.opening import too_long_error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyarrow import Array, RecordBatch

BATCH_ROWS = 1024
BATCH_BYTES = 1 << 23
_CELL = 8  # bytes of a number, and of a place in a list


def cut(batches: Iterable[Any], name: str, most: int, before: int = 0) -> Iterator[Any]:
    """Yield slices of the batches, each of at most `BATCH_ROWS` rows and `BATCH_BYTES`.

    A row of more is a slice of its own. ``before`` : the rows that came before.

    Raises
    ------
    DataFormatError
        A row has more than ``most`` bytes.
    """
    import numpy as np

    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            part = batch.slice(start, BATCH_ROWS)
            sizes = sum((measure(column) for column in part.columns), np.zeros(part.num_rows))
            long = np.flatnonzero(sizes > most + _CELL * part.num_columns)
            if len(long):
                row = before + start + int(long[0]) + 1
                raise too_long_error(f"{name}: row {row}", "row", most)
            yield from _cut_by_bytes(part, np.cumsum(sizes))
        before += batch.num_rows


def _cut_by_bytes(part: RecordBatch, ends: NDArray[np.float64]) -> Iterator[Any]:
    begin, done = 0, 0.0
    while begin < part.num_rows:
        stop = max(begin + 1, int(ends.searchsorted(done + BATCH_BYTES, "right")))
        yield part.slice(begin, stop - begin)
        begin, done = stop, float(ends[stop - 1])


def measure(column: Array) -> NDArray[np.float64]:
    """Return the bytes of each cell of a column, written out.

    >>> import pyarrow
    >>> measure(pyarrow.array(["abc", "abc", None]).dictionary_encode()).tolist()
    [3.0, 3.0, 0.0]
    """
    import numpy as np

    types = import_module("pyarrow").types
    if types.is_dictionary(column.type):
        codes = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
        known = column.is_valid().to_numpy(zero_copy_only=False)
        if not len(column.dictionary):
            return np.zeros(len(column))
        return np.where(known, _measure_some(column.dictionary, codes), 0.0)
    if types.is_list(column.type) or types.is_large_list(column.type):
        ends = column.offsets.to_numpy()
        first, last = int(ends[0]), int(ends[-1])
        inside = measure(column.values.slice(first, last - first)) + _CELL
        total = np.concatenate([[0.0], np.cumsum(inside)])
        return np.asarray(np.diff(total[ends - first]))
    return _measure_some(column, np.arange(len(column)))


def _measure_some(column: Array, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the bytes of some cells, without a look at the others."""
    import numpy as np

    types = import_module("pyarrow").types
    is_large = types.is_large_string(column.type) or types.is_large_binary(column.type)
    if is_large or types.is_string(column.type) or types.is_binary(column.type):
        kind = np.dtype(np.int64 if is_large else np.int32)
        buffer = column.buffers()[1]
        if buffer is None or not len(column):
            return np.zeros(len(places))
        ends = np.frombuffer(buffer, kind, len(column) + 1, column.offset * kind.itemsize)
        return np.asarray(ends[places + 1] - ends[places], np.float64)
    if types.is_list(column.type) or types.is_large_list(column.type):
        return measure(column)[places]
    return np.full(len(places), float(_CELL))
