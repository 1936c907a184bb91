"""``.npy``: an array of rows; its labels are in a file of their own, such as ``y.npy``.

Labels are looked for beside ``X.npy`` as ``y.npy`` (``X_train.npy`` and ``y_train.npy``,
``features`` and ``labels``). Arrays of more than two dimensions become rows. Doubles stay on the
disk, mapped.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardlimit.readers import arrays
from hardlimit.readers.numbers import LoadOptions, Numbers, NumericFormat


def read(path: str, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read the rows; in a stream the labels, a number each, are read whole."""
    with arrays.opened(path) as (file, size):
        if whole:
            X = arrays.as_rows(path, arrays.read_array(path, file, size))
            arrays.check_width(path, X.shape[1], options)
            blocks, n_rows = iter([X]), len(X)
        else:
            n_rows = arrays.count_rows(path, file, size)
            blocks = arrays.blocks_of(path, file, size)
        y = arrays.load_labels(path, options, n_rows)
        yield from arrays.to_blocks(blocks, y, path, options)


NUMERIC = NumericFormat("npy", (".npy",), read, "numpy's array of rows", takes_path=True)
