"""Labels as plain JSON: their kind and a text, so that 1, 1.0, "1", True and b"1" stay apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from hardlimit.exceptions import InputError, ModelFileError

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
    """Kind and text of each label.

    >>> to_json(["ham", 1, True, 0.5])
    [['str', 'ham'], ['int', '1'], ['bool', 'True'], ['float', '0x1.0000000000000p-1']]
    """
    found = []
    for label in labels:
        if type(label) not in _WRITE:
            raise InputError(
                f"save: the label {label!r} is of kind {type(label).__name__}; a model file holds "
                "str, int, float, bool and bytes"
            )
        found.append([type(label).__name__, _WRITE[type(label)](label)])
    return found


def from_json(data: Any) -> list[Hashable]:
    """The labels again; what no release wrote is refused.

    >>> from_json([["str", "ham"], ["int", "1"]])
    ['ham', 1]
    """
    try:
        labels = [_READ[kind](text) for kind, text in data]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"model file: labels that cannot be read ({error!r})") from None
    if len(set(labels)) != len(labels) or not labels:
        raise ModelFileError("model file: the labels are missing or stand there twice")
    return labels
