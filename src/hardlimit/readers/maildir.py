"""Maildir: a message a file, in ``cur`` and ``new``; folders beside them, such as ``.Spam``.

The label, unless it comes from elsewhere, is the name of the folder (``.Spam.old`` is
``Spam.old``), and ``INBOX`` for messages at the top. A folder of several Maildirs is read as one,
each with its name. Messages in ``tmp``, drafts and deleted ones (the flags D and T) are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from hardlimit.exceptions import DataFormatError, FileError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, open_documents, read_document
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

INBOX = "INBOX"
_BOXES = ("cur", "new")
_LEFT_OUT = frozenset("DT")
_REPORTED = 256


def is_maildir(path: str) -> bool:
    """Tell whether a folder is a Maildir."""
    return all(os.path.isdir(os.path.join(path, box)) for box in _BOXES)


def recognises(path: str) -> bool:
    """Tell a Maildir, or a folder of Maildirs."""
    if is_maildir(path):
        return True
    try:
        with os.scandir(path) as found:
            folders = [entry.path for entry in found if entry.is_dir()]
    except OSError:
        return False
    return bool(folders) and all(map(is_maildir, folders))


def list_messages(root: str) -> Iterator[tuple[str, str]]:
    """Give the folder and the path, below the root, of every message, in sorted order."""

    def refuse(error: OSError) -> None:
        raise FileError(f"cannot be read: {error.strerror}", where=error.filename or root)

    for folder, names, _ in os.walk(root, onerror=refuse):
        names.sort()
        if not is_maildir(folder):
            continue
        below = os.path.relpath(folder, root).replace(os.sep, "/")
        for box in _BOXES:
            for file in sorted(os.listdir(os.path.join(folder, box))):
                path = f"{box}/{file}" if below == "." else f"{below}/{box}/{file}"
                if not file.startswith("."):
                    yield name_folder(below), path
        names[:] = [name for name in names if name not in (*_BOXES, "tmp")]


def name_folder(below: str) -> str:
    """Return the name of a folder by its path below the root.

    >>> name_folder("."), name_folder(".Spam"), name_folder("ham/.old")
    ('INBOX', 'Spam', 'ham')
    """
    first = below.partition("/")[0]
    return INBOX if first == "." else first.removeprefix(".")


def has_flags(name: str, flags: frozenset[str]) -> bool:
    """Tell whether a file's name has one of some flags.

    >>> has_flags("1029.M1P2.host:2,ST", frozenset("T"))
    True
    """
    _, mark, found = name.rpartition(":2,")
    return bool(mark) and not flags.isdisjoint(found)


def read(root: str, layout: Layout, need_label: bool) -> Table:
    """Open a Maildir, or a folder of Maildirs."""
    source = Source(root)
    layout = replace(layout, mail=layout.mail or True)

    def documents(table: Table) -> Iterator[Document]:
        flagged = 0
        for folder, path in list_messages(root):
            if has_flags(path, _LEFT_OUT):
                flagged += 1
                continue
            if not os.path.isfile(f"{root}/{path}"):
                table.leave_out(path)
                continue
            if not (source.number + 1) % _REPORTED:
                progress.report(f"reading {root}", source.number, 0, "messages")
            try:
                data = read_document(f"{root}/{path}", layout)
            except DataFormatError as error:
                source.reject(error)
                continue
            yield Document(path, data, folder)
        if flagged:
            said = plural(flagged, "draft or deleted message", "drafts and deleted messages")
            table.remarks.append(f"{root}: {said} left out")
        if source.number == 0:
            raise DataFormatError("no messages in this Maildir", where=root)

    return open_documents(source, layout, documents, need_label=need_label)


FORMAT = Format(
    "maildir", (), read, "a Maildir, or a folder of them", takes_folder=True, recognises=recognises
)
