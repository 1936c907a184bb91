"""Bodies of requests: their bytes are counted as they arrive, and they have to arrive in time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hardlimit.foundation.formatting import format_bytes
from hardlimit.service.problems import Problem

Receive = Callable[[], Awaitable[Any]]


class Gone(Exception):  # noqa: N818  (no error: nobody is there to be told)
    """The client went away in the middle of its request."""


async def read(receive: Receive, headers: dict[bytes, bytes], most: int, seconds: float) -> bytes:
    """Return a body of at most ``most`` bytes, whatever its header says of its length."""
    told = headers.get(b"content-length", b"0")
    if told.isdigit() and int(told[:20]) > most:
        raise _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            return await _collect(receive, most)
    except TimeoutError:
        raise Problem(
            408,
            "too-slow",
            f"the body did not arrive within {seconds:g} seconds",
            where="body",
            fix="send it at once",
        ) from None


async def _collect(receive: Receive, most: int) -> bytes:
    message = await receive()
    body: bytes = _part(message)
    if not message.get("more_body"):
        if len(body) > most:
            raise _too_large(most)
        return body
    parts, length = [body], len(body)
    while message.get("more_body"):
        if length > most:
            raise _too_large(most)
        message = await receive()
        parts.append(_part(message))
        length += len(parts[-1])
    if length > most:
        raise _too_large(most)
    return b"".join(parts)


def _part(message: Any) -> bytes:
    if message["type"] == "http.disconnect":
        raise Gone
    part: bytes = message.get("body", b"")
    return part


def _too_large(most: int) -> Problem:
    return Problem(
        413,
        "body-too-large",
        f"the body has more than {format_bytes(most)}",
        where="body",
        wanted=f"at most {most} bytes",
        fix="send fewer texts in one request",
    )


async def drain(receive: Receive, most: int, seconds: float) -> None:
    """Take what a client still sends, for a while: a closed door would cost it the answer."""
    try:
        async with asyncio.timeout(seconds):
            length, message = 0, {"more_body": True}
            while message.get("more_body") and length <= most:
                message = await receive()
                length += len(_part(message))
    except (TimeoutError, Gone):
        return
