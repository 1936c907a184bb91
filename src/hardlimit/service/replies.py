"""What a request is answered with, before anything is sent."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Response

from hardlimit.service.plain import to_json

JSON = b"application/json"


class Reply(NamedTuple):
    """Status, headers and body; ``content-length`` and what every answer has are added later."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def json_response(value: object, status: int = 200) -> Response:
    """Return a value as JSON, as an endpoint answers."""
    return Response(to_json(value), status, media_type="application/json")
