"""One writer of a file at a time, among threads and processes: a lock file beside it.

The lock ends with its process, so a file that a killed writer leaves behind hinders nobody; the
next writer takes it over and removes it. Where a folder or its file system has no room for locks,
writers go on without. The file says whose it is, for messages.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from hardlimit.foundation import storage

fcntl: Any = None
msvcrt: Any = None
with contextlib.suppress(ImportError):
    fcntl = importlib.import_module("fcntl")
if fcntl is None:
    with contextlib.suppress(ImportError):
        msvcrt = importlib.import_module("msvcrt")

_LONGEST = 400  # characters of a lock file that are looked at
# Seconds between two attempts.
PAUSE = 0.05
# What says that somebody else has the lock.
TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class _Held(threading.local):
    """How often this thread holds each file; a second time costs nothing, and waits for nobody."""

    def __init__(self) -> None:
        self.depths: dict[str, int] = {}


_HELD = _Held()


@contextlib.contextmanager
def holding(
    path: str | os.PathLike[str],
    waiting: Callable[[], object] | None = None,
    unlocked: Callable[[OSError], object] | None = None,
) -> Iterator[None]:
    """Be the only one who writes ``path``, as long as the block runs; others wait.

    An object of a store has no lock: the last one who puts it wins.

    waiting : called once where another thread or process holds it; what it raises ends the wait.
    unlocked : called where there can be no lock, with the reason.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with holding(os.path.join(folder, "m")):
    ...         print(os.listdir(folder))
    ...     print(os.listdir(folder))
    ['.m.lock']
    []
    """
    if storage.is_remote(os.fsdecode(path)):
        yield
        return
    target = os.path.realpath(storage.local_path(os.fsdecode(path)))
    depths = _HELD.depths
    handle = None if target in depths else _acquire(_beside(target), waiting, unlocked)
    depths[target] = depths.get(target, 0) + 1
    try:
        yield
    finally:
        depths[target] -= 1
        if not depths[target]:
            del depths[target]
        if handle is not None:
            _release(handle, _beside(target))


def find_holder(path: str | os.PathLike[str]) -> str:
    """Return who holds a file: its process and its machine; empty where nobody knows.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, holding(os.path.join(folder, "m")):
    ...     find_holder(os.path.join(folder, "m")).startswith(f"process {os.getpid()} on ")
    True
    """
    target = os.path.realpath(storage.local_path(os.fsdecode(path)))
    try:
        with open(_beside(target), encoding="utf-8") as file:
            number, _, host = file.read(_LONGEST).strip().partition(" ")
    except (OSError, ValueError):
        return ""
    return f"process {number} on {host}" if number.isdecimal() and host else ""


def _beside(target: str) -> str:
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:80]}.lock")


def _acquire(
    path: str, waiting: Callable[[], object] | None, unlocked: Callable[[OSError], object] | None
) -> int | None:
    """Return the locked file; None where there can be no lock."""
    while True:
        try:
            # Not through a link, which in a shared folder might be a trap.
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError as error:  # no such folder, no room: writing the file itself will say so
            if unlocked is not None:
                unlocked(error)
            return None
        try:
            taken = _lock(handle)
            # The holder before may have removed the file between our opening and our locking.
            if taken and _is_still(handle, path):
                _sign(handle)
                return handle
        except OSError as error:  # a file system without locks
            _release(handle, path)
            if unlocked is not None:
                unlocked(error)
            return None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if taken:
            continue
        if waiting is not None:
            waiting()
            waiting = None
        time.sleep(PAUSE)


def _lock(handle: int) -> bool:
    """Whether the file could be locked; False where somebody else has it."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in TAKEN:
            return False
        raise
    return True


def _sign(handle: int) -> None:
    """Write whose the lock is."""
    with contextlib.suppress(OSError):  # a full disk
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()} {platform.node()}\n".encode(errors="replace"))


def _is_still(handle: int, path: str) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False))
    return False


def _release(handle: int, path: str) -> None:
    # Removed first: whoever opens the path from now on makes a file of its own.
    with contextlib.suppress(OSError):
        os.unlink(path)
    # Explicitly, since a forked child may hold the same file open.
    with contextlib.suppress(OSError):
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_UN)
    with contextlib.suppress(OSError):
        os.close(handle)
    if fcntl is None:  # Windows removes no file that is open
        with contextlib.suppress(OSError):
            os.unlink(path)
