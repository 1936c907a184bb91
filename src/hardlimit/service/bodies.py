"""Bodies of requests: their bytes are counted as they arrive, and they have to arrive in time."""

from __future__ import annotations

import asyncio
import codecs
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from hardlimit.foundation.formatting import format_bytes
from hardlimit.service.problems import Problem
from hardlimit.service.validation import not_json

# The words of ASGI: what a request is, what comes of its body, and what is answered.
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):  # noqa: N818  (no error: nobody is there to be told)
    """The client went away in the middle of its request."""


class Arriving:
    """A body that is not whole yet."""

    def __init__(self, holder: str, deadline: asyncio.Timeout) -> None:
        self.holder, self._deadline = holder, deadline
        self.content, self.gave_up = bytearray(), False

    def give_up(self) -> None:
        """End its waiting."""
        self.gave_up = True
        self._deadline.reschedule(asyncio.get_running_loop().time())


class Intake:
    """All bodies that are not whole yet: together they have at most so many bytes.

    If there are more, the holder of most bytes loses a body, so a slow sender keeps nobody out.
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._arriving: dict[Arriving, None] = {}

    def begin(self, one: Arriving) -> None:
        """Count a body from now on."""
        self._arriving[one] = None

    def add(self, one: Arriving, part: bytes) -> None:
        """Take a part of a body that arrives; another one, or this one, may have to go for it."""
        if one not in self._arriving:
            return
        one.content += part
        self.size += len(part)
        if self.size > self.most:
            victim = self._find_victim()
            self.end(victim)
            victim.give_up()

    def end(self, one: Arriving) -> None:
        """Count a body no more, and let go of it."""
        if one in self._arriving:
            del self._arriving[one]
            self.size -= len(one.content)
            one.content = bytearray()

    def _find_victim(self) -> Arriving:
        """Return the oldest body of at least mean size, of the holder of most bytes."""
        sizes: Counter[str] = Counter()
        for one in self._arriving:
            sizes[one.holder] += len(one.content)
        holder, size = max(sizes.items(), key=lambda pair: pair[1])
        theirs = [one for one in self._arriving if one.holder == holder]
        return next(one for one in theirs if len(one.content) * len(theirs) >= size)


class Reader:
    """Reads bodies of at most ``most`` bytes, each within so many seconds."""

    def __init__(self, most: int, seconds: float, intake: Intake) -> None:
        self.most, self.seconds, self._intake = most, seconds, intake

    async def read(self, receive: Receive, headers: dict[bytes, bytes], holder: str) -> bytes:
        """Return a body, whatever its header says of its length.

        holder : whose it is
        """
        told = headers.get(b"content-length", b"0")
        if told.isdigit() and int(told[:20]) > self.most:
            raise _too_large(self.most)
        arriving = None
        try:
            async with asyncio.timeout(self.seconds) as deadline:
                message = await receive()
                if not message.get("more_body"):
                    return self._check(_part(message))
                arriving = Arriving(holder, deadline)
                self._intake.begin(arriving)
                return await self._collect(receive, message, arriving)
        except TimeoutError:
            gave_up = arriving is not None and arriving.gave_up
            raise _too_much() if gave_up else _too_slow(self.seconds) from None
        finally:
            if arriving is not None:
                self._intake.end(arriving)

    async def _collect(self, receive: Receive, message: Message, arriving: Arriving) -> bytes:
        while True:
            self._intake.add(arriving, self._check(_part(message), len(arriving.content)))
            if not message.get("more_body"):
                break
            message = await receive()
        if arriving.gave_up:
            raise _too_much()
        return bytes(arriving.content)

    def _check(self, part: bytes, before: int = 0) -> bytes:
        if before + len(part) > self.most:
            raise _too_large(self.most)
        return part


def check_encoding(body: bytes) -> None:
    r"""Refuse JSON in another encoding than UTF-8, which Python's own reader would guess.

    Examples
    --------
    >>> check_encoding('{"text": "caf\u00e9"}'.encode())
    >>> check_encoding(b"\xff")
    Traceback (most recent call last):
    hardlimit.service.problems.Problem: the body is not JSON: it is not UTF-8
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        raise not_json("it is not UTF-8") from None
    if body.startswith(codecs.BOM_UTF8) or b"\0" in body:
        raise not_json("it is not UTF-8 without a byte order mark")


def _part(message: Message) -> bytes:
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


def _too_slow(seconds: float) -> Problem:
    return Problem(
        408,
        "too-slow",
        f"the body did not arrive within {seconds:g} seconds",
        where="body",
        fix="send it at once",
    )


def _too_much() -> Problem:
    return Problem(
        503,
        "busy",
        "other bodies needed the memory of this one before it was whole",
        where="body",
        headers=((b"retry-after", b"1"),),
        fix="send it at once",
    )


async def drain(receive: Receive, most: int, seconds: float) -> None:
    """Take what a client still sends, for a while: a closed door would cost it the answer."""
    try:
        async with asyncio.timeout(seconds):
            length, goes_on = 0, True
            while goes_on and length <= most:
                message = await receive()
                length += len(_part(message))
                goes_on = bool(message.get("more_body"))
    except (TimeoutError, Gone):
        return
