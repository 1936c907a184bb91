r"""A mailbox of one file (mbox): messages one after the other, each after a line ``From ...``.

Such a line begins the file or follows an empty one, and ends in a time and a year. Lines of a
message that look like one were quoted when it was stored, ``>From``; one such sign is taken off
(mboxrd, and mboxo but for lines that had it from the start). A message may say its length instead
(``Content-Length``: mboxcl, mboxcl2) and then have such lines unquoted. That is believed where the
length ends at the next separating line or at the end of the file; the first that does not ends the
belief for the rest of the file, so that time stays linear. A document is ``file:message``, counted
from 1. The label, unless it comes from elsewhere, is the name of the file: of ``spam.mbox``
it is ``spam``.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from hardlimit.exceptions import InputError
from hardlimit.foundation import storage
from hardlimit.mail.reader import MAX_BYTES
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, mail_limit, open_documents
from hardlimit.readers.labelling import FOLDER
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import STANDARD_INPUT, open_plain, strip_compression
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

LONGEST_SEPARATOR = 300  # bytes of a separating line
_PIECE = 1 << 16  # of a longer line, which separates nothing
_SEPARATOR = re.compile(rb"From \S.*\d\d?:\d\d(?::\d\d)?.*\d{4}\s*$")
_QUOTED = re.compile(rb">+From ")
_LENGTH = re.compile(rb"(?i)content-length:[ \t]*(\d{1,9})\s*$")
_EMPTY = (b"\n", b"\r\n")
_LOOKED_AT = b"Cc\r\n"  # what those lines begin with
# What some IMAP servers keep in the first message, which nobody has sent.
_INTERNAL = b"FOLDER INTERNAL DATA"
_HEAD = 2000


class _Lines:
    """The lines of a file, in pieces of at most 64 KiB, with a look ahead."""

    def __init__(self, file: BinaryIO, first: bytes) -> None:
        self.read = file.readline
        self.ahead: deque[bytes] = deque([first] if first else [])

    def next(self) -> bytes:
        """Return the next line; nothing at the end."""
        return self.ahead.popleft() if self.ahead else self.read(_PIECE)

    def take(self, length: int) -> list[bytes] | None:
        """Take so many bytes; None, and nothing taken, where no message ends behind them."""
        taken: list[bytes] = []
        left = length
        while left > 0 and (line := self.next()):
            taken.append(line)
            left -= len(line)
        # An empty line may stand between, which no length counts.
        behind = [self.next()]
        if behind[0] in _EMPTY:
            behind.append(self.next())
        # The end of the last line may not be counted either.
        ends = left in (0, -1) and (not behind[-1] or is_separator(behind[-1]))
        back = behind if ends else taken + behind
        self.ahead.extendleft(line for line in reversed(back) if line)
        return taken if ends else None


class _Lengths:
    """What headers say of the length of their messages, as long as it can be believed."""

    def __init__(self, source: _Lines, most: int) -> None:
        self._source, self._most = source, most
        self.believed = True
        self._length: int | None = None

    def begin(self) -> bool:
        """Begin with the next header; tell whether it is to be looked at."""
        self._length = None
        return self.believed

    def body(self, line: bytes) -> list[bytes] | None:
        """Look at a line of a header; behind its last one return the body, if its end is known."""
        if line not in _EMPTY:
            found = _LENGTH.match(line) if self._length is None else None
            # Longer messages are cut anyway.
            self._length = min(int(found[1]), self._most + 1) if found else self._length
            return None
        length, self._length = self._length, None
        if length is None or length > self._most:
            return []
        body = self._source.take(length)
        self.believed = body is not None
        return _unquoted(body or [])


def split_messages(file: BinaryIO, most: int, first: bytes = b"") -> Iterator[bytes]:
    r"""Give the messages of a mailbox, each with its first bytes, one more than ``most``.

    first : the first line, where it was read already

    >>> import io
    >>> line = b"From a@b.org Thu Aug 22 12:36:23 2002\n"
    >>> list(split_messages(io.BytesIO(line + b"X: 1\n\n>From\n\n" + line + b"X: 2\n"), 1000))
    [b'X: 1\n\n>From\n\n', b'X: 2\n']
    """
    source = _Lines(file, first)
    lengths = _Lengths(source, most)
    lines: list[bytes] = []
    size, begun, in_header, empty, whole = 0, False, False, True, True
    ahead, read = source.ahead, source.read
    while line := (ahead.popleft() if ahead else read(_PIECE)):  # as source.next(), without a call
        if whole and empty and is_separator(line):
            if begun and not _is_internal(lines):
                yield b"".join(lines)
            lines, size, begun, in_header = [], 0, True, lengths.begin()
        elif size <= most:
            if whole and line.startswith(b">") and _QUOTED.match(line):
                line = line[1:]
            lines.append(line[: most + 1 - size])
            size += len(line)
        empty = whole and line in _EMPTY
        whole = line.endswith(b"\n")
        if in_header and line[0] in _LOOKED_AT and (body := lengths.body(line)) is not None:
            in_header = False
            lines += body
            size += sum(map(len, body))
            empty = whole = True
    if (begun or size) and not _is_internal(lines):
        yield b"".join(lines)


def _unquoted(body: list[bytes]) -> list[bytes]:
    """Take off one sign of quoted lines, unless the mailbox quotes none: it has bare ones."""
    if any(map(is_separator, body)):
        return body
    made, whole = [], True
    for line in body:
        made.append(line[1:] if whole and _QUOTED.match(line) else line)
        whole = line.endswith(b"\n")
    return made


def is_separator(line: bytes) -> bool:
    """Tell a line by which messages are told apart."""
    # The expression takes the square of a line, so only short ones are asked.
    return (
        line.startswith(b"From ")
        and len(line) <= LONGEST_SEPARATOR
        and bool(_SEPARATOR.match(line))
    )


def _is_internal(lines: list[bytes]) -> bool:
    head = b"".join(lines[:20])[:_HEAD]
    return _INTERNAL in head and b"X-IMAP" in head


def read_mailbox(path: str, name: str, most: int, folder: str | None) -> Iterator[Document]:
    """Give the messages of a file as documents."""
    with open_plain(path, reports=name) as plain:
        for number, message in enumerate(split_messages(plain, most), 1):
            yield Document(f"{name}:{number}", message, folder)


def folder_of(path: str) -> str:
    """Return the label of a mailbox: its name without extension.

    >>> folder_of("mail/spam.mbox.gz")
    'spam'
    """
    return os.path.splitext(os.path.basename(strip_compression(path)))[0]


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open a mailbox."""
    if path == STANDARD_INPUT and need_label and layout.label_from in (None, FOLDER):
        raise InputError(
            "the label of a mailbox is the name of its file, and standard input has none",
            parameter="label_from",
            got=layout.label_from,
            wanted="name:REGEX, header:NAME or index:FILE",
            topic="unnamed-mailbox",
        )
    source = Source(path)
    layout = replace(layout, mail=layout.mail or True)
    name = storage.base_name(source.name)

    def documents(_: Table) -> Iterator[Document]:
        yield from read_mailbox(path, name, mail_limit(layout) or MAX_BYTES, folder_of(path))

    return open_documents(source, layout, documents, need_label=need_label)


FORMAT = Format("mbox", (".mbox", ".mbx"), read, "a mailbox of raw mails (mbox)", takes_path=True)
