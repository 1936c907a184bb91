"""The container of a model file, read by docs/model-format.md, sections 1 to 4, alone.

Nothing of hardlimit and nothing but the standard library is imported.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from dataclasses import dataclass
from typing import Any

K = (
    0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
    0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917,
)  # fmt: skip
MASK = (1 << 64) - 1
BLOCK = 1 << 20
# The type codes of Python's arrays, and the bytes of an element.
TYPES = {
    "F64": ("d", 8), "F32": ("f", 4), "I64": ("q", 8), "I32": ("i", 4), "I16": ("h", 2),
    "I8": ("b", 1), "U64": ("Q", 8), "U32": ("I", 4), "U16": ("H", 2), "U8": ("B", 1),
    "BOOL": ("B", 1), "F16": ("H", 2),
}  # fmt: skip
NAME = re.compile(r"(answer|state)\.[A-Za-z0-9_.\-]+")


class RefusedError(Exception):
    """A file that is not what was written."""


def want(good: bool, what: str) -> None:
    """Refuse a file unless something holds."""
    if not good:
        raise RefusedError(what)


def fold(a: int, b: int) -> int:
    """Low half xor high half of the product of 128 bits."""
    product = a * b
    return (product & MASK) ^ (product >> 64)


def digest(data: bytes) -> str:
    """Section 4."""
    lanes = list(K[:4])
    padded = data + bytes(-len(data) % 64)
    for at in range(0, len(padded), 64):
        w = [int.from_bytes(padded[i : i + 8], "little") for i in range(at, at + 64, 8)]
        for i, lane in enumerate(lanes):
            turned = (lane << 23 | lane >> 41) & MASK
            lanes[i] = (turned + fold(w[2 * i] ^ K[4 + i], w[2 * i + 1] ^ lane)) & MASK
    h = len(data)
    for i, lane in enumerate(lanes):
        h = (fold(h ^ lane ^ K[i], K[4 + i]) + lane) & MASK
    return f"{h:016x}"


def canonical(value: object) -> str:
    """Section 2."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass
class Container:
    """A file whose every byte was checked."""

    kind: str
    version: int
    header: dict[str, Any]
    arrays: dict[str, array[Any]]
    shapes: dict[str, list[int]]
    digest: str

    def under(self, prefix: str) -> dict[str, array[Any]]:
        """The arrays whose names begin so, without that beginning."""
        return {n[len(prefix) :]: a for n, a in self.arrays.items() if n.startswith(prefix)}


def read(path: str | os.PathLike[str]) -> Container:
    """Read and check all of a file."""
    with open(path, "rb") as file:
        return parse(file.read())


def parse(data: bytes) -> Container:
    """Check all of a file."""
    want(len(data) >= 9 and data[8:9] == b"{", "no model file")
    length = int.from_bytes(data[:8], "little")
    want(length <= 16 << 20 and 8 + length <= len(data), "the header is too long")
    table, document = _parse_header(data[8 : 8 + length])
    arrays, shapes, at = {}, {}, 8 + length
    entries = [(n, e) for n, e in table.items() if n != "__metadata__"]
    want(all(set(e) == {"dtype", "shape", "data_offsets"} for _, e in entries), "no tensor")
    want({n for n, _ in entries} == set(document["tensors"]), "other tensors in the document")
    for name, entry in sorted(entries, key=lambda pair: pair[1]["data_offsets"]):
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        want(begin == at and begin <= end <= len(data), f"{name}: gaps or overlaps")
        arrays[name] = _read_tensor(name, entry, document["tensors"][name], data, begin, end)
        shapes[name], at = entry["shape"], end
    want(at == len(data), "something behind the last tensor")
    return Container(
        document["kind"], document["version"], document["header"], arrays, shapes,
        document["digest"],
    )  # fmt: skip


def _parse_header(raw: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    text = raw.rstrip(b" ")
    want(len(raw) - len(text) <= 7 and len(raw) % 8 == 0, "the padding")
    try:
        table = json.loads(text)
        again = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode()
        want(again == text, "the header is not as it was written")
        metadata = table["__metadata__"]
        want(set(metadata) == {"hardlimit"}, "other metadata")
        document = json.loads(metadata["hardlimit"])
        want(canonical(document) == metadata["hardlimit"], "the document is not canonical")
        want(document["format"] == "hardlimit model", "another format")
        want(document["version"] in (1, 2, 3), "another version")
        keys = {"format", "version", "kind", "header", "tensors", "digest"}
        want(set(document) == keys, "other keys")
        stated = document["digest"]
        unsigned = {key: value for key, value in document.items() if key != "digest"}
        want(digest(canonical(unsigned).encode()) == stated, "the digest of the document")
        want(document["header"]["kind"] == document["kind"], "two kinds")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RefusedError(f"the header cannot be read: {error!r}") from None
    return table, document


def _read_tensor(
    name: str, entry: Any, listed: Any, data: bytes, begin: int, end: int
) -> array[Any]:
    want(bool(NAME.fullmatch(name)) and entry["dtype"] in TYPES, f"{name}: name or type")
    code, size = TYPES[entry["dtype"]]
    shape, count, most = entry["shape"], size, size
    # JSON's true and 2.0 are numbers to Python.
    want(all(type(extent) is int and extent >= 0 for extent in shape), f"{name}: the shape")
    for extent in shape:
        count, most = count * extent, most * max(extent, 1)
    want(len(shape) <= 8 and count == end - begin and most < 1 << 62, f"{name}: the shape")
    want(begin % size == 0, f"{name}: the alignment")
    blocks = [data[at : min(at + BLOCK, end)] for at in range(begin, end, BLOCK)]
    digests = "".join(map(digest, blocks))
    stated = {"digests": digests, "dtype": entry["dtype"], "shape": entry["shape"]}
    want(listed == stated, f"{name}: damaged")
    numbers = array(code)
    numbers.frombytes(data[begin:end])
    return numbers
