"""One raw message: a ``.eml`` file, or standard input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, open_documents, read_document
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open one message."""
    source = Source(path)
    layout = replace(layout, mail=True if layout.mail is None else layout.mail)

    def documents(_: Table) -> Iterator[Document]:
        yield Document(os.path.basename(source.name), read_document(path, layout))

    return open_documents(source, layout, documents, need_label=need_label)


FORMAT = Format("eml", (".eml",), read, "one raw mail (RFC 822, MIME)", takes_path=True)
