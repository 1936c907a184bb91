"""A connection to a PostgreSQL server whose every wait has a limit."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

# What a URL may say itself; libpq waits without a limit, and its keepalives begin after two hours.
DEFAULTS: dict[str, int] = {
    "connect_timeout": 10,  # seconds
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}
# Seconds without a byte of the server, after which it is given up. It is longer than any lock is
# waited for.
SILENCE = 60.0


class SilenceError(psycopg.OperationalError):
    """The server says nothing any more."""


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is closed, and says so, once the server is lost or silent."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
        """Wait for the server, which has a limited time for each part of its answer."""
        try:
            return super().wait(_limited(gen, SILENCE), *args, **kwargs)
        except SilenceError:
            self.close()
            raise
        except psycopg.Error as error:
            # It ends the connection right after such an error.
            if error.diag.severity_nonlocalized in ("FATAL", "PANIC"):
                self.close()
            raise


def connect(url: str) -> WatchedConnection:
    """Return a new connection, in UTF-8, whose statements are transactions by themselves."""
    told = conninfo_to_dict(url)
    limits: dict[str, Any] = {name: value for name, value in DEFAULTS.items() if name not in told}
    if "PGCONNECT_TIMEOUT" in os.environ:
        limits.pop("connect_timeout", None)
    return WatchedConnection.connect(url, autocommit=True, **limits, client_encoding="utf8")


def _limited(gen: Generator[Any, Any, Any], seconds: float) -> Generator[Any, Any, Any]:
    """Pass on what a generator waits for; an error where nothing comes for some time."""
    try:
        wanted = next(gen)
        while True:
            until = time.monotonic() + seconds
            # Each fraction of a second without an event is an event too, of the value 0.
            while not (ready := (yield wanted)):
                if time.monotonic() > until:
                    raise SilenceError(f"the server has said nothing for {seconds:g} seconds")
                wanted = gen.send(ready)
            wanted = gen.send(ready)
    except StopIteration as end:
        return end.value
