"""A request on its way through the shell, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Protocol

from fastapi import Depends, Request

from hardlimit.service.problems import Problem

if TYPE_CHECKING:
    from hardlimit.service.bodies import Receive, Scope
    from hardlimit.service.routes import Endpoint
    from hardlimit.service.work import Work

# Where the shell leaves it for the endpoints.
PLACE = "hardlimit.asked"


class Reopener(Protocol):
    """Opens the files of a service anew."""

    async def reload(self) -> bool:
        """Return whether another model answers now."""


class RequestContext:
    """One request.

    work : what answers it. watcher : what opens its files anew.
    key : the name of the key; "" without keys. scope : what it allows.
    unknown : whether a key was shown that is none of the service's.
    facts : what the log says of it beside the usual.
    """

    __slots__ = ("facts", "key", "keyed", "scope", "unknown", "watcher", "work")

    def __init__(self, work: Work, watcher: Reopener) -> None:
        self.watcher = watcher
        self.work, self.key, self.scope = work, "", ""
        self.keyed = self.unknown = False
        self.facts: dict[str, Any] = {}

    def author(self, by: str) -> str:
        """Return who signs an entry: the name of the key, else what the body says."""
        if self.keyed and by not in ("", self.key):
            raise Problem(
                403,
                "forbidden",
                "with a key, entries are signed with its name alone",
                where="body.by",
                parameter="by",
                fix="leave it out",
            )
        return self.key if self.keyed else by


class Visit:
    """What a request shows, and what has been found out about it so far."""

    __slots__ = (
        "asked",
        "body",
        "endpoint",
        "headers",
        "method",
        "path",
        "read",
        "receive",
        "scope",
    )

    def __init__(self, scope: Scope, receive: Receive, asked: RequestContext) -> None:
        self.scope, self.receive, self.asked = scope, receive, asked
        self.path: str = scope["path"]
        self.method: str = scope["method"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.endpoint: Endpoint | None = None
        self.body, self.read = b"", False

    @property
    def holder(self) -> str:
        """Whose this is: the name of the key, without keys the address of the client."""
        client = self.scope.get("client")
        return self.asked.key if self.asked.keyed or not client else str(client[0])


async def _asked(request: Request) -> RequestContext:
    asked: RequestContext = request.scope[PLACE]
    return asked


Ask = Annotated[RequestContext, Depends(_asked)]
