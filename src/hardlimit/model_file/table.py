"""The header of the container: names, types, shapes and places of the tensors, strictly read.

Everything is checked here before a byte is allocated for it or mapped: a file is hostile until its
header agrees with its size.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from hardlimit.exceptions import ModelFileError
from hardlimit.foundation.formatting import plural

MAX_HEADER = 16 << 20
MAX_DIMENSIONS = 8
MAX_TENSOR = 1 << 62
RESTORE = "restore the file or train again"
NAME = re.compile(r"(answer|state)\.[A-Za-z0-9_.\-]+")

# The code in the file, the size of an element, numpy's name of the type.
ELEMENTS = {
    "F64": (8, "float64"),
    "F32": (4, "float32"),
    "F16": (2, "float16"),
    "I64": (8, "int64"),
    "I32": (4, "int32"),
    "I16": (2, "int16"),
    "I8": (1, "int8"),
    "U64": (8, "uint64"),
    "U32": (4, "uint32"),
    "U16": (2, "uint16"),
    "U8": (1, "uint8"),
    "BOOL": (1, "bool"),
}


class Tensor(NamedTuple):  # not a dataclass: importing those costs more than reading a model
    """One tensor of a model file; ``begin`` and ``end`` count bytes from the start of the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def header_length(start: bytes, size: int, path: str) -> int:
    """Return the length of the header from the first 9 bytes of a file of ``size`` bytes.

    Raises
    ------
    ModelFileError
        If this is no safetensors file, if its header claims too much, or if it is cut off.
    """
    # The brace is looked at before the length in front of it is believed.
    if len(start) < 9 or start[8:9] != b"{":
        raise ModelFileError(f"not a hardlimit model: {_looks_like(start)}", where=path)
    length = int.from_bytes(start[:8], "little")
    if length > MAX_HEADER:
        raise ModelFileError(
            f"the header claims {plural(length, 'byte')}, at most {MAX_HEADER:,} are allowed: "
            "the file is "
            "damaged or no hardlimit model",
            where=path,
        )
    if 8 + length > size:
        raise _truncated(path, 8 + length - size, "in its header, at least")
    return length


def parse(raw: bytes, path: str) -> dict[str, Any]:
    """Return the header as a dict; refuse it unless writing it again gives the same bytes."""
    text = raw.rstrip(b" ")
    try:
        table = json.loads(text)
        # json.loads takes double keys and odd spaces in silence; writing it again shows them.
        again = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        again = b""
        table = None
    # safetensors pads with 7 spaces at most, so that the tensors begin aligned.
    if not isinstance(table, dict) or again != text or len(raw) - len(text) > 7 or len(raw) % 8:
        raise ModelFileError(
            "the header is damaged: not JSON, or not as it was written (double keys, odd spaces)",
            where=path,
            fix=RESTORE,
        )
    return table


def tensors(table: dict[str, Any], data_begin: int, size: int, path: str) -> dict[str, Tensor]:
    """Return the tensors in the order of the file, checked against its ``size``."""
    in_order = [
        _tensor(name, entry, data_begin, path)
        for name, entry in table.items()
        if name != "__metadata__"
    ]
    in_order.sort(key=lambda tensor: (tensor.begin, tensor.end))
    at = data_begin
    # In the order of the bytes gaps and overlaps both show as a wrong beginning.
    for tensor in in_order:
        if tensor.begin != at:
            raise _wrong(path, tensor.name, f"begins at byte {tensor.begin}, expected {at}")
        at = tensor.end
    if at > size:
        raise _truncated(path, at - size, "at its end")
    if at < size:
        raise ModelFileError(
            f"{plural(size - at, 'byte')} after the last tensor: the file is damaged or "
            "something was appended to it",
            where=path,
            fix=RESTORE,
        )
    return {tensor.name: tensor for tensor in in_order}


def _tensor(name: str, entry: object, data_begin: int, path: str) -> Tensor:
    if not NAME.fullmatch(name):
        raise _wrong(path, name, "has a name that does not begin with 'answer.' or 'state.'")
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise _wrong(path, name, "lacks its type, shape or offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in ELEMENTS:
        raise _wrong(path, name, f"has the unknown element type {dtype!r:.40}")
    if not _counts(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise _wrong(path, name, f"has impossible offsets ({str(offsets):.60})")
    if not _counts(shape) or len(shape) > MAX_DIMENSIONS:
        raise _wrong(path, name, f"has an impossible shape ({str(shape):.80})")
    item_size = ELEMENTS[dtype][0]
    n_bytes = capacity = item_size
    for extent in shape:
        n_bytes *= extent
        capacity *= max(extent, 1)  # numpy refuses these even where an extent of 0 empties them
    if capacity >= MAX_TENSOR:
        raise _wrong(path, name, f"has an impossible shape ({str(shape):.80})")
    if n_bytes != offsets[1] - offsets[0]:
        raise _wrong(
            path,
            name,
            f"has {plural(offsets[1] - offsets[0], 'byte')}, its shape claims {n_bytes:,}",
        )
    if (data_begin + offsets[0]) % item_size:
        raise _wrong(path, name, f"begins at byte {offsets[0]}, which is not aligned")
    return Tensor(name, dtype, tuple(shape), data_begin + offsets[0], data_begin + offsets[1])


def _counts(values: object) -> bool:
    # Not isinstance: JSON's true is an int in Python, and no count.
    return isinstance(values, list) and all(type(v) is int and 0 <= v < MAX_TENSOR for v in values)


def _wrong(path: str, name: str, what: str) -> ModelFileError:
    return ModelFileError(f"tensor {name!r:.80} {what}", where=path, fix=RESTORE)


def _truncated(path: str, missing: int, where: str) -> ModelFileError:
    noun = "byte is" if missing == 1 else "bytes are"
    reason = f"truncated: {where} {missing:,} {noun} missing"
    return ModelFileError(reason, where=path, fix="copy the file again")


def _looks_like(start: bytes) -> str:
    if not start:
        return "the file is empty"
    for magic, what in _OTHER_FORMATS:
        if start.startswith(magic):
            return f"it looks like {what}"
    if all(byte >= 32 or byte in b"\t\r\n" for byte in start):
        return "it looks like text (a CSV file?); models are made by 'hardlimit train -o'"
    return "it does not begin with a safetensors header"


_OTHER_FORMATS = (
    (b"\x80", "a Python pickle, which is never loaded because it can execute code"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "gzip-compressed data: decompress it first"),
    (b"BZh", "bzip2-compressed data: decompress it first"),
    (b"\xfd7zXZ", "xz-compressed data: decompress it first"),
    (b"\x93NUMPY", "a numpy array"),
)
