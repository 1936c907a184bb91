"""From bytes to lines of text: byte-order marks, UTF-8, cp1252, and what cannot be decoded.

A byte-order mark decides; without one, text is UTF-8. The first line that is not UTF-8 decides
what the others are: cp1252 if nothing before it and little in it was UTF-8 beyond ASCII (Excel's
"CSV"), else damaged UTF-8. Undecodable places become U+FFFD and are counted. Lines that are valid
UTF-8 are always read as such.
"""

from __future__ import annotations

import codecs
import io
import itertools
import sys
from collections.abc import Iterator
from functools import partial
from typing import NoReturn, Self

from hardlimit.exceptions import DataFormatError, InputError, Setting, mask
from hardlimit.foundation.formatting import plural
from hardlimit.readers.file_notes import MOST_REASONS, FileNotes
from hardlimit.readers.opening import (
    BYTE_ORDER_MARKS,
    MAX_LINE,
    READ_ERRORS,
    STANDARD_INPUT,
    damaged_error,
    decompress,
    detect_byte_order,
    open_binary,
    peek,
    report_reading,
    too_long_error,
)

# A few kilobytes of gzip hold millions of line ends, and no row comes of them.
MOST_EMPTY = 1 << 20  # empty lines in a file, and
EMPTY_A_LINE = 16  # so many more for each line that is not


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
    guessed : bool
        The encoding was neither asked for nor marked.
    line_end : str
        How the first line ends.
    replaced, first_replaced : int
        Undecodable places so far, and the line of the first.
    columns : tuple of str
        Of a piece of a file, the names of the columns, as the begin of the file has them.
    queries : int
        Rows with a qid, which nobody reads.
    skip_bad : bool
        Rows that break the format are left out, and counted as ``bad``; the first ``reasons`` are
        kept.
    """

    columns: tuple[str, ...] = ()

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_standard_input = path == STANDARD_INPUT
        self.name = "<stdin>" if self.is_standard_input else mask(path)
        self.number = 0
        self.marked = False
        self.line_end = "\n"
        self.encoding: str | None = None
        self.guessed = False
        self.replaced = 0
        self.first_replaced = 0
        self.skip_bad = False
        self.queries = self.bad = 0
        self.reasons: list[str] = []

    def place(self, line: int) -> str:
        """Return where a line stands, for messages."""
        return f"{self.name}:{line}"

    def reject(self, error: DataFormatError) -> None:
        """Raise the error of one row, or count it where such rows are left out."""
        if not self.skip_bad:
            raise error from None
        self.bad += 1
        if len(self.reasons) < MOST_REASONS:
            self.reasons.append(str(error.replaced(fix="")))

    def counted(self) -> FileNotes:
        """Return what was met in rows, whoever reads them: left out, or read in part."""
        reasons = tuple(self.reasons)
        return FileNotes(self.name, queries=self.queries, bad=self.bad, reasons=reasons)

    def notes(self) -> list[str]:
        """Return sentences on that; none if there was none."""
        return self.counted().sentences()

    def close(self) -> None:
        """Let go of what is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TextSource(Source):
    """A text file, opened; give its `lines` once.

    max_line : the longest line in bytes, or in characters of a wide encoding.
    skips_empty : whether empty lines are no rows, so that their number is bounded.
    """

    skips_empty = True

    def __init__(self, path: str, encoding: str | None = None, max_line: int = MAX_LINE) -> None:
        super().__init__(path)
        self.max_line = min(max_line, sys.maxsize - 1)  # one more is read, to see what is longer
        self.encoding = _check_encoding(encoding)
        self._is_utf8 = False
        self._line_number = self._n_empty = 0
        self._held: list[str] = []
        self._file: io.BufferedReader | None = open_binary(path)
        try:
            self._stream = self._start(self._file)
        except READ_ERRORS as error:
            self.close()
            raise damaged_error(f"{self.name}:{self._line_number + 1}", error) from None
        # the caller has no source yet, so nobody else could close the file
        except BaseException:
            self.close()
            raise
        self._lines = self._decode()

    def _start(self, file: io.BufferedReader) -> io.BufferedReader:
        """Unpack, and take off the byte-order mark."""
        plain = decompress(self.name, report_reading(self.name, file))
        head, stream = peek(plain, tuple(BYTE_ORDER_MARKS))
        encoding, length = detect_byte_order(head)
        # the mark is no text, also where the user has named the encoding
        stream.read(length)
        self.marked = length > 0
        self.encoding = _name_byte_order(self.encoding, encoding)
        return stream

    def lines(self) -> Iterator[str]:
        r"""Give the lines, each with its end (``\n`` or ``\r\n``) as it stands."""
        while self._held:
            yield self._numbered(self._held.pop())
        for line in self._lines:
            # only the first line tells how lines end; the others save the call
            if self.number:
                self.number += 1
                yield line
            else:
                yield self._numbered(line)

    def blocks(self, size: int = 1 << 20) -> Iterator[bytes]:
        """Give what `lines` would, about ``size`` bytes of whole lines at a time, as UTF-8.

        What is not UTF-8 in a file that ought to be stays as it is. Lines are not numbered.
        """
        if self._held:
            held, self._held = self._held[::-1], []
            yield "".join(held).encode()
        if self.encoding in (None, "utf-8"):
            yield from self._read_blocks(min(size, self.max_line))
            return
        while lines := list(itertools.islice(self._lines, max(1, size >> 10))):
            yield "".join(lines).encode()

    def _read_blocks(self, size: int) -> Iterator[bytes]:
        """Give blocks that end with a line."""
        try:
            while block := self._stream.read(size):
                begun = len(block) - block.rfind(b"\n") - 1
                # One byte more, to tell a line of that length from a longer one.
                rest = self._stream.readline(self.max_line - begun + 1) if begun else b""
                self._line_number += block.count(b"\n")
                if begun + len(rest) > self.max_line:
                    self._line_number += 1
                    self._refuse_line()
                self._line_number += rest.endswith(b"\n")
                yield block + rest
        except READ_ERRORS as error:
            raise damaged_error(f"{self.name}:{self._line_number + 1}", error) from None

    def _numbered(self, line: str) -> str:
        self.number += 1
        if self.number == 1 and line.endswith("\r\n"):
            self.line_end = "\r\n"
        return line

    def peek(self, count: int, size: int = 1 << 20) -> list[str]:
        """Look at the next lines (about ``size`` characters at most); `lines` gives them again."""
        looked = self._held[::-1]
        size -= sum(map(len, looked))
        while len(looked) < count and size > 0 and (line := next(self._lines, None)) is not None:
            looked.append(line)
            size -= len(line)
        # backwards, so that `lines` takes the next one off the end
        self._held = looked[::-1]
        return looked[:count]

    def _decode(self) -> Iterator[str]:
        try:
            if self.encoding in (None, "utf-8"):
                yield from self._decode_utf8()
            else:
                yield from self._decode_as(self.encoding or "utf-8")
        except READ_ERRORS as error:
            raise damaged_error(f"{self.name}:{self._line_number + 1}", error) from None

    def _decode_utf8(self) -> Iterator[str]:
        """Decode what ought to be UTF-8."""
        # One byte more, to tell a line of that length from a longer one.
        for raw in iter(partial(self._stream.readline, self.max_line + 1), b""):
            self._line_number += 1
            if len(raw) > self.max_line:
                self._refuse_line()
            if raw in (b"\n", b"\r\n"):
                self._count_empty()
            try:
                line = raw.decode()
            except UnicodeDecodeError:
                yield self._decode_invalid(raw)
                continue
            if not line.isascii():
                self._is_utf8 = True
            yield line

    def _decode_invalid(self, raw: bytes) -> str:
        # Excel writes cp1252 and does not say so. The guess is made once, at the first line that is
        # not UTF-8, and only while nothing in the file was UTF-8 beyond ASCII: a mixed file is
        # damaged UTF-8, and read as cp1252 every accent in it would become two wrong letters.
        line = raw.decode("utf-8", "replace")
        bad = line.count("\ufffd") - raw.count(b"\xef\xbf\xbd")
        good = sum(not char.isascii() for char in line) - bad
        if self.encoding is None and not self._is_utf8 and good <= bad:
            self.encoding = "cp1252"
            self.guessed = True
        if self.encoding == "cp1252":
            line = raw.decode("cp1252", "replace")
            bad = line.count("\ufffd")
        self._count_replaced(bad)
        return line

    def _decode_as(self, encoding: str) -> Iterator[str]:
        """Decode what is known to be something else than UTF-8."""
        # line by line by the encoding's own newline: in UTF-16 a byte 10 may be half of a character
        text = io.TextIOWrapper(self._stream, encoding, "replace", newline="\n")
        for line in iter(partial(text.readline, self.max_line + 1), ""):
            self._line_number += 1
            if len(line) > self.max_line:
                self._refuse_line()
            if line in ("\n", "\r\n"):
                self._count_empty()
            self._count_replaced(line.count("\ufffd"))
            yield line
        text.detach()  # or collecting the wrapper would close standard input

    def _count_empty(self) -> None:
        """Count an empty line; refuse a file that has hardly any others."""
        self._n_empty += 1
        others = self._line_number - self._n_empty
        if self.skips_empty and self._n_empty > MOST_EMPTY + EMPTY_A_LINE * others:
            empty = plural(self._n_empty, "empty line")
            raise DataFormatError(
                f"{empty}, and {plural(others, 'other')}",
                where=f"{self.name}:{self._line_number}",
                fix=("remove them; where each is a text, say ", Setting("format", "lines")),
            )

    def _refuse_line(self) -> NoReturn:
        raise too_long_error(f"{self.name}:{self._line_number}", "line", self.max_line)

    def _count_replaced(self, replaced: int) -> None:
        if replaced:
            self.first_replaced = self.first_replaced or self._line_number
            self.replaced += replaced

    def close(self) -> None:
        """Close the file, unless it is standard input, which is not ours."""
        if self._file is not None and not self.is_standard_input:
            self._file.close()
        self._file = None


def strip_line_end(line: str) -> str:
    r"""Take the line's end off.

    >>> strip_line_end("one\r\n")
    'one'
    """
    if line.endswith("\n"):
        return line[:-2] if line.endswith("\r\n") else line[:-1]
    return line


def decode_marked(data: bytes, encoding: str | None = None) -> str | bytes:
    r"""Decode a document whose encoding is asked for or marked; leave the rest as bytes.

    >>> decode_marked("no prize".encode("utf-16")), decode_marked(b"\xff")
    ('no prize', b'\xff')
    """
    # UTF-8 is left as bytes: the tokenizer decodes it and counts what it replaces
    marked, length = detect_byte_order(data)
    encoding = _name_byte_order(_check_encoding(encoding), marked)
    if encoding in (None, "utf-8"):
        return data[length:]
    return data[length:].decode(encoding, "replace")


def _name_byte_order(wanted: str | None, marked: str | None) -> str | None:
    """Return the encoding to decode with, where the mark is taken off already.

    >>> _name_byte_order("utf-16", "utf-16-be"), _name_byte_order("utf-16", None)
    ('utf-16-be', 'utf-16-le')
    """
    if wanted is None:
        return marked
    if wanted not in ("utf-16", "utf-32"):
        return wanted
    # without a mark as Windows writes it
    return marked if marked is not None and marked.startswith(wanted) else f"{wanted}-le"


def _check_encoding(encoding: str | None) -> str | None:
    """Check the name of an encoding."""
    if encoding is None:
        return None
    try:
        # hex and its like are no encodings of text, and some take no invalid bytes
        b"a".decode(encoding, "replace")
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InputError(
            parameter="encoding",
            got=encoding,
            wanted="the name of an encoding, such as utf-8, cp1252, latin-1 or utf-16",
        ) from None
