"""The log of a service: one JSON document a line, without texts unless they were asked for.

Each line has a level: ``info``, ``warning`` of what was refused, ``error`` of what failed.
"""

from __future__ import annotations

import itertools
import math
import random
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from hardlimit.exceptions import HardlimitError
from hardlimit.service.replies import to_json

if TYPE_CHECKING:
    from hardlimit.service.replies import Reply
    from hardlimit.service.request_context import Visit


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


class Repeats:
    """Lines that say the same: one is written in so many seconds, the others are counted."""

    def __init__(
        self, seconds: float = 60.0, most: int = 100, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds, self._most, self._now = seconds, most, now
        # When a line was written, and how many were left out since; the latest last.
        self._written: dict[Hashable, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def take(self, line: Hashable) -> int | None:
        """Return how many such lines were left out since the last; None for one to leave out."""
        with self._lock:
            now = self._now()
            since, left_out = self._written.get(line, (-math.inf, 0))
            if now - since < self._seconds:
                self._written[line] = since, left_out + 1
                return None
            self._written.pop(line, None)
            self._written[line] = now, 0
            if len(self._written) > self._most:
                del self._written[next(iter(self._written))]
            return left_out


INFO, WARNING, ERROR = "info", "warning", "error"


class Log:
    """Writes lines to a stream.

    share, texts : ``log_share`` and ``log_texts`` of the settings. draw : returns a number from 0
    to 1, below 1.
    """

    def __init__(
        self,
        stream: Lines | None = None,
        share: float | None = 1.0,
        texts: bool = False,
        repeats: Repeats | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._stream: Lines = stream or sys.stderr
        self._share, self._texts, self._draw = share, texts, draw
        self._repeats = repeats or Repeats()
        self._run, self._numbers = secrets.token_hex(4), itertools.count(1)

    def event(self, event: str, level: str = INFO, **facts: Any) -> None:
        """Write one line."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = to_json({"time": now, "level": level, "event": event, **facts}).decode()
        self._stream.write(line + "\n")
        self._stream.flush()

    def request(self, visit: Visit, reply: Reply, seconds: float) -> None:
        """Say what became of a request: no texts, no parameters, no keys."""
        number, level = next(self._numbers), _level_of(reply.status)
        if self._share is None or level == INFO and self._draw() >= self._share:
            return
        endpoint, client = visit.endpoint, visit.scope.get("client")
        facts: dict[str, Any] = {
            "id": f"{self._run}-{number}",
            "client": client[0] if client else None,
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
        if level == INFO and self._share != 1:
            facts["share"] = self._share
        self.event("request", level, **facts)

    def warning(self, event: str, line: Hashable, level: str = WARNING, **facts: Any) -> None:
        """Write a line once a minute, with the number of those that were left out."""
        left_out = self._repeats.take((event, line))
        if left_out is not None:
            self.event(event, level, **facts, **({"repeated": left_out} if left_out else {}))

    def failure(self, error: Exception) -> None:
        """Write an error: of ours the sentence, of others the way to it."""
        kind, ours = type(error).__name__, isinstance(error, HardlimitError)
        told = str(error) if ours else "".join(traceback.format_exception(error))
        place = list(traceback.walk_tb(error.__traceback__))[-1:]
        at = [(frame.f_code.co_filename, line) for frame, line in place]
        fact = {"message" if ours else "traceback": told}
        self.warning("error", (kind, *at), ERROR, error=kind, **fact)


def _level_of(status: int) -> str:
    return INFO if status < 400 else WARNING if status < 500 else ERROR
