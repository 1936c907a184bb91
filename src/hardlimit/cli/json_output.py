"""JSON for machines: one document on one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from hardlimit.foundation.formatting import label_to_json

__all__ = ["Json", "label_to_json", "print_json", "to_json"]

Json = dict[str, Any]


def print_json(value: object) -> None:
    """Print one JSON document on one line."""
    sys.stdout.write(to_json(value) + "\n")


def to_json(value: object) -> str:
    """Return JSON; numpy's numbers and bytes become Python's, infinities and NaN become null."""
    # Letters stay letters: labels in other scripts are to be read by people too.
    return json.dumps(_finite(value), ensure_ascii=False, default=_builtin)


def _finite(value: object) -> object:
    if isinstance(value, float):
        # inf - inf is NaN; JSON has neither, and Python would write words that others refuse.
        return value if value - value == 0 else None
    if isinstance(value, Mapping):
        # Labels may be numbers, and the keys of JSON are texts.
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _builtin(value: object) -> object:
    if isinstance(value, bytes):
        # Never fails: labels of bytes need not be UTF-8.
        return value.decode("utf-8", "backslashreplace")
    for method in ("item", "tolist"):  # numpy's scalars and arrays
        if hasattr(value, method):
            return _finite(getattr(value, method)())
    raise TypeError(f"no JSON for {type(value).__name__}")
