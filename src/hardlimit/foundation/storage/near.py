"""Bytes of objects that are read several times: fetched once, into a folder that may vanish.

A worker reads its part of a file for the digest, for the terms and for the rows. Each part is one
file of a folder for this user alone among the temporary files, named by the digest of URI, version
and range, and begins with the digest of what follows. What is missing, torn or altered is fetched
anew; several processes may write the same. The folder is bounded, and what nobody asked for in a
day is removed. Objects without a version (a web server without ETag) are not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from typing import BinaryIO

from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.storage.opening import open_store
from hardlimit.foundation.storage.stores import ObjectState, Store, changed_error

MOST_KEPT = 4 << 30  # bytes
LONGEST = 24 * 3600.0  # seconds
_BLOCK = 1 << 23
_DIGEST = hashlib.sha256().digest_size


class Near:
    """A part of an object, from a local file; the rest as ever. It is a `Store`."""

    def __init__(
        self, store: Store, state: ObjectState, begin: int, end: int, file: BinaryIO
    ) -> None:
        self.uri, self._store, self._state = store.uri, store, state
        self._begin, self._end, self._bytes = begin, end, LocalBytes(file, _DIGEST)

    def state(self) -> ObjectState:
        """Return what it was when the part was fetched."""
        return self._state

    def reach(self, begin: int, end: int) -> int:
        """Return how far one answer should go: not beyond what is nearby."""
        return min(end, self._end) if self._begin <= begin < self._end else end

    def read(self, begin: int, end: int, state: ObjectState) -> bytes:
        """Return exactly these bytes."""
        if self._begin <= begin and end <= self._end:
            data = self._bytes.read(begin - self._begin, end - self._begin)
            if len(data) == end - begin:
                return data
        return self._store.read(begin, end, state)

    def copy(self, file: BinaryIO, state: ObjectState) -> None:
        """Write all of it into a file."""
        self._store.copy(file, state)


class _Served(threading.local):
    """Parts that this thread reads nearby, by URI."""

    def __init__(self) -> None:
        self.by_uri: dict[str, Near] = {}


_SERVED = _Served()


def served(uri: str) -> Near | None:
    """Return the part of an object that this thread has nearby."""
    return _SERVED.by_uri.get(uri)


@contextlib.contextmanager
def serving(near: Near) -> Iterator[None]:
    """Let this thread read the part nearby, whoever opens the object."""
    before = _SERVED.by_uri.get(near.uri)
    _SERVED.by_uri[near.uri] = near
    try:
        yield
    finally:
        if before is None:
            del _SERVED.by_uri[near.uri]
        else:
            _SERVED.by_uri[near.uri] = before


def fetch(
    uri: str, begin: int, end: int, state: ObjectState, *, fresh: bool = False
) -> Near | None:
    """Return a part of an object from the folder, fetched where it is not there.

    fresh : whether it is fetched in any case.

    None where there is no room for it on this machine, and of an object that comes whole only.

    Raises
    ------
    FileError
        It cannot be fetched.
    """
    if not state.ranges or state.size is None:
        return None
    store = open_store(uri)
    try:
        folder = _own_folder() if state.version and end - begin <= MOST_KEPT // 2 else None
        found = folder is not None and not fresh
        file = _find(str(folder), uri, begin, end, state) if found else None
        file = file or _fetch(store, begin, end, state, folder)
    except HardlimitError:
        raise
    except OSError:  # no room, or somebody removed the folder meanwhile
        return None
    return Near(store, state, begin, end, file)


def _own_folder() -> str | None:
    """Return the folder; None where somebody else has made one of that name."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = os.path.join(tempfile.gettempdir(), f"hardlimit-parts-{user}")
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        return None
    if os.name == "posix" and (found.st_uid != user or found.st_mode & 0o077):
        return None
    return folder


def _name_of(uri: str, begin: int, end: int, state: ObjectState) -> str:
    key = "\0".join((uri, state.version, str(state.size), str(begin), str(end)))
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def _find(folder: str, uri: str, begin: int, end: int, state: ObjectState) -> BinaryIO | None:
    """Return a part that is there, whole and as it was fetched."""
    path = os.path.join(folder, _name_of(uri, begin, end, state))
    try:
        file = open(path, "rb")
    except OSError:
        return None
    hashed = hashlib.sha256()
    wanted = file.read(_DIGEST)
    while block := file.read(_BLOCK):
        hashed.update(block)
    if file.tell() == _DIGEST + end - begin and hashed.digest() == wanted:
        with contextlib.suppress(OSError):
            os.utime(path)  # whoever was asked for lately stays
        return file
    file.close()
    with contextlib.suppress(OSError):
        os.unlink(path)
    return None


def _fetch(store: Store, begin: int, end: int, state: ObjectState, folder: str | None) -> BinaryIO:
    """Fetch a part into a file, which takes its name when it is whole."""
    file: BinaryIO
    if folder is None:
        file, temporary = tempfile.TemporaryFile(prefix="hardlimit-"), None
    else:
        make_room(folder, end - begin)
        handle, temporary = tempfile.mkstemp(suffix=".new", dir=folder)
        file = os.fdopen(handle, "w+b")
    try:
        _fill(file, store, begin, end, state)
        if folder is not None and temporary is not None:
            os.replace(temporary, os.path.join(folder, _name_of(store.uri, begin, end, state)))
    except BaseException:
        file.close()
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise
    return file


def _fill(file: BinaryIO, store: Store, begin: int, end: int, state: ObjectState) -> None:
    hashed = hashlib.sha256()
    file.write(hashed.digest())
    for at in range(begin, end, _BLOCK):
        block = store.read(at, min(at + _BLOCK, end), state)
        hashed.update(block)
        file.write(block)
    if store.state() != state:  # some of it may be of the one, some of the other
        raise changed_error(store.uri)
    file.seek(0)
    file.write(hashed.digest())
    file.flush()


def make_room(folder: str, wanted: int) -> None:
    """Remove what nobody asked for in a day, and the oldest until there is room for more."""
    entries = []
    for entry in os.scandir(folder):
        with contextlib.suppress(OSError):
            found = entry.stat(follow_symlinks=False)
            entries.append((found.st_mtime, found.st_size, entry.path))
    entries.sort()
    # Not more than half of what the disk still has.
    most = min(MOST_KEPT, (shutil.disk_usage(folder).free + wanted) // 2)
    total = sum(size for _, size, _ in entries) + wanted
    for changed, size, path in entries:
        if total <= most and time.time() - changed < LONGEST:
            break
        total -= size
        with contextlib.suppress(OSError):  # Windows: it is read
            os.unlink(path)


class LocalBytes:
    """The bytes of an open file, which is taken over; threads may read side by side.

    begin : where they begin in the file.
    """

    def __init__(self, file: BinaryIO, begin: int = 0) -> None:
        file.flush()
        self._handle, self._begin, self._lock = os.dup(file.fileno()), begin, threading.Lock()
        # Whoever opens a table need not close it; a file object would warn then.
        weakref.finalize(self, os.close, self._handle)
        file.close()

    def read(self, begin: int, end: int) -> bytes:
        """Return these bytes; fewer where somebody has cut the file."""
        found = []
        with self._lock:
            os.lseek(self._handle, self._begin + begin, os.SEEK_SET)
            while begin < end and (data := os.read(self._handle, end - begin)):
                found.append(data)
                begin += len(data)
        return b"".join(found)
