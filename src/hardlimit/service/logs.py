"""The log of a service: one JSON document a line, without texts unless they were asked for."""

from __future__ import annotations

import itertools
import secrets
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from hardlimit.service.plain import to_json

if TYPE_CHECKING:
    from hardlimit.service.replies import Reply
    from hardlimit.service.shell import Visit


class Lines(Protocol):
    """What lines are written to."""

    def write(self, text: str, /) -> object:
        """Take a line."""

    def flush(self) -> object:
        """Send it on."""


class Aside:
    """Writes to a stream in a thread of its own: whoever reads too slowly delays no request.

    Of more than ``most`` lines that wait, new ones are dropped, and ``dropped`` is called.
    """

    def __init__(self, stream: TextIO, most: int = 10_000) -> None:
        self._stream, self._most = stream, most
        self.dropped: Callable[[], object] = int
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Take a line, or drop it."""
        if self._lines.qsize() < self._most:
            self._lines.put(text)
        else:
            self.dropped()

    def flush(self) -> None:
        """Do nothing: the thread writes as soon as it can."""

    def close(self, seconds: float = 2.0) -> None:
        """Write what waits, for so long at most."""
        self._lines.put(None)
        self._thread.join(seconds)

    def _work(self) -> None:
        while (line := self._lines.get()) is not None:
            # A full disk or a reader that went away: the service goes on without its log.
            try:
                self._stream.write(line)
                if self._lines.empty():
                    self._stream.flush()
            except (OSError, ValueError):
                self.dropped()


class Log:
    """Writes lines to a stream."""

    def __init__(self, stream: Lines | None = None, texts: bool = False) -> None:
        self._stream: Lines = stream or sys.stderr
        self._texts = texts
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

    def failure(self, error: Exception) -> None:
        """Write where an error arose: of ours the sentence, of others the way to it."""
        told = "".join(traceback.format_exception(error))
        self.event("error", error=type(error).__name__, traceback=told)
