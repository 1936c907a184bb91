"""The file of a cache while it is written: whole or not at all; elsewhere, if its disk is full."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import BinaryIO

from hardlimit.exceptions import FileError
from hardlimit.foundation.atomic_file import replacing

# Called with why a file cannot be written; the path of another one.
Elsewhere = Callable[[FileError], str]
_BLOCK = 1 << 22


class _Abandoned(Exception):  # noqa: N818 - nobody sees it
    """Ends the file that was begun, and leaves the old one."""


class CacheFile:
    """A file that appears under its name when it is whole.

    path : where it appears.    elsewhere : gives another path, at the first time that the file
    cannot be written: what was written so far is copied, and the rest follows there. Without it
    that is an error.
    """

    def __init__(self, path: str | os.PathLike[str], elsewhere: Elsewhere | None = None) -> None:
        self.path: str | os.PathLike[str] = path
        self._elsewhere = elsewhere
        self._stack = contextlib.ExitStack()
        self._file: BinaryIO
        self._size = 0  # bytes that are there as a whole

    def begin(self) -> None:
        """Make the file."""
        try:
            self._open()
        except OSError as error:
            self._go_elsewhere(error, None)

    def write(self, contents: bytes) -> None:
        """Add bytes at the end."""
        self._write(contents, self._size)
        self._size += len(contents)

    def rewrite(self, contents: bytes) -> None:
        """Write bytes over the first ones."""
        self._write(contents, 0)

    def finish(self) -> None:
        """Have the file appear."""
        # What was written can be read by this number when its name is gone.
        with os.fdopen(os.dup(self._file.fileno()), "rb") as written:
            try:
                self._stack.close()
            except OSError as error:
                self._go_elsewhere(error, written)
                self._stack.close()

    def abandon(self) -> None:
        """Remove it; what was there before stays."""
        # Its own exception: an OSError of a source is none of writing.
        self._stack.__exit__(_Abandoned, _Abandoned(), None)

    def _open(self) -> None:
        with contextlib.ExitStack() as stack:
            temporary = stack.enter_context(replacing(self.path))
            self._file = stack.enter_context(open(temporary, "w+b", buffering=0))
            self._stack = stack.pop_all()

    def _write(self, contents: bytes, place: int) -> None:
        try:
            self._put(contents, place)
        except OSError as error:
            self._go_elsewhere(error, self._file)
            self._write(contents, place)

    def _put(self, contents: bytes, place: int) -> None:
        self._file.seek(place)
        view = memoryview(contents)
        while view:
            # Of a full disk the system takes a part first, and refuses the next.
            view = view[self._file.write(view) :]

    def _go_elsewhere(self, error: OSError, written: BinaryIO | None) -> None:
        """Go on in another file, which begins with what was written as a whole."""
        refused = self._refusal(error)
        if self._elsewhere is None:
            raise refused from error
        old, size = self._stack, self._size
        self.path, self._elsewhere = self._elsewhere(refused), None
        with contextlib.ExitStack() as stack:
            stack.push(lambda *_: old.__exit__(_Abandoned, _Abandoned(), None))
            self._open()
            for place in range(0, size, _BLOCK):
                assert written is not None  # of nothing there is nothing to copy
                written.seek(place)
                self._write(written.read(min(_BLOCK, size - place)), place)

    def _refusal(self, error: OSError) -> FileError:
        if isinstance(error, FileError):
            return error
        return FileError(
            f"cannot be written: {error.strerror or error}; what was there before is untouched",
            where=os.fsdecode(self.path),
            fix="free some space, or name a file on another disk",
        )
