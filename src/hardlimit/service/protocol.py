"""uvicorn's HTTP connection, with what it leaves out: limits of bytes, fields and time.

A client that sends its header byte by byte would hold a connection for ever (slowloris); a header
or trailers (fields behind the last chunk of a body) without an end would fill the memory, and so
would many requests that are sent before the first is answered.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hardlimit.service.headers import MOST_BYTES, HeaderCount, too_long
from hardlimit.service.limits import REQUEST, REST, Crowd, Wait
from hardlimit.service.problems import CONTENT_TYPE, Problem, busy
from hardlimit.service.settings import Settings

# Requests of one connection that wait until those before them are answered.
MOST_WAITING = 16
# For how long, and how much, what a client still sends is read after it was refused: closing at
# once would cost it the answer.
LINGER_SECONDS, LINGER_BYTES = 1.0, 1 << 20


class HttpConnection(HttpToolsProtocol):
    """One connection."""

    settings = Settings()
    crowd: Crowd
    _since = 0.0
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _unsent = 0
    # Bytes since the last header or part of a body was whole: of a header, trailers, chunk sizes.
    _unparsed = 0
    _in_body = False
    _begun = False
    _upgrade = False
    # The request before the newest one.
    _before: Any = None
    # Why nothing more is read, and how much came since.
    _refusal: Problem | None = None
    _ignored = 0

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._count = HeaderCount()

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a header."""
        super().connection_made(transport)
        self._since = self.loop.time()
        most = self.settings.max_connections
        if len(self.connections) > most and not self.crowd.make_room(self.connections, self):
            self._turn_away(busy(f"{most} connections are open"))
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        self._stop_sending()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came, unless the client was refused."""
        if self._refusal is not None:
            self._ignore(len(data))
            return
        self._unparsed += len(data)
        self._unset_keepalive_if_required()
        self._feed(data)
        self._look()

    def on_message_begin(self) -> None:
        """Count the time and the bytes of a header from its first byte."""
        self._begun = True
        self._count.begin()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count bytes of the address."""
        self._check(self._count.add, len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a field; of a trailer nothing else is done, since nobody here asks for one."""
        self._check(self._count.add_field, name, value)
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Wait for the next header only when it begins."""
        self._unparsed = 0
        method = self.parser.get_method()
        self._check(self._count.add, len(method))
        self._check(self._check_request, method)
        self._upgrade = self.parser.should_upgrade()
        if self._upgrade:
            return
        self._in_body, self._begun = True, False
        self._stop()
        self._since, self._before = self.loop.time(), self.cycle
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, whose bytes are counted where it is read."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Count again what comes next."""
        self._in_body, self._unparsed = False, 0
        if not self._upgrade:
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Begin to watch whether the client takes its answer."""
        super().pause_writing()
        self._since = self.loop.time()
        self._watch_sending()

    def resume_writing(self) -> None:
        """Watch no more."""
        self._stop_sending()
        super().resume_writing()

    def waiting(self) -> Wait | None:
        """Return what this connection waits for, and since when; None of one that is worked on."""
        if self.transport.is_closing() or self.flow.write_paused:
            return REST, self._since
        if self._is_free():
            return REQUEST, self._since
        return (REST, self._since) if self.cycle.more_body else None

    def give_way(self) -> None:
        """End, for a new connection."""
        if self.transport.is_closing() or self.flow.write_paused or self._refusal is not None:
            self.transport.abort()
        elif self._begun or not self._is_free():
            self._turn_away(busy("others have been waiting for a connection"))
        else:
            self.transport.close()

    def _look(self) -> None:
        """Look at what has not come yet: how long it is already, and how long it may take."""
        if self._refusal is not None:
            return
        if self._unparsed > MOST_BYTES:
            self._refuse(too_long())
            return
        # Empty lines between two requests end the waiting of an idle connection too.
        idle = not self._in_body and self.timeout_keep_alive_task is None and self._is_free()
        if self._timer is None and (self._begun or idle):
            self._wait()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as stopped:
            self._stay(data[stopped.args[0] :])
        except httptools.HttpParserError:
            bad = Problem(400, "bad-request", "the request is not HTTP/1.1")
            self._refuse(self._refusal or bad)

    def _stay(self, rest: bytes) -> None:
        """Read a request that would like another protocol, as if it had not said so.

        The parser takes a body for that protocol already (Java's client asks so with each POST).
        """
        method, version = self.parser.get_method(), self.parser.get_http_version().encode()
        lines = [b"%b %b HTTP/%b" % (method, self.url, version)]
        lines += [b"%b: %b" % pair for pair in self.headers if pair[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._feed(b"\r\n".join([*lines, b"", rest]))

    def _is_free(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _check(self, check: Any, *given: Any) -> None:
        """Let the parser end where a check refuses; its own error hides the reason."""
        try:
            check(*given)
        except Problem as refusal:
            self._refusal = refusal
            raise

    def _check_request(self, method: bytes) -> None:
        if method == b"CONNECT":
            raise Problem(405, "method-not-allowed", "CONNECT is not allowed here")
        if len(self.pipeline) >= MOST_WAITING:
            raise busy(f"{MOST_WAITING} requests of this connection are waiting")

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self.settings.header_seconds, self._late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        seconds = self.settings.header_seconds
        detail = f"the header did not arrive within {seconds:g} seconds"
        self._turn_away(Problem(408, "bad-request", detail))

    def _watch_sending(self) -> None:
        self._unsent = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self.settings.body_seconds, self._check_sending)

    def _check_sending(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unsent:
            self.transport.abort()
        else:
            self._watch_sending()

    def _stop_sending(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _refuse(self, refusal: Problem) -> None:
        """Answer with a refusal, read no more, and close when the client has had time to see it."""
        self._refusal = refusal
        if self._turn_away(refusal, linger=True):
            self._ignored = 0
            self.flow.resume_reading()
            self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _ignore(self, length: int) -> None:
        """Take bytes of a client that was refused."""
        self._ignored += length
        if not self._is_free() and not self.cycle.disconnected:
            # Answers to what came before are under way.
            self.flow.pause_reading()
        elif self._ignored > LINGER_BYTES:
            self.transport.abort()

    def _turn_away(self, problem: Problem, linger: bool = False) -> bool:
        """Answer with a problem and close; return whether the client still has to see it."""
        if self.transport.is_closing():
            return False
        self.logger.warning(problem.detail)
        self._stop()
        if self.pipeline and self.cycle.more_body:
            # It has no turn to be answered yet.
            self.pipeline.popleft()
            self.cycle = self._before
        cycle = self.cycle
        if not self._is_free() and not cycle.more_body:
            # The answer before it is under way: the connection ends with that one.
            cycle.keep_alive = False
            self.flow.pause_reading()
            return False
        if self._is_free() or not cycle.response_started:
            self.transport.write(_whole(problem))
        if not linger:
            self.transport.close()
            return False
        self.transport.write_eof()
        if not self._is_free():
            cycle.disconnected = True
            cycle.message_event.set()
        return True


def protocol_class(settings: Settings) -> type[asyncio.Protocol]:
    """Return the class of the connections of one service."""
    return type("Connection", (HttpConnection,), {"settings": settings, "crowd": Crowd()})


def _whole(problem: Problem) -> bytes:
    body = problem.body()
    head = (
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\n"
        f"content-type: {CONTENT_TYPE.decode()}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n"
    )
    fields = b"".join(b"%b: %b\r\n" % pair for pair in problem.headers)
    return head.encode() + fields + b"\r\n" + body
