"""An object as a seekable file, fetched by byte ranges."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from typing import TYPE_CHECKING

from hardlimit.foundation.storage import near
from hardlimit.foundation.storage.near import LocalBytes
from hardlimit.foundation.storage.opening import open_store
from hardlimit.foundation.storage.stores import ObjectState, Store, changed_error
from hardlimit.foundation.temporary_folder import naming_folder

if TYPE_CHECKING:
    from typing_extensions import Buffer

_BUFFER = 1 << 18
LEAST, MOST = 1 << 18, 1 << 23  # bytes of a request


def open_object(uri: str, ahead: int | None = None, *, whole: bool = False) -> io.BufferedReader:
    """Open an object for reading, from nearby if this thread has it; `FileError` says why not."""
    store = near.served(uri) or open_store(uri)
    return io.BufferedReader(RemoteFile(store, ahead, whole=whole), min(_BUFFER, ahead or _BUFFER))


class RemoteFile(io.RawIOBase):
    """An object, of which parts are fetched as they are read.

    While it is read in order each request asks for twice as much as the one before. Each answer
    must have the length that was asked for, and at the end the object must be the one that was
    opened. A server that knows no parts is copied into a file without a name.
    """

    def __init__(self, store: Store, ahead: int | None = None, *, whole: bool = False) -> None:
        self._store, self._at = store, 0
        self.state = store.state()
        self._ahead = self._least = ahead or LEAST
        self._grows, self._requests = ahead is None, 0
        self._begin, self._data = 0, b""
        self._copy: LocalBytes | None = None
        if whole or not self.state.ranges or self.state.size is None:
            self._copy, length = _copy_whole(store, self.state)
            self.state = ObjectState(length, self.state.version, ranges=False)
        self.size: int = self.state.size or 0

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def seekable(self) -> bool:
        """Whether it can be read at any place."""
        return True

    def tell(self) -> int:
        """Return where the next byte is read."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place; nothing is fetched."""
        before = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        self._at = max(0, before + offset)
        return self._at

    def readinto(self, buffer: Buffer, /) -> int:
        """Read on; 0 bytes at the end alone."""
        buffer = memoryview(buffer).cast("B")
        wanted = min(len(buffer), self.size - self._at)
        if wanted <= 0:
            return 0
        if self._copy is not None:
            data = self._copy.read(self._at, self._at + wanted)
        else:
            data = self._fetched(wanted)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _fetched(self, wanted: int) -> bytes:
        """Return bytes from here, as many as are there or were wanted."""
        start = self._at - self._begin
        if not 0 <= start < len(self._data):
            in_order = start == len(self._data) and self._requests > 0
            if self._grows:
                self._ahead = min(2 * self._ahead, MOST) if in_order else self._least
            end = min(self.size, self._at + max(wanted, self._ahead))
            end = self._store.reach(self._at, end)
            self._data = self._store.read(self._at, end, self.state)
            self._begin, start = self._at, 0
            self._requests += 1
            if end == self.size and self._requests > 1:
                self._check_same()
        return self._data[start : start + wanted]

    def _check_same(self) -> None:
        found = self._store.state()
        if (found.size, found.version) != (self.state.size, self.state.version):
            raise changed_error(self._store.uri)


def _copy_whole(store: Store, state: ObjectState) -> tuple[LocalBytes, int]:
    """Return all of an object in a file without a name, and its length."""
    folder = tempfile.gettempdir()
    with contextlib.ExitStack() as stack:
        with naming_folder(folder):
            file = stack.enter_context(tempfile.TemporaryFile(prefix="hardlimit-"))
        if state.ranges and state.size is not None:
            for begin in range(0, state.size, MOST):
                data = store.read(begin, min(begin + MOST, state.size), state)
                with naming_folder(folder):
                    file.write(data)
        else:
            store.copy(file, state)
        with naming_folder(folder):
            length = file.seek(0, os.SEEK_END)
            return LocalBytes(file), length
