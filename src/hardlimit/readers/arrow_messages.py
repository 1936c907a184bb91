"""What the batches of an Arrow file or stream unpack to, read before pyarrow unpacks them.

A compressed buffer begins with the bytes that it unpacks to. Where buffers stand is told by the
messages (Arrow's IPC format), tables of FlatBuffers of which few fields are wanted. Buffers that
are not compressed are mapped, and take no memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from hardlimit.exceptions import DataFormatError

_MAGIC = 6  # bytes at the end of a file: ARROW1
_CONTINUED = 0xFFFFFFFF
_DICTIONARY, _BATCH = 2, 3  # kinds of messages
_BLOCK = 24  # bytes of a block in the footer
_LONGEST_MESSAGE = 1 << 28  # bytes of a message without its body


class Messages:
    """The messages of an open file, one after the other, or by the blocks of its footer.

    Raises
    ------
    DataFormatError
        A message is damaged.
    """

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file, self._where = file, where
        self._at = 0

    def next_batch(self) -> int:
        """Return what the next batch of a stream unpacks to, with the dictionaries before it."""
        total = 0
        while (read := self._read_message(self._at)) is not None:
            message, begin = read
            kind = message.number(1, "B")
            total += self._unpacked(message, begin)
            self._at = begin + message.number(3, "q")
            if kind == _BATCH:
                break
        return total

    def list_blocks(self) -> tuple[list[int], list[int]]:
        """Return where the dictionaries and the batches of a file begin."""
        try:
            end = self._file.seek(0, 2) - _MAGIC - 4
            (size,) = struct.unpack("<i", self._read(end, 4))
            footer = _Table.root(self._read(end - size, size))
            dictionaries, batches = footer.vector(2, _BLOCK), footer.vector(3, _BLOCK)
        except (struct.error, ValueError, OSError):
            raise self._damaged() from None
        return [_begin(one) for one in dictionaries], [_begin(one) for one in batches]

    def size_at(self, begin: int) -> int:
        """Return what the message that begins there unpacks to."""
        read = self._read_message(begin)
        return 0 if read is None else self._unpacked(*read)

    def _read_message(self, begin: int) -> tuple[_Table, int] | None:
        """Return a message, and where its body begins; None at the end of a stream."""
        try:
            head = self._read(begin, 8)
            if len(head) < 4:
                return None
            size, behind = struct.unpack("<I", head[:4])[0], begin + 4
            if size == _CONTINUED:
                size, behind = struct.unpack("<I", head[4:])[0], begin + 8
            if not size:
                return None
            if size > _LONGEST_MESSAGE:
                raise self._damaged()
            return _Table.root(self._read(behind, size)), behind + size
        except (struct.error, ValueError) as error:
            if isinstance(error, DataFormatError):
                raise
            raise self._damaged() from None

    def _unpacked(self, message: _Table, body: int) -> int:
        try:
            kind, found = message.number(1, "B"), message.table(2)
            if kind == _DICTIONARY and found is not None:
                found = found.table(1)
            if kind not in (_DICTIONARY, _BATCH) or found is None or found.table(3) is None:
                return 0
            return sum(self._promised(body, *struct.unpack("<qq", x)) for x in found.vector(2, 16))
        except (struct.error, ValueError):
            raise self._damaged() from None

    def _promised(self, body: int, offset: int, length: int) -> int:
        """Return the bytes that a compressed buffer says it unpacks to."""
        if length < 8:
            return 0
        size: int = struct.unpack("<q", self._read(body + offset, 8))[0]
        return max(0, size)  # -1: it is stored as it is

    def _read(self, begin: int, size: int) -> bytes:
        if begin < 0 or size < 0:
            raise ValueError
        self._file.seek(begin)
        return self._file.read(size)

    def _damaged(self) -> DataFormatError:
        return DataFormatError("damaged: a message of Arrow cannot be read", where=self._where)


class _Table:
    """A table of FlatBuffers: fields by their number."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._fields = at - self._unpack("i", at)

    @classmethod
    def root(cls, data: bytes) -> _Table:
        """Return the table that the bytes are of."""
        return cls(data, struct.unpack_from("<I", data)[0])

    def number(self, field: int, kind: str) -> int:
        """Return a number; 0 where it is left out."""
        place = self._place(field)
        return self._unpack(kind, place) if place else 0

    def table(self, field: int) -> _Table | None:
        """Return a table inside of this one."""
        place = self._place(field)
        return _Table(self._data, place + self._unpack("I", place)) if place else None

    def vector(self, field: int, size: int) -> Iterator[bytes]:
        """Give the structures of a vector, so many bytes each."""
        place = self._place(field)
        if not place:
            return
        at = place + self._unpack("I", place)
        count = self._unpack("I", at)
        if at + 4 + count * size > len(self._data):
            raise ValueError
        for begin in range(at + 4, at + 4 + count * size, size):
            yield self._data[begin : begin + size]

    def _place(self, field: int) -> int:
        """Return where a field stands; 0 where it is left out."""
        inside = 4 + 2 * field
        if inside + 2 > self._unpack("H", self._fields):
            return 0
        shift = self._unpack("H", self._fields + inside)
        return self._at + shift if shift else 0

    def _unpack(self, kind: str, at: int) -> int:
        if at < 0:
            raise ValueError
        found: int = struct.unpack_from(f"<{kind}", self._data, at)[0]
        return found


def _begin(block: bytes) -> int:
    found: int = struct.unpack_from("<q", block)[0]
    return found
