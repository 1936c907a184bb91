"""The log of a service: one JSON document a line, without texts unless they were asked for."""

from __future__ import annotations

import itertools
import secrets
import sys
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from hardlimit.service.plain import to_json

if TYPE_CHECKING:
    from hardlimit.service.replies import Reply
    from hardlimit.service.shell import Visit


class Log:
    """Writes lines to a stream."""

    def __init__(self, stream: TextIO | None = None, texts: bool = False) -> None:
        self._stream, self._texts = stream or sys.stderr, texts
        self._run, self._numbers = secrets.token_hex(4), itertools.count(1)

    def event(self, event: str, **facts: Any) -> None:
        """Write one line."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = to_json({"time": now, "event": event, **facts}).decode()
        self._stream.write(line + "\n")
        self._stream.flush()

    def request(self, visit: Visit, reply: Reply, seconds: float) -> None:
        """Say what became of a request: no texts, no parameters, no keys."""
        endpoint = visit.endpoint
        facts: dict[str, Any] = {
            "id": f"{self._run}-{next(self._numbers)}",
            "method": visit.method[:20],
            "route": endpoint.path if endpoint else None,
            "status": reply.status,
            "ms": round(seconds * 1000, 3),
            "key": visit.asked.key,
            "bytes": len(visit.body),
            **visit.asked.facts,
        }
        if self._texts and visit.body:
            facts["body"] = visit.body.decode("utf-8", "replace")
        self.event("request", **facts)

    def close(self) -> None:
        """Write what is still waiting."""
        self._stream.flush()

    def failure(self, error: Exception) -> None:
        """Write where an error arose: of ours the sentence, of others the way to it."""
        told = "".join(traceback.format_exception(error))
        self.event("error", error=type(error).__name__, traceback=told)
