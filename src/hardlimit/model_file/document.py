"""The document: the one metadata entry of a model file, canonical JSON under a digest of its own.

Canonical means: one spelling. Written again, a parsed document gives the same bytes, so that equal
models are equal files and a changed byte has nowhere to hide.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from hardlimit import _native
from hardlimit.exceptions import Given, InputError, ModelFileError
from hardlimit.model_file.table import RESTORE, Tensor

ENTRY = "hardlimit"
FORMAT = "hardlimit model"
VERSION = 3  # written; every earlier one is read
MAX_DEPTH = 32
KEYS = {"digest", "format", "header", "kind", "tensors", "version"}


def canonical(value: object) -> str:
    r"""Return the canonical JSON text of ``value``.

    >>> canonical({"b": [1, 0.5], "a": "é"})
    '{"a":"\\u00e9","b":[1,0.5]}'
    """
    # NaN is no JSON: other readers would refuse the whole file.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_text(text: str) -> str:
    """Return the digest of an ASCII text as 16 hexadecimal digits.

    >>> digest_text("hardlimit")
    'a4b8dc45e83d6522'
    """
    return f"{_native.digest(text.encode('ascii')):016x}"


def compose(header: Mapping[str, Any], tensors: Mapping[str, dict[str, Any]]) -> str:
    """Return the document of a model with this ``header`` and these entries of ``tensors``.

    Raises
    ------
    InputError
        If the header has no ``kind`` or holds what JSON cannot give back as it was.
    """
    kind = header.get("kind")
    if not isinstance(kind, str) or not kind:
        raise InputError(
            who="model file: header['kind']", got=kind, wanted="a text: what the model is"
        )
    _check_plain(dict(header), "header", 0)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "header": dict(header),
        "tensors": dict(tensors),
    }
    document["digest"] = digest_text(canonical(document))
    return canonical(document)


def parse(table: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the document of a container's header, every part of it checked but the tensors."""
    metadata = table.get("__metadata__")
    if not isinstance(metadata, dict) or not isinstance(metadata.get(ENTRY), str):
        raise ModelFileError(
            f"no '{ENTRY}' entry in its metadata: a safetensors file of another program", where=path
        )
    text = metadata[ENTRY]
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(
            f"the header is damaged: its '{ENTRY}' entry is no document", where=path, fix=RESTORE
        )
    # Before keys and digest, both of which a newer release may have changed.
    _refuse_other_version(document.get("version"), path)
    if not (set(metadata) == {ENTRY} and set(document) == KEYS and _is_intact(document, text)):
        raise ModelFileError(
            "the header is damaged: it does not have the digest that it states",
            where=path,
            fix=RESTORE,
        )
    if _is_too_deep(document["header"]):
        raise ModelFileError(f"the header is nested deeper than {MAX_DEPTH} levels", where=path)
    return document


def digests(document: dict[str, Any], name: str) -> list[int]:
    """Return the digests of the blocks of a tensor, one a block of 1 MiB."""
    text = document["tensors"][name]["digests"]
    return [int(text[at : at + 16], 16) for at in range(0, len(text), 16)]


def check_same_tensors(document: dict[str, Any], tensors: Mapping[str, Tensor], path: str) -> None:
    """Refuse a file whose document and container disagree on names, types, shapes or blocks."""
    listed = document["tensors"]
    if not isinstance(listed, dict) or set(listed) != set(tensors):
        different = sorted(set(tensors).symmetric_difference(listed or ()))
        raise ModelFileError(
            f"tensor '{different[0] if different else '?'}' has no digest, or no contents: the "
            "file was changed after it was written",
            where=path,
            fix=RESTORE,
        )
    for name, tensor in tensors.items():
        if not _describes(listed[name], tensor):
            raise ModelFileError(
                f"tensor '{name}' differs in type, shape or number of digests from what the "
                "document states: the file was changed after it was written",
                where=path,
                fix=RESTORE,
            )


def entry_of(dtype: str, shape: tuple[int, ...], block_digests: list[int]) -> dict[str, Any]:
    """Return what the document states of one tensor."""
    text = "".join(f"{digest:016x}" for digest in block_digests)
    return {"digests": text, "dtype": dtype, "shape": list(shape)}


def _describes(entry: object, tensor: Tensor) -> bool:
    if not isinstance(entry, dict) or set(entry) != {"digests", "dtype", "shape"}:
        return False
    text, block = entry["digests"], _native.DIGEST_BLOCK_SIZE
    n_blocks = (tensor.end - tensor.begin + block - 1) // block
    return (
        entry["dtype"] == tensor.dtype
        and entry["shape"] == list(tensor.shape)
        and isinstance(text, str)
        and len(text) == 16 * n_blocks
        and set(text) <= set("0123456789abcdef")
    )


def _is_intact(document: dict[str, Any], text: str) -> bool:
    try:
        if canonical(document) != text:
            return False
        unsigned = canonical({key: value for key, value in document.items() if key != "digest"})
    except (ValueError, RecursionError):
        return False
    kind, header = document["kind"], document["header"]
    fits = isinstance(header, dict) and isinstance(kind, str) and header.get("kind") == kind
    return fits and document["digest"] == digest_text(unsigned)


def _is_too_deep(header: dict[str, Any]) -> bool:
    """Tell whether something stands more than `MAX_DEPTH` levels below the header."""
    level: list[Any] = [header]
    for _ in range(MAX_DEPTH):
        inside = (one.values() if type(one) is dict else one for one in level)
        level = [one for items in inside for one in items if isinstance(one, dict | list)]
    return any(level)


def _refuse_other_version(version: object, path: str) -> None:
    if type(version) is not int or version < 1:
        raise ModelFileError(
            f"the header is damaged: {version!r:.40} is no version", where=path, fix=RESTORE
        )
    if version > VERSION:
        raise ModelFileError(
            f"written by a newer hardlimit (format {str(version):.40}); this one reads up to "
            f"{VERSION}",
            where=path,
            fix="pip install --upgrade hardlimit",
        )


def _check_plain(value: object, where: str, depth: int) -> None:
    """Refuse what would come back from JSON as something else."""
    who = f"model file: {where:.80}"
    if depth > MAX_DEPTH:
        raise InputError(f"nested deeper than {MAX_DEPTH} levels", who=who)
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise InputError(who=who, got=Given(f"the key {key!r:.80}"), wanted="a text")
            _check_plain(item, f"{where:.80}[{key!r:.80}]", depth + 1)
    elif type(value) is list:
        for index, item in enumerate(value):
            _check_plain(item, f"{where:.80}[{index}]", depth + 1)
    elif type(value) is float and not math.isfinite(value):
        raise InputError(who=who, got=value, wanted="a finite number")
    elif value is not None and type(value) not in (str, int, float, bool):
        raise InputError(
            who=who,
            got=Given(f"a value of type {type(value).__name__}"),
            wanted="str, int, float, bool, None, list or dict: JSON keeps only these",
            fix="convert it first",
        )
