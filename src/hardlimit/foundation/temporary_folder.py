"""Folders for files that are being written; those of dead writers are recognised and removed.

A writer that is killed leaves its folder behind. Who may remove it? The number of a process is used
again, and means nothing to another machine, but a lock ends with its process: each writer holds one
on the file ``lock`` in its folder, and whoever gets that lock knows that the writer is dead. The
file is made first and removed last, so a folder without it is empty. The name contains a checksum
of the machine's name, since on some network drives a lock is known to its own machine only.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import re
import zlib
from collections.abc import Iterator
from typing import Any

from hardlimit.exceptions import FileError

fcntl: Any = None  # Windows: nothing is locked, and nothing removed
with contextlib.suppress(ImportError):
    fcntl = importlib.import_module("fcntl")

ROOM = "free some space there, or set TMPDIR to a folder of another disk"
_FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT") if hasattr(errno, name)}
_LOCK = "lock"
_RANDOM = 6  # bytes


@contextlib.contextmanager
def make_folder(beside: str) -> Iterator[str]:
    """Give the path of a new folder beside a file, removed with its files when the block ends."""
    folder, lock = _create(*os.path.split(beside))
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            _remove(folder)
        if lock is not None:
            with contextlib.suppress(OSError):
                os.close(lock)


@contextlib.contextmanager
def make_temporary_folder(name: str) -> Iterator[str]:
    """Give the path of a new folder among the temporary files, removed when the block ends.

    Those of dead writers are removed first.

    Raises
    ------
    FileError
        No folder can be made there.
    """
    import tempfile  # needs random, which a model that is opened does not

    parent = tempfile.gettempdir()
    remove_dead_folders(parent)
    with contextlib.ExitStack() as stack:
        with naming_folder(parent):
            folder = stack.enter_context(make_folder(os.path.join(parent, name)))
        yield folder


@contextlib.contextmanager
def naming_folder(folder: str) -> Iterator[None]:
    """Name the folder of temporary files where one of them cannot be written, and what to do.

    The block writes such files and does nothing else.

    Raises
    ------
    FileError
        In place of an `OSError` of the block.
    """
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(
            f"temporary files cannot be written: {error.strerror or error}", where=folder, fix=ROOM
        ) from error


def find_advice(error: OSError) -> str:
    """Return what to do about a full disk of which nobody said which; empty of other errors.

    >>> find_advice(OSError(errno.ENOSPC, "No space left on device", "rows.csv"))
    ''
    """
    if error.filename is not None or error.errno not in _FULL:
        return ""
    import tempfile  # needs random, which a model that is opened does not

    return f"free some space; temporary files lie in {tempfile.gettempdir()}, or where TMPDIR says"


def remove_dead_folders(parent: str) -> None:
    """Remove the folders in ``parent`` whose writers are dead; what cannot be removed stays."""
    if fcntl is None:
        return
    pattern = re.compile(rf"\..*\.{_machine()}[0-9a-f]{{{2 * _RANDOM}}}\.tmp", re.DOTALL)
    with contextlib.suppress(OSError):
        for name in filter(pattern.fullmatch, os.listdir(parent)):
            with contextlib.suppress(OSError):
                _remove_if_dead(os.path.join(parent, name))


def _create(parent: str, name: str) -> tuple[str, int | None]:
    """Make a folder and lock it; unlocked, it has a name that nobody will take for a dead one."""
    mark = _machine()
    while True:
        folder = os.path.join(parent, f".{name[:40]}.{mark}{os.urandom(_RANDOM).hex()}.tmp")
        # For the owner alone: nobody reads what is not complete.
        os.mkdir(folder, 0o700)
        try:
            lock = _lock(os.path.join(folder, _LOCK), os.O_CREAT | os.O_EXCL) if mark else None
        except FileNotFoundError:  # taken for a dead one while it was empty
            continue
        except OSError:  # a file system without locks
            mark = ""
        else:
            if lock is not None or not mark:
                return folder, lock
        with contextlib.suppress(OSError):
            _remove(folder)


def _remove_if_dead(folder: str) -> None:
    # Not followed, and nobody else's: in a shared folder it might be a trap.
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid != os.geteuid():
            return
        try:
            lock = _lock(_LOCK, os.O_NOFOLLOW, handle)
        except FileNotFoundError:
            # Empty, or it stays. A writer that was about to make the lock takes another folder.
            os.rmdir(folder)
            return
        if lock is not None:
            _empty(handle)
            os.rmdir(folder)
            os.close(lock)
    finally:
        os.close(handle)


def _lock(path: str, flags: int, folder: int | None = None) -> int | None:
    """Open and lock a file; None if another has the lock, or has removed the file meanwhile."""
    handle = os.open(path, os.O_RDWR | flags, 0o600, dir_fd=folder)
    kept = False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        kept = os.fstat(handle).st_nlink > 0
    except BlockingIOError:
        return None
    finally:
        if not kept:
            os.close(handle)
    return handle if kept else None


def _remove(folder: str) -> None:
    if fcntl is None:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
    else:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _empty(handle)
        finally:
            os.close(handle)
    os.rmdir(folder)


def _empty(folder: int) -> None:
    """Remove all files of a folder, the lock last: what remains can still be recognised."""
    names = os.listdir(folder)
    for name in sorted(names, key=_LOCK.__eq__):
        os.unlink(name, dir_fd=folder)


def _machine() -> str:
    return f"{zlib.crc32(os.fsencode(os.uname().nodename)):08x}" if fcntl else ""
