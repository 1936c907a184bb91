"""Values as JSON, and labels back from it."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from hardlimit.foundation.formatting import format_label


def to_json(value: object) -> bytes:
    """Return JSON on one line, ASCII; infinities and NaN become null, bytes text."""
    # ASCII, since texts of a ledger may have lone surrogates, which no encoding takes.
    try:
        return _ENCODER.encode(value).encode()
    except ValueError:
        # Rare, so the common case does not pay for looking at each number.
        return _ENCODER.encode(_finite(value)).encode()


def find_label(given: Hashable, classes: Sequence[Hashable]) -> Hashable:
    """Return the class that a client means; a label that is none of them stays what it is.

    >>> find_label("3", [1, 3]), find_label(3, ["3", "4"]), find_label("new", [1, 3])
    (3, '3', 'new')
    """
    for label in classes:
        # 1 == True == 1.0, and each of them is a label of its own.
        if type(label) is type(given) and label == given:
            return label
    shown = format_label(given)
    return next((label for label in classes if format_label(label) == shown), given)


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _builtin(value: object) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    raise TypeError(f"no JSON for {type(value).__name__}")


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=_builtin)
