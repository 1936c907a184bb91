"""One raw message: a ``.eml`` file, or standard input.

Standard input that begins with the separating line of a mailbox (mbox) is one: each of its messages
is a document. Programs that deliver mail hand over one message with such a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.foundation import storage
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import (
    Document,
    drain,
    mail_limit,
    open_documents,
    read_document,
)
from hardlimit.readers.layout import Layout
from hardlimit.readers.mbox import LONGEST_SEPARATOR, is_separator, split_messages
from hardlimit.readers.opening import open_plain
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open one message."""
    source = Source(path)
    layout = replace(layout, mail=True if layout.mail is None else layout.mail)

    def documents(_: Table) -> Iterator[Document]:
        if path == "-" and (most := mail_limit(layout)) is not None:
            yield from _piped(path, source.name, most)
        else:
            yield Document(storage.base_name(source.name), read_document(path, layout))

    return open_documents(source, layout, documents, need_label=need_label)


def _piped(path: str, name: str, most: int) -> Iterator[Document]:
    """Give the message, or the messages of a mailbox, that come through a pipe."""
    with open_plain(path) as plain:
        first = plain.readline(LONGEST_SEPARATOR + 1)
        if is_separator(first):
            for number, message in enumerate(split_messages(plain, most, first), 1):
                yield Document(f"{name}:{number}", message)
            return
        yield Document(name, first + plain.read(most + 1 - len(first)))
        drain(plain)


FORMAT = Format("eml", (".eml",), read, "one raw mail (RFC 822, MIME)", takes_path=True)
