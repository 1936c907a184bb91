"""A folder per class: ``mails/ham/1.txt``, ``mails/spam/a/2.txt``; the first folder is the label.

Files come in sorted order of their paths; hidden files and folders are skipped, files beside the
class folders are refused for training, unless labels come from elsewhere (`labelling`). What is
neither a file nor a folder (a named pipe, a device,
a socket, or a link to one) is skipped and noted, and so is a link back to a folder that it stands
in. Each file is one document, given as its bytes (compressed
ones unpacked), so that bad bytes are replaced where texts become features; files with the
byte-order mark of UTF-16 or UTF-32 are decoded. A folder without class folders is a set of
unlabelled documents, and so is a single file where labels are not needed. Files of which the first
are raw mail are read as such (`hardlimit.mail`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from hardlimit.exceptions import DataFormatError, FileError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.mail.recognising import looks_like_mail
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, mail_limit, open_documents, read_document
from hardlimit.readers.layout import Layout
from hardlimit.readers.mbox import folder_of, read_mailbox
from hardlimit.readers.misread import count_mails
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

_REPORTED = 256  # files between two reports of progress
_NAMED = 5  # mailboxes that are pointed out
_LOOKED_AT = 20  # files that tell whether they are mail
_HEAD = 1 << 14


def list_paths(folder: str, skip: Callable[[str], None]) -> Iterator[str]:
    """Give the paths of the files below a folder, relative to it, in sorted order.

    skip : is told the path of what is neither a file nor a folder, or leads back to a folder above.
    """
    # A stack and not recursion: folders may be nested deeper than Python's functions.
    open_folders = [_OpenFolder(folder, "")]
    entered = {open_folders[0].identity}
    while open_folders:
        entry = next(open_folders[-1].entries, None)
        if entry is None:
            entered.remove(open_folders.pop().identity)
            continue
        path = open_folders[-1].below + entry.name
        kind = _tell_kind(entry)
        if kind == "file":
            yield path
        elif kind == "folder":
            opened = _OpenFolder(entry.path, f"{path}/")
            if opened.identity in entered:
                skip(path)
            else:
                entered.add(opened.identity)
                open_folders.append(opened)
        else:
            skip(path)


class _OpenFolder:
    """A folder that is being listed: what tells it from others, its path, what is left of it."""

    def __init__(self, folder: str, below: str) -> None:
        self.below = below
        try:
            state = os.stat(folder)
            # sorted, because the order on disk differs between machines, and so would the model
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            raise FileError(f"cannot be read: {error.strerror}", where=folder) from None
        self.identity = state.st_dev, state.st_ino
        self.entries = (entry for entry in entries if not entry.name.startswith("."))


def _tell_kind(entry: os.DirEntry[str]) -> str:
    """Return "file", "folder", or nothing for what cannot be read as either."""
    try:
        mode = entry.stat().st_mode
    except FileNotFoundError:
        return "file"  # a broken link: opening it says so
    except OSError:
        return ""  # a link to itself
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else ""


def read(folder: str, layout: Layout, need_label: bool) -> Table:
    """Open a folder, or one file as one document; each is read when its row is asked for."""
    source = Source(folder)
    source.skip_bad = layout.skip_bad
    if not os.path.isdir(folder):
        return _open_document(source, layout)
    found = False
    if layout.mail is None:
        found = _holds_mail(folder)
        layout = replace(layout, mail=found)

    def documents(table: Table) -> Iterator[Document]:
        if found:
            table.remarks.append(
                f"{folder}: these files are raw mail and read as such; --no-mail reads them as "
                "they stand"
            )
        for path in list_paths(folder, table.leave_out):
            if not (source.number + 1) % _REPORTED:
                progress.report(f"reading {folder}", source.number, 0, "files")
            try:
                yield from _read_file(folder, path, layout, table)
            except DataFormatError as error:
                source.reject(error)
        if source.number == 0:
            raise DataFormatError("no files in this folder", where=folder)

    return open_documents(source, layout, documents, need_label=need_label)


def _read_file(folder: str, path: str, layout: Layout, table: Table) -> Iterator[Document]:
    """Give the document in a file; where mail is read, each mail of a mailbox."""
    data, most = read_document(f"{folder}/{path}", layout), mail_limit(layout)
    mails = _count_mails(data)
    if mails > 1 and most is not None:
        label, below, _ = path.partition("/")
        own = label if below else folder_of(path)
        yield from read_mailbox(f"{folder}/{path}", path, most, own)
        return
    if mails > 1 and len(table.remarks) < _NAMED:
        table.remarks.append(
            f"{folder}/{path}: looks like a mailbox of {plural(mails, 'mail')}, and is read as one "
            "text; --mail reads each mail"
        )
    yield Document(path, data)


def _holds_mail(folder: str) -> bool:
    """Tell whether the first files below a folder are raw mail, nearly all of them."""
    paths = list(islice(list_paths(folder, lambda path: None), _LOOKED_AT))
    found = 0
    for path in paths:
        try:
            with open(f"{folder}/{path}", "rb") as file:
                found += looks_like_mail(file.read(_HEAD))
        except OSError:  # whoever reads it says what is wrong
            return False
    return found > 0.9 * len(paths)


def _count_mails(data: bytes) -> int:
    # nearly all documents are told by their first letters, and by having no second such line
    if not data.startswith(b"From ") or (b"\nFrom " not in data):
        return 0
    return count_mails(data.decode("utf-8", "replace"))


def _open_document(source: Source, layout: Layout) -> Table:
    def documents(_: Table) -> Iterator[Document]:
        yield Document(os.path.basename(source.path), read_document(source.path, layout))

    return open_documents(source, layout, documents, need_label=False)


FORMAT = Format("folder", (), read, "a folder per class, a file per document", takes_folder=True)
