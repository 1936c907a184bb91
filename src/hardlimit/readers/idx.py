"""IDX, the format of MNIST: images and their labels in two files.

``train-images-idx3-ubyte(.gz)`` has its labels beside it as ``train-labels-idx1-ubyte(.gz)``, or in
the file that the label names. Each image is a row.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from hardlimit.exceptions import DataFormatError, Given, Setting
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers import arrays
from hardlimit.readers.numbers import (
    LoadOptions,
    Numbers,
    NumericFormat,
    gathered_numbers,
)
from hardlimit.readers.opening import open_plain, strip_compression

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TYPES = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
_MOST_DIMENSIONS = 8
_BLOCK = 1 << 20
_NAME = re.compile(r"[-.]idx\d(?:-\w+)?$|\.idx$")


def recognise(path: str) -> bool:
    """Tell by the name, which often has no extension."""
    return _NAME.search(os.path.basename(strip_compression(path)).lower()) is not None


def read(path: str, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read the images; in a stream the labels, a number each, are read whole."""
    with open_plain(path) as plain:
        shape, dtype = _read_head(path, plain)
        if len(shape) < 2:
            where = f"{path}: labels, and no rows"
            raise DataFormatError(where, where=path, fix="give the file of the images")
        images = arrays.read_rows(path, plain.read, shape, dtype)
        if whole:
            images = iter([arrays.as_rows(path, _read_array(path, plain, shape, dtype))])
        y = None
        if options.need_label:
            beside = _find_labels(path, options)
            y = arrays.as_labels(beside, _read_file(beside), shape[0])
        yield from arrays.to_blocks(images, y, path, options)
        if plain.read(1):
            raise DataFormatError(f"its header says {shape}, but there is more", where=path)


def _find_labels(path: str, options: LoadOptions) -> str:
    if isinstance(options.label, str):
        return options.label
    folder, name = os.path.split(storage.without_query(path))
    guess = re.sub(r"idx\d", "idx1", name.replace("images", "labels", 1))
    bare = strip_compression(guess)
    for beside in (guess, bare, *(bare + end for end in (".gz", ".xz", ".bz2", ".zst"))):
        candidate = os.path.join(folder, beside)
        if beside != name and storage.exists(candidate):
            return candidate
    raise DataFormatError(
        f"there is no file of labels beside it, such as {guess!r}",
        where=path,
        fix=("say ", Setting("label", Given("FILE"))),
    )


def _read_head(path: str, plain: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and the type of the numbers that follow."""
    import numpy as np

    head = plain.read(4)
    if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _TYPES or not head[3]:
        raise DataFormatError("this is no IDX file: its magic number is wrong", where=path)
    if head[3] > _MOST_DIMENSIONS:
        raise DataFormatError(f"{head[3]} dimensions are too many", where=path)
    sizes = plain.read(4 * head[3])
    dtype = np.dtype(_TYPES[head[2]])
    if len(sizes) < 4 * head[3]:
        raise DataFormatError("cut off in its header", where=path)
    shape = tuple(int(n) for n in np.frombuffer(sizes, ">u4"))
    arrays.check_size(path, shape, dtype)
    return shape, dtype


def _read_file(path: str) -> NDArray[Any]:
    with open_plain(path) as plain:
        return _read_array(path, plain, *_read_head(path, plain))


def _read_array(
    path: str, plain: BinaryIO, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> NDArray[Any]:
    import numpy as np

    wanted = math.prod(shape) * dtype.itemsize
    data, gathered = bytearray(), gathered_numbers(path)
    # by blocks: a header may promise more than any memory has
    while len(data) <= wanted and (block := plain.read(_BLOCK)):
        data += block
        gathered.add(len(block))
    if len(data) != wanted:
        more = "more" if len(data) > wanted else f"{len(data):,}"
        reason = f"its header says {shape}, {plural(wanted, 'byte')}, but there are {more}"
        raise DataFormatError(reason, where=path)
    return np.frombuffer(data, dtype).reshape(shape)


NUMERIC = NumericFormat(
    "idx",
    (".idx",),
    read,
    "IDX (MNIST): images, labels beside",
    takes_path=True,
    recognises=recognise,
)
