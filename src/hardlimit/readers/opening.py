"""From a path to lines of text: standard input, compression, byte-order marks, encodings.

Compression and encoding are told by content, never by name. A byte-order mark decides; without
one, text is UTF-8. The first line that is not UTF-8 decides what the others are: cp1252 if nothing
before it and little in it was UTF-8 beyond ASCII (Excel's "CSV"), else damaged UTF-8. Undecodable
places become U+FFFD and are counted. Lines that are valid UTF-8 are always read as such.
"""

from __future__ import annotations

import bz2
import codecs
import difflib
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, Self, cast

from hardlimit.exceptions import DataFormatError, FileError, InputError

if TYPE_CHECKING:
    from typing_extensions import Buffer

STANDARD_INPUT = "-"
COMPRESSIONS = (".gz", ".bz2", ".xz")
_BUFFER = 1 << 18
_GZIP = (b"\x1f\x8b\x08",)
_XZ = (b"\xfd7zXZ\0",)
_BZIP2 = tuple(b"BZh%d%c" % (level, kind) for level in range(1, 10) for kind in b"1\x17")
_REFUSED = {
    b"PK\x03\x04": "a zip archive (a workbook?): save it as CSV, or unpack it",
    b"\x28\xb5\x2f\xfd": "zstandard: unpack it first (gz, bz2 and xz are read as they are)",
    b"\xd0\xcf\x11\xe0": "an old Office document: save it as CSV",
}
_MARKS = {  # the longer mark first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError)


class _Readable(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


class _Rejoined(io.RawIOBase):
    """A stream whose first bytes were looked at: gives them again, then the rest as it comes."""

    def __init__(self, head: bytes, rest: _Readable) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        buffer = memoryview(buffer)
        data = self._head[: len(buffer)]
        self._head = self._head[len(data) :]
        if not data:
            data = self._rest.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _look(stream: _Readable, marks: Sequence[bytes]) -> tuple[bytes, io.BufferedReader]:
    """Return the first bytes, as many as it takes to tell the marks apart, and the stream whole.

    Reads no further than needed, so that a pipe that is written line by line is not held up.
    """
    head = b""
    while any(mark.startswith(head) and len(head) < len(mark) for mark in marks):
        more = stream.read1(_BUFFER)
        if not more:
            break
        head += more
    return head, io.BufferedReader(_Rejoined(head, stream), _BUFFER)


def _unpacked(name: str, stream: _Readable) -> io.BufferedReader:
    """Look through compression, by content."""
    head, whole = _look(stream, (*_GZIP, *_XZ, *_BZIP2, *_REFUSED))
    if head.startswith(_GZIP):
        return io.BufferedReader(gzip.GzipFile(fileobj=whole), _BUFFER)
    if head.startswith(_BZIP2):
        return io.BufferedReader(bz2.BZ2File(whole), _BUFFER)
    if head.startswith(_XZ):
        return io.BufferedReader(lzma.LZMAFile(whole), _BUFFER)
    for mark, what in _REFUSED.items():
        if head.startswith(mark):
            raise DataFormatError(f"{name}: this is {what}")
    return whole


def _byte_order(head: bytes) -> tuple[str | None, int]:
    """Tell the encoding by its mark (or the zeros of unmarked UTF-16), and the mark's length."""
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding, len(mark)
    start = head[:4]
    if len(start) == 4 and start[1::2] == b"\0\0" and 0 not in start[::2]:
        return "utf-16-le", 0
    if len(start) == 4 and start[::2] == b"\0\0" and 0 not in start[1::2]:
        return "utf-16-be", 0
    return None, 0


def without_compression(path: str) -> str:
    """Take ``.gz``, ``.bz2`` or ``.xz`` off a name.

    >>> without_compression("news.csv.gz")
    'news.csv'
    """
    stem, extension = os.path.splitext(path)
    return stem if extension.lower() in COMPRESSIONS else path


def bare(line: str) -> str:
    r"""Take the line's end off.

    >>> bare("one\r\n")
    'one'
    """
    if line.endswith("\n"):
        return line[:-2] if line.endswith("\r\n") else line[:-1]
    return line


def missing_file(path: str) -> FileError:
    """Build the error for a path that is not there; it names the nearest ones that are."""
    folder, name = os.path.split(path)
    try:
        near = difflib.get_close_matches(name, os.listdir(folder or "."), n=1)
    except OSError:
        return FileError(f"{path}: no such file (nor the folder {folder!r})")
    hint = f"; did you mean {os.path.join(folder, near[0])}?" if near else ""
    return FileError(f"{path}: no such file{hint}")


def open_binary(path: str) -> io.BufferedReader:
    """Open a file (or ``-``) for reading; `FileError` says why not."""
    if path == STANDARD_INPUT:
        return cast(io.BufferedReader, sys.stdin.buffer)
    try:
        return cast(io.BufferedReader, open(path, "rb", buffering=_BUFFER))
    except FileNotFoundError:
        raise missing_file(path) from None
    except IsADirectoryError:
        raise FileError(f"{path}: is a folder; a file was wanted") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}") from None


def read_whole(path: str) -> bytes:
    """Read one file, unpacked."""
    with open_binary(path) as file:
        try:
            return _unpacked(path, file).read()
        except _DAMAGE as error:
            raise _damaged(path, error) from None


def decode_marked(data: bytes, encoding: str | None = None) -> str | bytes:
    r"""Decode a document whose encoding is asked for or marked; leave the rest as bytes.

    >>> decode_marked("no prize".encode("utf-16")), decode_marked(b"\xff")
    ('no prize', b'\xff')
    """
    marked, length = _byte_order(data)
    encoding = _known(encoding) or marked
    if encoding in (None, "utf-8"):
        return data[length:]
    return data[length:].decode(encoding, "replace")


def _damaged(where: str, error: Exception) -> DataFormatError | FileError:
    if isinstance(error, OSError) and error.errno is not None:
        return FileError(f"{where}: cannot be read: {error.strerror}")
    return DataFormatError(f"{where}: the compressed file is damaged or cut off: {error}")


class Source:
    """What rows come from.

    Attributes
    ----------
    name : str
        For messages: the path, or ``<stdin>``.
    number : int
        Number of the line (of a folder: the file) given last, from 1.
    marked : bool
        The file begins with a byte-order mark.
    encoding : str or None
        As asked for or marked; None while all was UTF-8; "cp1252" once a line showed it.
    line_end : str
        How the first line ends.
    replaced, first_replaced : int
        Undecodable places so far, and the line of the first.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_standard_input = path == STANDARD_INPUT
        self.name = "<stdin>" if self.is_standard_input else path
        self.number = 0
        self.marked = False
        self.line_end = "\n"
        self.encoding: str | None = None
        self.replaced = 0
        self.first_replaced = 0

    def close(self) -> None:
        """Let go of what is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TextSource(Source):
    """A text file, opened; give its `lines` once."""

    def __init__(self, path: str, encoding: str | None = None) -> None:
        super().__init__(path)
        self.encoding = _known(encoding)
        self._is_utf8 = False
        self._at = 0
        self._held: list[str] = []
        self._file: io.BufferedReader | None = open_binary(path)
        try:
            self._stream = self._start(self._file)
        except _DAMAGE as error:
            self.close()
            raise _damaged(f"{self.name}:{self._at + 1}", error) from None
        except BaseException:
            self.close()
            raise
        self._lines = self._decoded()

    def _start(self, file: io.BufferedReader) -> io.BufferedReader:
        """Unpack, and take off the byte-order mark."""
        unpacked = _unpacked(self.name, file)
        head, stream = _look(unpacked, tuple(_MARKS))
        encoding, length = _byte_order(head)
        stream.read(length)
        self.marked = length > 0
        if self.encoding is None:
            self.encoding = encoding
        return stream

    def lines(self) -> Iterator[str]:
        r"""Give the lines, each with its end (``\n`` or ``\r\n``) as it stands."""
        while True:
            if self._held:
                line = self._held.pop()
            else:
                following = next(self._lines, None)
                if following is None:
                    return
                line = following
            self.number += 1
            if self.number == 1 and line.endswith("\r\n"):
                self.line_end = "\r\n"
            yield line

    def peek(self, count: int, size: int = 1 << 20) -> list[str]:
        """Look at the next lines (about ``size`` characters at most) without using them up."""
        looked = self._held[::-1]
        size -= sum(map(len, looked))
        while len(looked) < count and size > 0 and (line := next(self._lines, None)) is not None:
            looked.append(line)
            size -= len(line)
        self._held = looked[::-1]
        return looked[:count]

    def _decoded(self) -> Iterator[str]:
        try:
            if self.encoding in (None, "utf-8"):
                for raw in self._stream:
                    self._at += 1
                    yield self._utf8(raw)
            else:
                yield from self._other(self.encoding or "utf-8")
        except _DAMAGE as error:
            raise _damaged(f"{self.name}:{self._at + 1}", error) from None

    def _utf8(self, raw: bytes) -> str:
        """Decode one line of what ought to be UTF-8."""
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError:
            return self._not_utf8(raw)
        if not line.isascii():
            self._is_utf8 = True
        return line

    def _not_utf8(self, raw: bytes) -> str:
        line = raw.decode("utf-8", "replace")
        bad = line.count("\ufffd") - raw.count(b"\xef\xbf\xbd")
        good = sum(not char.isascii() for char in line) - bad
        if self.encoding is None and not self._is_utf8 and good <= bad:
            self.encoding = "cp1252"
        if self.encoding == "cp1252":
            line = raw.decode("cp1252", "replace")
            bad = line.count("\ufffd")
        self._count(bad)
        return line

    def _other(self, encoding: str) -> Iterator[str]:
        """Decode what is known to be something else than UTF-8."""
        text = io.TextIOWrapper(self._stream, encoding, "replace", newline="\n")
        for line in text:
            self._at += 1
            self._count(line.count("\ufffd"))
            yield line
        text.detach()

    def _count(self, replaced: int) -> None:
        if replaced:
            self.first_replaced = self.first_replaced or self._at
            self.replaced += replaced

    def close(self) -> None:
        """Close the file, unless it is standard input, which is not ours."""
        if self._file is not None and not self.is_standard_input:
            self._file.close()
        self._file = None


def _known(encoding: str | None) -> str | None:
    """Check the name of an encoding."""
    if encoding is None:
        return None
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise InputError(
            f"encoding: {encoding!r} is unknown; usual ones are utf-8, cp1252, latin-1, utf-16"
        ) from None
