r"""A mailbox of one file (mbox): messages one after the other, each after a line ``From ...``.

Such a line begins the file or follows an empty one, and ends in a time and a year. Lines of a
message that look like one were quoted when it was stored, ``>From``; one such sign is taken off
(mboxrd, and mboxo but for lines that had it from the start). A document is ``file:message``,
counted from 1. The label, unless it comes from elsewhere, is the name of the file: of ``spam.mbox``
it is ``spam``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from hardlimit.mail.reader import MAX_BYTES
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, mail_limit, open_documents
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import (
    READ_ERRORS,
    damaged_error,
    decompress,
    open_binary,
    report_reading,
    strip_compression,
)
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

_LONGEST = 300  # bytes of a separating line
_PIECE = 1 << 16  # of a longer line, which separates nothing
_SEPARATOR = re.compile(rb"From \S.*\d\d?:\d\d(?::\d\d)?.*\d{4}\s*$")
_QUOTED = re.compile(rb">+From ")
# What some IMAP servers keep in the first message, which nobody has sent.
_INTERNAL = b"FOLDER INTERNAL DATA"
_HEAD = 2000


def split_messages(file: BinaryIO, most: int) -> Iterator[bytes]:
    r"""Give the messages of a mailbox, each with its first bytes, one more than ``most``.

    >>> import io
    >>> line = b"From a@b.org Thu Aug 22 12:36:23 2002\n"
    >>> list(split_messages(io.BytesIO(line + b"X: 1\n\n>From\n\n" + line + b"X: 2\n"), 1000))
    [b'X: 1\n\n>From\n\n', b'X: 2\n']
    """
    lines: list[bytes] = []
    size, begun, empty, whole = 0, False, True, True
    while line := file.readline(_PIECE):
        if whole and empty and is_separator(line):
            if begun and not _is_internal(lines):
                yield b"".join(lines)
            lines, size, begun = [], 0, True
        elif size <= most:
            if whole and line.startswith(b">") and _QUOTED.match(line):
                line = line[1:]
            lines.append(line[: most + 1 - size])
            size += len(line)
        empty = whole and line in (b"\n", b"\r\n")
        whole = line.endswith(b"\n")
    if (begun or size) and not _is_internal(lines):
        yield b"".join(lines)


def is_separator(line: bytes) -> bool:
    """Tell a line by which messages are told apart."""
    # The expression takes the square of a line, so only short ones are asked.
    return line.startswith(b"From ") and len(line) <= _LONGEST and bool(_SEPARATOR.match(line))


def _is_internal(lines: list[bytes]) -> bool:
    head = b"".join(lines[:20])[:_HEAD]
    return _INTERNAL in head and b"X-IMAP" in head


def read_mailbox(path: str, name: str, most: int, folder: str | None) -> Iterator[Document]:
    """Give the messages of a file as documents."""
    with open_binary(path) as file:
        try:
            plain = decompress(path, report_reading(name, file))
            for number, message in enumerate(split_messages(plain, most), 1):
                yield Document(f"{name}:{number}", message, folder)
        except READ_ERRORS as error:
            raise damaged_error(path, error) from None


def folder_of(path: str) -> str:
    """Return the label of a mailbox: its name without extension.

    >>> folder_of("mail/spam.mbox.gz")
    'spam'
    """
    return os.path.splitext(os.path.basename(strip_compression(path)))[0]


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open a mailbox."""
    source = Source(path)
    layout = replace(layout, mail=layout.mail or True)
    name = os.path.basename(source.name)

    def documents(_: Table) -> Iterator[Document]:
        yield from read_mailbox(path, name, mail_limit(layout) or MAX_BYTES, folder_of(path))

    return open_documents(source, layout, documents, need_label=need_label)


FORMAT = Format("mbox", (".mbox", ".mbx"), read, "a mailbox of raw mails (mbox)", takes_path=True)
