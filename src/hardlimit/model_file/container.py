"""The container: a safetensors file, byte for byte as the safetensors library writes it.

The length of the header (8 bytes, little-endian), the header (JSON, spaces up to a multiple of 8),
then the tensors one after another, those of large elements first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

# From the front of a file to its end; of one type by their names. It is the library's own order.
ORDER = ("U64", "I64", "F64", "F32", "U32", "I32", "F16", "U16", "I16", "I8", "U8", "BOOL")
# Bytes of one call of the system: an interrupt waits for no more than one.
PIECE = 1 << 24


def write_container(
    path: str | os.PathLike[str],
    tensors: Mapping[str, tuple[str, np.ndarray[Any, Any]]],
    metadata: Mapping[str, str],
) -> None:
    """Write these tensors (the code of the type, a contiguous array) straight from their memory.

    Raises
    ------
    OSError
        What the system says; the file may then hold a part.

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "numbers")
    ...     write_container(path, {"x": ("U8", np.array([72, 76], np.uint8))}, {})
    ...     path.read_bytes()[8:].decode().split()
    ['{"__metadata__":{},"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}', 'HL']
    """
    names = sorted(tensors, key=lambda name: (ORDER.index(tensors[name][0]), name))
    table: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name in names:
        code, array = tensors[name]
        begin, end = end, end + array.nbytes
        table[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [begin, end]}
    header = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb", buffering=0) as file:
        _write(file, len(header).to_bytes(8, "little") + header)
        for name in names:
            _write(file, tensors[name][1].reshape(-1).view("uint8").data)


def _write(file: IO[bytes], contents: bytes | memoryview) -> None:
    view = memoryview(contents)
    while view:
        # Of a full disk the system takes a part first, and refuses the next.
        view = view[file.write(view[:PIECE]) :]
