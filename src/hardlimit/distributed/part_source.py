"""The lines of a piece of a file, as the reader of the whole file gives them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import InputError
from hardlimit.foundation import progress
from hardlimit.readers.decoding import Source, TextSource
from hardlimit.readers.opening import open_binary

if TYPE_CHECKING:
    from hardlimit.distributed.recipes import Piece

_BLOCK = 1 << 20


class NotUtf8Error(InputError):
    """A file that was cut without a look at all of it is not UTF-8: cut it again, with one."""


class _Window(io.RawIOBase):
    """So many bytes of a file from where it stands."""

    def __init__(self, file: io.BufferedReader, length: int, name: str) -> None:
        self._file, self._left, self._what = file, length, f"reading {name}"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        progress.report(self._what)
        data = self._file.read1(min(len(buffer), self._left)) if self._left else b""
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


class PartSource(TextSource):
    """Lines of a piece, which begins and ends with a record and is UTF-8.

    Raises `NotUtf8Error` where it is not.
    """

    def __init__(self, piece: Piece, lines_before: int = 0) -> None:
        Source.__init__(self, piece.path)
        self.max_line, self.encoding = piece.layout.max_line, "utf-8"
        self.skip_bad = piece.layout.skip_bad
        self._is_utf8, self._line_number, self.number = True, lines_before, lines_before
        self._held, self._n_empty, self._strict = [], 0, piece.must_be_utf8
        self._file = open_binary(piece.path)
        self._file.seek(piece.begin)
        window = _Window(self._file, (piece.end or 0) - piece.begin, self.name)
        self._stream = io.BufferedReader(window, _BLOCK)
        self._lines = self._decode()

    def _decode_invalid(self, raw: bytes) -> str:
        if not self._strict:
            return super()._decode_invalid(raw)
        raise NotUtf8Error("this is not UTF-8, and was cut as if it were", where=self.name)

    def _read_blocks(self, size: int) -> Iterator[bytes]:
        for block in super()._read_blocks(size):
            if self._strict:
                try:
                    block.decode()
                except UnicodeDecodeError:
                    self._decode_invalid(block)
            yield block
