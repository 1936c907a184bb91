"""A folder per class: ``mails/ham/1.txt``, ``mails/spam/a/2.txt``; the first folder is the label.

Files come in sorted order of their paths; hidden files and folders are skipped, files beside the
class folders are refused for training. Each file is one document, given as its bytes (compressed
ones unpacked), so that bad bytes are replaced where texts become features; files with the
byte-order mark of UTF-16 or UTF-32 are decoded. A folder without class folders is a set of
unlabelled documents, and so is a single file where labels are not needed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from hardlimit.exceptions import DataFormatError, FileError
from hardlimit.readers.decoding import Source, decode_marked
from hardlimit.readers.foreign import count_mails
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import read_whole
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Row, Table

_NAMED = 5  # mailboxes that are pointed out


def list_paths(folder: str) -> Iterator[str]:
    """Give the paths below a folder, relative to it, in sorted order, hidden ones left out."""
    # No function that calls itself: folders may be nested deeper than Python's calls.
    pending = [("", entry) for entry in _list_entries(folder)]
    while pending:
        above, entry = pending.pop()
        if entry.is_dir():
            inside = f"{above}{entry.name}/"
            pending += [(inside, below) for below in _list_entries(entry.path)]
        else:
            yield above + entry.name


def _list_entries(folder: str) -> list[os.DirEntry[str]]:
    """Return what is not hidden in a folder, the first by name last."""
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry in found if not entry.name.startswith(".")]
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=folder) from None
    # sorted, because the order on disk differs between machines, and so would the model
    return sorted(entries, key=lambda entry: entry.name, reverse=True)


def read(folder: str, layout: Layout, need_label: bool) -> Table:
    """Open a folder, or one file as one document; each is read when its row is asked for."""
    source = Source(folder)
    # a folder has no columns; those of a model that learnt from a table mean nothing here
    layout = replace(layout, text=None, label=None, header=None)
    if not os.path.isdir(folder):
        return _open_document(source, layout)

    def rows(table: Table) -> Iterator[Row]:
        for path in list_paths(folder):
            source.number += 1
            label, below, _ = path.partition("/")
            if need_label and not below:
                raise DataFormatError(
                    "this file lies beside the class folders, so it has no label",
                    where=f"{folder}/{path}",
                    fix="move it into the folder of its class",
                )
            data = read_whole(f"{folder}/{path}")
            text = decode_marked(data, layout.encoding)
            if len(table.remarks) < _NAMED and (mails := _count_mails(text)) > 1:
                table.remarks.append(
                    f"{folder}/{path}: looks like a mailbox of {mails:,} mails, and is read as one "
                    "text; put each mail into a file of its own"
                )
            yield Row(source.number, text, label if below else None, (path,))
        if source.number == 0:
            raise DataFormatError("no files in this folder", where=folder)

    return Table(source, layout, ("path",), rows, need_label=need_label)


def _count_mails(text: str | bytes) -> int:
    # nearly all documents are told by their first letters
    if isinstance(text, bytes):
        return count_mails(text.decode("utf-8", "replace")) if text.startswith(b"From ") else 0
    return count_mails(text)


def _open_document(source: Source, layout: Layout) -> Table:
    def rows(_: Table) -> Iterator[Row]:
        source.number = 1
        text = decode_marked(read_whole(source.path), layout.encoding)
        yield Row(1, text, None, (os.path.basename(source.path),))

    return Table(source, layout, ("path",), rows, need_label=False)


FORMAT = Format("folder", (), read, "a folder per class, a file per document", takes_folder=True)
