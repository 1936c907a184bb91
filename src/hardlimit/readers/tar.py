"""Tar archives as folders of documents, read as a stream: nothing is written to the disk.

A path in the archive is only a name, so that ``../`` and absolute ones harm nobody; links and
devices are left out and noted. The format is read here and not by Python's ``tarfile``, which takes
names of any length into memory and calls itself once for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import BinaryIO, NamedTuple

from hardlimit.exceptions import DataFormatError
from hardlimit.mail.recognising import looks_like_mail
from hardlimit.readers.decoding import Source
from hardlimit.readers.documents import Document, mail_limit, open_documents
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import open_plain, too_long_error
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

_BLOCK = 512
_LONGEST_NAME = 1 << 16  # bytes of a name, or of the records that hold one
_PIECE = 1 << 20
_FILES = (b"0", b"\0", b"7")  # types of members that are files
_LOOKED_AT = 20  # members that tell whether they are mail
_LOOKED_BYTES = 1 << 22


class ArchiveMember(NamedTuple):
    """A member of an archive; ``data`` only of a file, its first bytes."""

    name: str
    data: bytes | None
    size: int


def list_members(file: BinaryIO, where: str, most: int) -> Iterator[ArchiveMember]:
    """Give the members of an archive, of each file the first bytes, one more than ``most``.

    Raises
    ------
    DataFormatError
        For a header that is damaged or an archive that is cut off.
    """
    long_name = ""
    number = 0
    while True:
        header = file.read(_BLOCK)
        if not header.strip(b"\0"):  # the end, or two blocks of zeros
            return
        number += 1
        place = f"{where}: member {number}"
        size = _check_header(header, place)
        kind = header[156:157]
        kept = _LONGEST_NAME if kind in (b"L", b"x", b"g") else most if kind in _FILES else 0
        data = _read(file, size, kept + 1, place)
        if kind == b"L":
            long_name = _decode(data[:kept])
        elif kind == b"x":
            long_name = _find_path(data[:kept]) or long_name
        elif kind not in (b"g", b"K"):
            name = long_name or _name(header)
            long_name = ""
            if kind != b"5":  # a folder
                yield ArchiveMember(name, data if kind in _FILES else None, size)


def _check_header(header: bytes, place: str) -> int:
    """Return the size of the member."""
    if len(header) < _BLOCK:
        raise DataFormatError("the archive is cut off", where=place)
    try:
        summed, size = _number(header[148:156]), _number(header[124:136])
    except ValueError:
        summed = size = -1
    if summed != sum(header) - sum(header[148:156]) + 8 * 32 or size < 0:
        raise DataFormatError("not a tar archive, or damaged", where=place)
    return size


def _number(field: bytes) -> int:
    if field[0] == 0x80:  # large sizes are written so
        return int.from_bytes(field[1:], "big")
    return int(field.strip(b"\0 ") or b"0", 8)


def _read(file: BinaryIO, size: int, most: int, place: str) -> bytes:
    """Return the first bytes of a member, and skip the others up to the next header."""
    data = file.read(min(size, most))
    left = -(-size // _BLOCK) * _BLOCK - len(data)
    short = len(data) < min(size, most)
    while left > 0 and not short:
        skipped = len(file.read(min(left, _PIECE)))
        # Of the last block some programs leave the zeros out.
        short = skipped == 0 and left > _BLOCK
        if skipped == 0:
            break
        left -= skipped
    if short:
        raise DataFormatError("the archive is cut off", where=place)
    return data


def _name(header: bytes) -> str:
    name = _decode(header[:100])
    prefix = _decode(header[345:500]) if header[257:262] == b"ustar" else ""
    return f"{prefix}/{name}" if prefix else name


def _find_path(records: bytes) -> str:
    """Return the path in the records "LENGTH KEY=VALUE" of a pax header."""
    at = 0
    while at < len(records):
        length, _, _ = records[at : at + 20].partition(b" ")
        if not length.isdigit() or not 0 < int(length) <= len(records) - at:
            break
        _, _, record = records[at : at + int(length)].partition(b" ")
        key, _, value = record.rstrip(b"\n").partition(b"=")
        if key == b"path":
            return _decode(value)
        at += int(length)
    return ""


def _decode(name: bytes) -> str:
    return name.partition(b"\0")[0].decode("utf-8", "replace")


def _tidy(name: str) -> str:
    """Return a name without what leads out of the archive.

    >>> _tidy("./a/../../b//c")
    'a/b/c'
    """
    return "/".join(part for part in name.split("/") if part not in ("", ".", ".."))


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open an archive; what its first members are tells whether they are mail."""
    source = Source(path)
    found = layout.mail
    first: list[Document] = []
    rest: Iterator[Document] | None = None
    if found is None:
        rest = _documents(source, replace(layout, mail=False))
        size = 0
        for document in rest:
            first.append(document)
            size += len(document.data or b"")
            if len(first) == _LOOKED_AT or size > _LOOKED_BYTES:
                break
        files = [one.data for one in first if one.data is not None]
        found = sum(map(looks_like_mail, files)) > 0.9 * len(files)
    asked, layout = layout.mail, replace(layout, mail=found)

    def documents(table: Table) -> Iterator[Document]:
        if found and asked is None:
            table.remarks.append(
                f"{source.name}: its members are raw mail and read as such; --no-mail reads them "
                "as they stand"
            )
        yield from chain(first, _documents(source, layout) if rest is None else rest)
        if source.number == 0:
            raise DataFormatError("no files in this archive", where=source.name)

    return open_documents(source, layout, documents, need_label=need_label)


def _documents(source: Source, layout: Layout) -> Iterator[Document]:
    own = mail_limit(layout)
    most = layout.max_line if own is None else own
    with open_plain(source.path, source.name, reports=source.name) as plain:
        for member in list_members(plain, source.name, most):
            name = _tidy(member.name)
            if any(part.startswith(".") for part in name.split("/")):
                continue
            if member.data is not None and own is None and len(member.data) > most:
                raise too_long_error(f"{source.name}: {name}", "document", most)
            yield Document(name, member.data)


FORMAT = Format(
    "tar",
    (".tar", ".tgz", ".tbz", ".tbz2", ".txz"),
    read,
    "a tar archive of documents, as a folder",
    takes_path=True,
)
