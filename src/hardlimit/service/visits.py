"""A request on its way through the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardlimit.service.bodies import Receive, Scope
    from hardlimit.service.request_context import RequestContext
    from hardlimit.service.routes import Endpoint


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
