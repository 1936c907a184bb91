"""Labels as plain JSON: their kind and a text, so that 1, 1.0, "1", True and b"1" stay apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from hardlimit.exceptions import Given, InputError, ModelFileError

_WRITE: dict[type, Callable[[Any], str]] = {
    str: str,
    int: str,
    bool: str,
    float: float.hex,
    bytes: bytes.hex,
}
_READ: dict[str, Callable[[str], Hashable]] = {
    "str": str,
    "int": int,
    "bool": lambda text: {"True": True, "False": False}[text],
    "float": float.fromhex,
    "bytes": bytes.fromhex,
}


def to_json(labels: Iterable[Hashable]) -> list[list[str]]:
    """Return kind and text of each label.

    >>> to_json(["ham", 1, True, 0.5])
    [['str', 'ham'], ['int', '1'], ['bool', 'True'], ['float', '0x1.0000000000000p-1']]
    """
    written = []
    for label in labels:
        kind = type(label)
        if kind not in _WRITE:
            raise InputError(
                who="save",
                parameter="labels",
                got=Given(f"{label!r} of type {kind.__name__}"),
                wanted="str, int, float, bool and bytes, which a model file can hold",
            )
        written.append([kind.__name__, _WRITE[kind](label)])
    return written


def from_json(data: Sequence[tuple[str, str]]) -> list[Hashable]:
    """Return the labels again; what no release wrote is refused.

    >>> from_json([["str", "ham"], ["int", "1"]])
    ['ham', 1]
    """
    try:
        labels = [_READ[kind](text) for kind, text in data]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"labels that cannot be read ({error!r})", who="model file") from None
    if len(set(labels)) != len(labels) or not labels:
        raise ModelFileError("the labels are missing or stand there twice", who="model file")
    return labels
