"""What stands around the endpoints: access, limits, bodies, errors, headers, log and figures.

Each request goes through the same steps, in this order: fields, site, route, key, scope, rate, type
of the body, body, room; then the endpoint. Nothing of a body is read before all that comes before
it, and a place in the room is taken only when the body is there: who sends slowly holds none.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence

from hardlimit.exceptions import FileError, LedgerError
from hardlimit.service import bodies
from hardlimit.service.access import Access
from hardlimit.service.bodies import Message, Receive, Scope, Send
from hardlimit.service.headers import check_fields
from hardlimit.service.keys import CORRECT
from hardlimit.service.limits import Rates, Room
from hardlimit.service.logs import Log
from hardlimit.service.problems import CONTENT_TYPE, Problem, problem_of
from hardlimit.service.replies import Reply
from hardlimit.service.request_context import PLACE, RequestContext, Visit
from hardlimit.service.routes import Endpoint, RouteTable
from hardlimit.service.validation import not_json
from hardlimit.service.watching import HealthWatch, Watcher
from hardlimit.service.work import Work

App = Callable[[Scope, Receive, Send], Awaitable[None]]
# What other programs may do with any answer: show it in no frame, load nothing for it.
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    b"connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
SECURITY = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_AS_JSON = [(b"content-type", b"application/json")]
_NO_STORE = (b"cache-control", b"no-store")
_CLOSE = (b"connection", b"close")
_SAFE = ("GET", "HEAD")
# For what a client still sends after it was refused.
_LINGER = 2.0


class Shell:
    """The ASGI application."""

    def __init__(self, inner: App, endpoints: Sequence[Endpoint], work: Work, log: Log) -> None:
        settings = work.settings
        self.work = work
        self._inner, self._log, self._settings = inner, log, settings
        self._table, self._access = RouteTable(endpoints), Access(settings)
        self.watcher = Watcher(work, log)
        self._rates, self._room = Rates(settings.rate), Room(settings.max_requests)
        intake = bodies.Intake(settings.max_requests * settings.max_body)
        self._reader = bodies.Reader(settings.max_body, settings.body_seconds, intake)
        self.health = HealthWatch(work, self._room)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or the events at beginning and end."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.watcher.start()
        self.health.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.health.stop()
        await self.watcher.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, asked = time.perf_counter(), RequestContext(self.work, self.watcher)
        visit = Visit(scope, receive, asked)
        try:
            reply = await self._reply(visit)
        except bodies.Gone:
            reply = Reply(499, [], b"")
        except Exception as error:
            reply = self._refuse(error, asked)
        await _send(visit, reply, send, self._settings.max_body)
        seconds = time.perf_counter() - begun
        # Only names of ours: a figure for each made-up path would fill the memory.
        route = visit.endpoint.path if visit.endpoint else "other"
        method = visit.method if visit.endpoint else "other"
        self.work.figures.count_request(method, route, reply.status, seconds)
        self._log.request(visit, reply, seconds)

    async def _reply(self, visit: Visit) -> Reply:
        """Take all steps before the endpoint, and ask it."""
        headers, asked = visit.headers, visit.asked
        check_fields(visit.scope["headers"], visit.scope["http_version"])
        self._access.check_site(headers, visit.method in _SAFE)
        visit.endpoint = endpoint = self._table.find(visit.path, visit.method)
        self._access.identify(asked, headers)
        self._access.check_scope(asked, endpoint.scope)
        if endpoint.scope:
            self._rates.check(asked.key)
        # Of other methods a body is not waited for.
        if visit.method == "POST":
            await self._read(visit)
        # Health and the files of the page answer in any crowd.
        with self._room.place(asked.key) if endpoint.scope else contextlib.nullcontext():
            if endpoint.at_once is not None:
                return Reply(200, _AS_JSON, await endpoint.at_once(asked, visit.body))
            writes = endpoint.scope == CORRECT and endpoint.method == "POST"
            return await self._ask(visit, writes)

    async def _read(self, visit: Visit) -> None:
        """Read the body, if it is one that can be JSON."""
        _check_type(visit)
        visit.body = await self._reader.read(visit.receive, visit.headers, visit.holder)
        visit.read = True
        if not visit.body:
            raise not_json("it is empty")
        bodies.check_encoding(visit.body)

    async def _ask(self, visit: Visit, writes: bool) -> Reply:
        try:
            return await ask(self._inner, visit)
        except (FileError, LedgerError) as error:
            if writes:
                self.health.note(error)
            raise

    def _refuse(self, error: Exception, asked: RequestContext) -> Reply:
        problem = problem_of(error)
        asked.facts["topic"] = problem.topic
        if problem.status >= 500 and not isinstance(error, Problem):
            self._log.failure(error)
        headers = [(b"content-type", CONTENT_TYPE), *problem.headers]
        return Reply(problem.status, headers, problem.body())


def _check_type(visit: Visit) -> None:
    """Refuse a body that is no JSON: a form of another site can send no JSON by itself."""
    kind, _, parameters = visit.headers.get(b"content-type", b"").lower().partition(b";")
    charset = parameters.strip().partition(b"charset=")[2].strip(b'" ')
    if kind.strip() != b"application/json" or charset not in (b"", b"utf-8"):
        got = visit.headers.get(b"content-type", b"").decode("latin-1")[:80]
        raise Problem(
            415,
            "unsupported-media-type",
            f"the body is of the type {got!r}" if got else "the type of the body is missing",
            got=got,
            wanted="application/json",
            where="header Content-Type",
            fix="send Content-Type: application/json",
        )


async def ask(inner: App, visit: Visit) -> Reply:
    """Hand a request with its whole body to an application, and return its whole answer."""
    status, headers, parts = 500, [], []

    async def receive() -> Message:
        return {"type": "http.request", "body": visit.body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message["headers"])
        else:
            parts.append(message.get("body", b""))

    # What GET gives, HEAD gives without the body.
    method = "GET" if visit.method == "HEAD" else visit.method
    await inner({**visit.scope, PLACE: visit.asked, "method": method}, receive, send)
    kept = [pair for pair in headers if pair[0] != b"content-length"]
    return Reply(status, kept, b"".join(parts))


async def _send(visit: Visit, reply: Reply, send: Send, most: int) -> None:
    headers = [*reply.headers, *SECURITY]
    if all(name != b"cache-control" for name, _ in reply.headers):
        headers.append(_NO_STORE)
    if reply.status != 304:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    unread = not visit.read and (
        visit.headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in visit.headers
    )
    if unread:
        headers.append(_CLOSE)
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if unread:
        await send({"type": "http.response.body", "body": reply.body, "more_body": True})
        await bodies.drain(visit.receive, most, _LINGER)
    body = b"" if unread or visit.method == "HEAD" else reply.body
    await send({"type": "http.response.body", "body": body, "more_body": False})
