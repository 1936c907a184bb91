"""Rows of whole documents, whatever they lie in: a folder, an archive, a mailbox.

A document is a path and its bytes. A format gives them one by one; here they get their labels, and
become text: as they are, or read as raw mail.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

from hardlimit.exceptions import DataFormatError
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.mail.reader import MAX_BYTES, MailReader
from hardlimit.readers import labelling
from hardlimit.readers.decoding import Source, decode_marked
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import open_plain, read_whole
from hardlimit.readers.rows import Row, Table

_SHOWN = 4  # kinds of what was mended


class Document(NamedTuple):
    """A document: its path below what is read, its bytes, and its folder where it is no path's.

    data : None of what is no file.
    """

    path: str
    data: bytes | None
    folder: str | None = None


def open_documents(
    source: Source,
    layout: Layout,
    documents: Callable[[Table], Iterator[Document]],
    *,
    need_label: bool,
) -> Table:
    """Return a table of documents: its one column is the path."""
    source.skip_bad = layout.skip_bad
    # documents have no columns; those of a model that learnt from a table mean nothing here
    layout = replace(layout, text=None, label=None, header=None, mail=mail_settings(layout))
    label_of = labelling.make_labelling(layout.label_from, source.path)
    by_folder = layout.label_from in (None, labelling.FOLDER)
    reader = make_reader(layout)

    def rows(table: Table) -> Iterator[Row]:
        without = 0
        for path, data, folder in documents(table):
            if data is None:
                table.leave_out(path)
                continue
            source.number += 1
            label = folder if by_folder else None
            if label is None and (need_label or layout.label_from is None):
                label = label_of(path, data)
            if need_label and label is None:
                if labelling.leaves_out(layout.label_from):
                    without += 1
                    continue
                source.reject(_unlabelled_error(source, layout, path))
                continue
            text = reader.read(data) if reader else decode_marked(data, layout.encoding)
            yield Row(source.number, text, label, (path,))
        if without:
            table.remarks.append(
                f"{source.name}: {plural(without, 'document')} not in the index and left out"
            )
        # Of one message it is no news.
        if reader and source.number > 1:
            table.remarks += describe_mended(source.name, reader)

    return Table(source, layout, ("path",), rows, need_label=need_label)


def mail_settings(layout: Layout) -> dict[str, Any] | None:
    """Return how mail is read, whole; None of documents that are texts."""
    if layout.mail is True:
        return MailReader().to_json()
    return MailReader.from_json(layout.mail).to_json() if layout.mail else None


def make_reader(layout: Layout) -> MailReader | None:
    """Return the reader of raw mail; None of documents that are texts."""
    settings = mail_settings(layout)
    return None if settings is None else MailReader.from_json(settings)


def mail_limit(layout: Layout) -> int | None:
    """Return how many bytes of a mail are looked at; None of documents that are texts."""
    if not layout.mail:
        return None
    # Checked when the table was opened.
    return MAX_BYTES if layout.mail is True else int(layout.mail.get("max_bytes", MAX_BYTES))


def read_document(path: str, layout: Layout) -> bytes:
    """Read one file, unpacked; of a mail no more than its reader looks at."""
    most = mail_limit(layout)
    if most is None:
        return read_whole(path, layout.max_line)
    with open_plain(path) as plain:
        data = plain.read(most + 1)
        if path == "-":
            drain(plain)
    return data


def drain(file: BinaryIO) -> None:
    """Read on to the end: whoever writes into a pipe is not to find it closed."""
    while file.read(1 << 20):
        pass


def describe_mended(name: str, reader: MailReader) -> list[str]:
    """Say what was mended in messages; nothing if nothing was."""
    tally = reader.tally_
    if not tally.mended_messages:
        return []
    kinds = tally.sentences()
    more = f"; and {plural(len(kinds) - _SHOWN, 'more kind')}" if len(kinds) > _SHOWN else ""
    of = f"{tally.mended_messages:,} of {plural(tally.messages, 'message')}"
    return [f"{name}: {of} not as the standards want it: {'; '.join(kinds[:_SHOWN])}{more}"]


def _unlabelled_error(source: Source, layout: Layout, path: str) -> DataFormatError:
    own = storage.base_name(source.name)
    # A mailbox names its messages by itself: spam.mbox:12.
    inside = os.path.isdir(source.path) or not path.startswith(own)
    where = f"{source.name}/{path}" if inside else source.name + path.removeprefix(own)
    if layout.label_from is not None:
        # What stands above the folder that is read is no part of a document's path.
        named = inside and layout.label_from.startswith("name:")
        fix = f"the expression is looked for in {path!r}, the path inside {own}" if named else ""
        return DataFormatError(f"no label by {layout.label_from!r}", where=where, fix=fix)
    return DataFormatError(
        "this file lies beside the class folders, so it has no label",
        where=where,
        fix="move it into the folder of its class; of the folders of classes, give the one that "
        "holds them",
    )
