"""What long work says of itself while it lasts, to whoever watches: the line on a terminal.

Work that may take longer than a moment calls `report` now and then. Where nobody watches, that
costs a look at a variable. Threads that the work starts are not watched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

# What is being done, how much of it is done, of how much in all (0: unknown), and of what.
Watcher = Callable[[str, float, float, str], object]
_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextlib.contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Let a function hear of all that is reported in this thread.

    >>> heard = []
    >>> with watched_by(lambda *said: heard.append(said)):
    ...     report("reading", 5, 10, "rows")
    >>> report("unheard")
    >>> heard
    [('reading', 5, 10, 'rows')]
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def report(what: str, done: float = 0, total: float = 0, unit: str = "") -> None:
    """Say what is being done, and how much of it is done."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(what, done, total, unit)
