"""``.npy``: an array of rows; its labels are in a file of their own, such as ``y.npy``.

Labels are looked for beside ``X.npy`` as ``y.npy`` (``X_train.npy`` and ``y_train.npy``,
``features`` and ``labels``). Arrays of more than two dimensions become rows. Doubles stay on the
disk, mapped.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit.readers import arrays
from hardlimit.readers.numbers import LoadOptions, Numbers, NumericFormat


def load(path: str, options: LoadOptions) -> Numbers:
    """Read the rows and, where they are needed, their labels."""
    X = arrays.as_rows(path, arrays.read_file(path))
    arrays.check_width(path, X.shape[1], options)
    return arrays.to_numbers(X, arrays.load_labels(path, options, len(X)))


def blocks(path: str, options: LoadOptions) -> Iterator[Numbers]:
    """Read the rows some at a time; the labels, a number each, are read whole."""
    with arrays.opened(path) as (file, size):
        n_rows = arrays.count_rows(path, file, size)
        y = arrays.load_labels(path, options, n_rows)
        yield from arrays.to_blocks(arrays.blocks_of(path, file, size), y, path, options)


NUMERIC = NumericFormat(
    "npy", (".npy",), load, "numpy's array of rows", takes_path=True, blocks=blocks
)
