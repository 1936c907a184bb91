"""What the pages of a Parquet file unpack to, read from their headers before pyarrow unpacks them.

A page of a few bytes may hold gigabytes, and the footer may lie about it, so that the headers of
the pages themselves are read: Thrift's compact protocol, of which four numbers are wanted. What
stands between the headers is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardlimit.exceptions import DataFormatError

_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE = range(8)
_BINARY, _LIST, _SET, _MAP, _STRUCT = 8, 9, 10, 11, 12
_DEEPEST = 8  # structures inside each other; the format has three
_DICTIONARY_PAGE = 2
_COUNTED = (5, 7, 8)  # the headers of data pages, dictionaries and data pages of version 2
_ENCODING = {5: 2, 7: 2, 8: 4}  # where the encoding stands in each of these
_CODED = (2, 8)  # encodings by a dictionary
_SHARED = 7  # what a value has in common with the one before is left out
_WINDOW = 1 << 12  # bytes that are read for a header; more where it has long statistics


class Page(NamedTuple):
    """A page: the bytes that it unpacks to, and its values; a dictionary has none.

    is_coded : whether its values are places in a dictionary.
    is_shared : whether values leave out what they share with the one before.
    """

    unpacked: int
    values: int
    is_coded: bool = False
    is_shared: bool = False


def list_pages(
    read: Callable[[int, int], bytes], size: int, n_values: int, where: str
) -> Iterator[Page]:
    """Give the pages of a column chunk.

    Parameters
    ----------
    read : returns bytes of the chunk: so many, from a place in it
    size : of the chunk
    n_values : of the chunk; what is behind the page that has the last of them is never read

    Raises
    ------
    DataFormatError
        A header is damaged.
    """
    at = done = 0
    while at < size and done < n_values:
        try:
            header, packed = _read_header(read, at, size)
        except (IndexError, ValueError):
            raise DataFormatError("a page header is damaged", where=where) from None
        at += header.at + packed
        if header.kind == _DICTIONARY_PAGE:
            yield Page(header.unpacked, 0)
            continue
        done += header.values
        coded, shared = header.encoding in _CODED, header.encoding == _SHARED
        yield Page(header.unpacked, header.values, coded, shared)


def _read_header(read: Callable[[int, int], bytes], at: int, size: int) -> tuple[_Header, int]:
    """Return the header of the page that begins there, and the bytes of the page behind it."""
    wanted = _WINDOW
    while True:
        header = _Header(read(at, min(wanted, size - at)))
        try:
            return header, header.read()
        except IndexError:
            if wanted >= size - at:
                raise
        wanted *= 16


class _Header:
    """The header of one page; reading moves ``at`` behind it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        self.kind = self.unpacked = self.values = self.encoding = 0

    def read(self) -> int:
        """Read the header; return the bytes of the page behind it."""
        packed = 0
        for field, kind in self._fields():
            if field in (1, 2, 3) and kind == _I32:
                number = self._integer()
                if number < 0:
                    raise ValueError
                if field == 1:
                    self.kind = number
                elif field == 2:
                    self.unpacked = number
                else:
                    packed = number
            elif field in _COUNTED and kind == _STRUCT:
                self._read_count(_ENCODING[field])
            else:
                self._skip(kind, _DEEPEST)
        return packed

    def _read_count(self, encoding: int) -> None:
        for field, kind in self._fields():
            if field == 1 and kind == _I32:
                self.values = max(0, self._integer())
            elif field == encoding and kind == _I32:
                self.encoding = self._integer()
            else:
                self._skip(kind, _DEEPEST)

    def _fields(self) -> Iterator[tuple[int, int]]:
        number = 0
        while (byte := self._byte()) & 0x0F:
            number = number + (byte >> 4) if byte >> 4 else self._integer()
            yield number, byte & 0x0F

    def _byte(self) -> int:
        value = self._data[self.at]
        self.at += 1
        return value

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise ValueError

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _skip(self, kind: int, deepest: int) -> None:
        if not deepest:
            raise ValueError
        if kind in (_I16, _I32, _I64):
            self._varint()
        elif kind == _BYTE:
            self.at += 1
        elif kind == _DOUBLE:
            self.at += 8
        elif kind == _BINARY:
            size = self._varint()
            self.at += size
        elif kind == _STRUCT:
            for _, inner in self._fields():
                self._skip(inner, deepest - 1)
        elif kind not in (_TRUE, _FALSE):  # lists and maps, which no page header has
            raise ValueError
