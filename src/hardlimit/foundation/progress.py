"""What long work says of itself while it lasts, to whoever watches: the line on a terminal.

Work that may take longer than a moment calls `report` now and then. Where nobody watches, that
costs a look at a variable. Threads that the work starts are not watched. Work that has figures of
its own tells events (`tell`), which programs may hear too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

# What is being done, how much of it is done, of how much in all (0: unknown), and of what.
Watcher = Callable[[str, float, float, str], object]
_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
Listener = Callable[[Any], object]
_LISTENERS: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())


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


@contextlib.contextmanager
def heard_by(listener: Listener | None) -> Iterator[None]:
    """Let a function have each event that is told in this thread; None has none.

    >>> heard = []
    >>> with heard_by(heard.append):
    ...     tell("an event")
    >>> heard
    ['an event']
    """
    before = _LISTENERS.get()
    token = _LISTENERS.set(before if listener is None else (*before, listener))
    try:
        yield
    finally:
        _LISTENERS.reset(token)


def tell(event: object) -> None:
    """Tell an event, an object with figures, to all that listen."""
    for listener in _LISTENERS.get():
        listener(event)
