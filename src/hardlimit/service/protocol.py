"""uvicorn's HTTP connection, with what it leaves out: header lines have a limit and a time-out.

A client that sends its header byte by byte would hold a connection for ever (slowloris), and one
whose header never ends would fill the memory.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hardlimit.service.problems import CONTENT_TYPE, Problem

MOST_HEADER = 32 << 10


class Connection(HttpToolsProtocol):
    """One connection."""

    seconds = 10.0
    _timer: asyncio.TimerHandle | None = None
    _bytes = 0
    _in_body = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a header."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the bytes of a header."""
        if not self._in_body:
            # The whole piece: what of it is body comes to an end too.
            self._bytes += len(data)
            if self._timer is None:
                self._wait()
        super().data_received(data)
        if not self._in_body and self._bytes > MOST_HEADER:
            self._turn_away(431, f"the header has more than {MOST_HEADER} bytes")

    def on_headers_complete(self) -> None:
        """Wait for the next header only when it begins."""
        self._in_body, self._bytes = True, 0
        self._stop()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count again what comes next."""
        self._in_body = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in the form of all refusals."""
        self._turn_away(400, "the request is not HTTP/1.1")

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self._late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        self._turn_away(408, f"the header did not arrive within {self.seconds:g} seconds")

    def _turn_away(self, status: int, detail: str) -> None:
        if self.transport is None or self.transport.is_closing():
            return
        # In the middle of an answer there is no place for another.
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_whole(Problem(status, "bad-request", detail)))
        self.transport.close()


def protocol_class(seconds: float) -> type[asyncio.Protocol]:
    """Return the class of connections whose headers have to come in this time."""
    return type("Connection", (Connection,), {"seconds": seconds})


def _whole(problem: Problem) -> bytes:
    body = problem.body()
    head = (
        f"HTTP/1.1 {problem.status} Bad Request\r\ncontent-type: {CONTENT_TYPE.decode()}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
