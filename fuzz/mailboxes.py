"""Tar archives and mailboxes: documents or a refusal, in little memory.

The first byte chooses the format, the packing and whether labels are needed; the rest is the file.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile

from fuzz.harness import refusals_pass, scratch

FORMATS = ("tar", "mbox", "eml", None)
PACKERS = (bytes, gzip.compress, bz2.compress, lzma.compress)
MAIL = b"Received: a\nFrom: a@b.org\nSubject: x\n\n"
MAILBOX = (b"From a@b.org Thu Aug 22 12:36:23 2002\n" + MAIL + b"text\n>From here\n\n") * 3
BODY = b"text\n\nFrom a@b.org Thu Aug 22 12:36:23 2002\n>From here\n"
MEASURED = b"From a@b.org Thu Aug 22 12:36:23 2002\nContent-Length: %d\n" + MAIL + b"%s\n"


def _archive(format: int) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=format) as tar:
        for name, content in (("ham/" + "x" * 200, MAIL), ("spam/../1", b"text"), ("link", None)):
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "elsewhere"
            else:
                info.size = len(content)
            tar.addfile(info, None if content is None else io.BytesIO(content))
    return data.getvalue()


SEEDS = [
    bytes([kind | need]) + data
    for need in (0, 16)
    for kind, data in (
        (0, _archive(tarfile.GNU_FORMAT)),
        (0, _archive(tarfile.PAX_FORMAT)),
        (1, MAILBOX),
        (1, MEASURED % (len(BODY), BODY) * 2 + MEASURED % (9, BODY)),
        (2, MAIL),
        (3, MAILBOX),
    )
]


def run(data: bytes) -> None:
    """Read a file of documents in every way."""
    from hardlimit import readers

    if not data:
        return
    format = FORMATS[data[0] & 3]
    path = scratch(PACKERS[data[0] >> 2 & 3](data[1:]), f"input.{format}" if format else "input")
    label_from = "name:." if data[0] & 16 else None
    mail = (None, True, False, {"max_bytes": 100})[data[0] >> 5 & 3]
    if format is None:
        label_from = mail = None
    with refusals_pass():
        layout = readers.Layout(format=format, mail=mail, label_from=label_from)
        with readers.open_rows(path, layout, need_label=label_from is not None) as table:
            for row in table:
                assert isinstance(row.text, str | bytes)
                assert row.label is not None or label_from is None
        table.notes()
