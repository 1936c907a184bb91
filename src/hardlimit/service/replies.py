"""What a request is answered with, before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import Response

JSON = b"application/json"


class Reply(NamedTuple):
    """Status, headers and body; ``content-length`` and what every answer has are added later."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON, as an endpoint answers."""
    return Response(to_json(value), status, media_type="application/json")


def to_json(value: object) -> bytes:
    """Return JSON on one line, ASCII; infinities and NaN become null, bytes text."""
    # ASCII, since texts of a ledger may have lone surrogates, which no encoding takes.
    try:
        return _ENCODER.encode(value).encode()
    except ValueError:
        # Rare, so the common case does not pay for looking at each number.
        return _ENCODER.encode(_finite(value)).encode()


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
