"""From a path to plain bytes: standard input, and compression detected by content."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import gzip
import hashlib
import io
import lzma
import os
import stat
import sys
import threading
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from hardlimit.exceptions import DataFormatError, FileError, HardlimitError, Setting
from hardlimit.foundation import progress, storage
from hardlimit.foundation.suggesting import find_nearest

if TYPE_CHECKING:
    from typing_extensions import Buffer

STANDARD_INPUT = "-"
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")
_BUFFER = 1 << 18
# Of one line, and of one document of a folder: what is longer would be taken into memory whole, and
# ten megabytes of gzip may hold ten gigabytes without a line end.
MAX_LINE = 1 << 26
_GZIP = (b"\x1f\x8b\x08",)
_XZ = (b"\xfd7zXZ\0",)
_ZSTD = (b"\x28\xb5\x2f\xfd",)
_BZIP2 = tuple(b"BZh%d%c" % (level, kind) for level in range(1, 10) for kind in b"1\x17")
_REFUSED = {
    b"PK\x03\x04": ("a zip archive (a workbook?)", "save it as CSV, or unpack it"),
    b"\xd0\xcf\x11\xe0": ("an old Office document", "save it as CSV"),
}
BYTE_ORDER_MARKS = {  # the longer mark first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
READ_ERRORS = (EOFError, OSError, zlib.error, lzma.LZMAError)


class _Readable(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


class _Rewound(io.RawIOBase):
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


class _InputFile(io.FileIO):
    """A file that is read; that it cannot be closed costs nothing that was read."""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            super().close()


class FileDigests(threading.local):
    """Digests of the files that this thread reads to their end, where ``found`` is a dict."""

    found: dict[str, tuple[str, int]] | None = None


DIGESTS = FileDigests()


class _Reported:
    """A file that says how much of it was read, and computes its digest where that is wanted."""

    def __init__(self, name: str, file: io.BufferedReader) -> None:
        self._file, self._what, self._done = file, f"reading {name}", 0
        self._name, self._found = name, DIGESTS.found
        self._hashed = None if self._found is None else hashlib.sha256()
        try:
            size = getattr(getattr(file, "raw", None), "size", None)  # of a remote file
            found = None if size is not None else os.fstat(file.fileno())
            # Of a pipe nobody knows the size.
            if found is not None:
                size = found.st_size if stat.S_ISREG(found.st_mode) else 0
            self._size = size or 0
        except (OSError, ValueError):  # a stream of a test or notebook has no number
            self._size = 0

    def read1(self, size: int = -1, /) -> bytes:
        data = self._file.read1(size)
        self._done += len(data)
        if self._hashed is not None and self._found is not None:
            self._hashed.update(data)
            if not data and size:
                self._found[self._name] = self._hashed.hexdigest(), self._done
        progress.report(self._what, self._done, self._size, "bytes")
        return data


def report_reading(name: str, file: io.BufferedReader) -> _Readable:
    """Return the file as one that reports how much of it was read."""
    return _Reported(name, file)


def peek(stream: _Readable, marks: Sequence[bytes]) -> tuple[bytes, io.BufferedReader]:
    """Return the first bytes, as many as it takes to tell the marks apart, and the stream whole.

    Reads no further than needed, so that a pipe that is written line by line is not held up.
    """
    head = b""
    while any(mark.startswith(head) and len(head) < len(mark) for mark in marks):
        more = stream.read1(_BUFFER)
        if not more:
            break
        head += more
    return head, io.BufferedReader(_Rewound(head, stream), _BUFFER)


def decompress(name: str, stream: _Readable) -> io.BufferedReader:
    """Open a compressed stream as its content; others are given back as they are."""
    head, whole = peek(stream, (*_GZIP, *_XZ, *_BZIP2, *_ZSTD, *_REFUSED))
    if head.startswith(_GZIP):
        return io.BufferedReader(gzip.GzipFile(fileobj=whole), _BUFFER)
    if head.startswith(_BZIP2):
        return io.BufferedReader(bz2.BZ2File(whole), _BUFFER)
    if head.startswith(_XZ):
        return io.BufferedReader(lzma.LZMAFile(whole), _BUFFER)
    if head.startswith(_ZSTD):
        from hardlimit.readers.zstd import ZstdReader  # start-up: few files are packed so

        return io.BufferedReader(ZstdReader(name, whole), _BUFFER)
    for mark, (what, fix) in _REFUSED.items():
        if head.startswith(mark):
            raise DataFormatError(f"this is {what}", where=name, fix=fix)
    return whole


def detect_byte_order(head: bytes) -> tuple[str | None, int]:
    """Return the encoding by its mark (or the zeros of unmarked UTF-16), and the mark's length."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding, len(mark)
    # Excel and Windows tools write UTF-16 without a mark too: in Latin text every other byte is 0.
    start = head[:4]
    if len(start) == 4 and start[1::2] == b"\0\0" and 0 not in start[::2]:
        return "utf-16-le", 0
    if len(start) == 4 and start[::2] == b"\0\0" and 0 not in start[1::2]:
        return "utf-16-be", 0
    return None, 0


def strip_compression(path: str) -> str:
    """Take ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` off a name, and the query of a URI.

    >>> strip_compression("news.csv.gz")
    'news.csv'
    """
    path = storage.without_query(path)
    stem, extension = os.path.splitext(path)
    return stem if extension.lower() in COMPRESSIONS else path


def missing_file_error(path: str) -> HardlimitError:
    """Build the error for a path that is not there; it names the nearest ones that are."""
    if storage.is_remote(path):
        return FileError("no such file", where=path)
    if storage.is_uri(path):
        return storage.refusal(path)
    folder, name = os.path.split(path)
    try:
        near = find_nearest(name, os.listdir(folder or "."))
    except OSError:
        return FileError(f"no such file (nor the folder {folder!r})", where=path)
    fix = f"did you mean {os.path.join(folder, near)}?" if near else ""
    return FileError("no such file", where=path, fix=fix)


def open_binary(path: str) -> io.BufferedReader:
    """Open a file, a URI or ``-`` for reading; `FileError` says why not."""
    if path == STANDARD_INPUT:
        # As Python has it in a process that was started without, and in windows without a console.
        if sys.stdin is None:
            raise FileError("it is closed", where="standard input")
        return cast(io.BufferedReader, sys.stdin.buffer)
    if storage.is_remote(path):
        return storage.open_remote(path)
    try:
        return io.BufferedReader(_InputFile(storage.local_path(path)), _BUFFER)
    except FileNotFoundError:
        raise missing_file_error(path) from None
    except IsADirectoryError:
        raise FileError("this is a folder; a file was wanted", where=path) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=path) from None


@contextlib.contextmanager
def open_plain(path: str, name: str = "", *, reports: str = "") -> Iterator[io.BufferedReader]:
    """Open a file as its content; where it breaks while it is read, the error names it.

    name : for messages.    reports : the name by which it is reported how
    much of it was read.
    """
    name = name or path
    with open_binary(path) as file:
        try:
            yield decompress(name, report_reading(reports, file) if reports else file)
        except READ_ERRORS as error:
            raise damaged_error(name, error) from None


def read_whole(path: str, most: int = MAX_LINE) -> bytes:
    """Read one file whole, unpacked; `DataFormatError` if it has more than ``most`` bytes."""
    with open_plain(path) as plain:
        data = plain.read(most + 1)
    if len(data) > most:
        raise too_long_error(path, "document", most)
    return data


def too_long_error(where: str, what: str, most: int) -> DataFormatError:
    """Build the error for a line, a row or a document beyond the bound."""
    fix = ("if that is meant, say ", Setting("max_line", 4 * most))
    return DataFormatError(f"a {what} of more than {most:,} bytes", where=where, fix=fix)


def damaged_error(where: str, error: Exception) -> HardlimitError:
    """Build the error for a stream that broke while it was read."""
    if isinstance(error, HardlimitError):  # of a remote file
        return error
    # gzip and bz2 raise OSError for bad content too, but without a number
    if isinstance(error, OSError) and error.errno is not None:
        return FileError(f"cannot be read: {error.strerror}", where=where)
    return DataFormatError(f"the compressed file is damaged or cut off: {error}", where=where)
