"""uvicorn's HTTP connection, with what it leaves out: header lines have a limit and a time-out.

A client that sends its header byte by byte would hold a connection for ever (slowloris), and one
whose header never ends would fill the memory.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hardlimit.service.problems import CONTENT_TYPE, Problem

MOST_HEADER = 32 << 10


class Connection(HttpToolsProtocol):
    """One connection."""

    seconds = 10.0
    most_connections = 1000
    _timer: asyncio.TimerHandle | None = None
    _bytes = 0
    _in_body = False
    _begun = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a header."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            detail = f"{self.most_connections} connections are open"
            self._turn_away(503, detail, "busy")
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
        super().data_received(data)
        # Empty lines between two requests end the waiting of an idle connection too.
        idle = not self._in_body and self.timeout_keep_alive_task is None and self._is_free()
        if self._timer is None and (self._begun or idle):
            self._wait()
        if not self._in_body and self._bytes > MOST_HEADER:
            self._turn_away(431, f"the header has more than {MOST_HEADER} bytes")

    def on_message_begin(self) -> None:
        """Count the time of a header from its first byte."""
        self._begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the next header only when it begins."""
        self._in_body, self._begun, self._bytes = True, False, 0
        self._stop()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count again what comes next."""
        self._in_body = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in the form of all refusals."""
        self._turn_away(400, "the request is not HTTP/1.1")

    def _is_free(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self._late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        self._turn_away(408, f"the header did not arrive within {self.seconds:g} seconds")

    def _turn_away(self, status: int, detail: str, topic: str = "bad-request") -> None:
        if self.transport is None or self.transport.is_closing():
            return
        cycle = self.cycle
        if not self._is_free() and not cycle.more_body:
            # The answer before it is under way: the connection ends with that one.
            cycle.keep_alive = False
            self.flow.pause_reading()
            return
        if self._is_free() or not cycle.response_started:
            self.transport.write(_whole(Problem(status, topic, detail)))
        self.transport.close()


def protocol_class(seconds: float, most_connections: int) -> type[asyncio.Protocol]:
    """Return the class of so many connections, whose headers have to come in this time."""
    limits = {"seconds": seconds, "most_connections": most_connections}
    return type("Connection", (Connection,), limits)


def _whole(problem: Problem) -> bytes:
    body = problem.body()
    head = (
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\n"
        f"content-type: {CONTENT_TYPE.decode()}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
