"""Signals that end the program: it cleans up first.

By itself SIGTERM or SIGHUP ends a process where it stands, and what it was writing stays behind.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

# Windows knows no SIGHUP.
_NAMES = ("SIGTERM", "SIGHUP")


class Terminated(BaseException):  # noqa: N818  (no error: someone wanted it)
    """The process was asked to end; like KeyboardInterrupt, only the program itself catches it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        # As shells report a process that a signal ended.
        self.exit_code = 128 + number


def with_notes(said: str, error: BaseException) -> str:
    """Return what is said of the end, and what the work that was ended noted of itself."""
    return "; ".join([said, *getattr(error, "__notes__", ())])


def _raise(number: int, _: FrameType | None) -> None:
    raise Terminated(number)


@contextlib.contextmanager
def raising() -> Iterator[None]:
    """Raise `Terminated` where a signal would end the process; what is ignored stays ignored."""
    # Python allows handlers in the main thread only; another program's own are not replaced.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
