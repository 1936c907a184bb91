"""Bytes in a file without an owner: closed with the last who reads them, and no word about it."""

from __future__ import annotations

import os
import threading
import weakref
from typing import BinaryIO


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
