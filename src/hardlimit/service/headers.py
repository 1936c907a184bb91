"""What the header of a request may be: how many bytes and fields it has, and which it has once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardlimit.service.problems import Problem

MOST_BYTES = 32 << 10
MOST_FIELDS = 100
# Two of these, and the service and a proxy before it could each take another one.
_ONCE = (b"host", b"authorization", b"content-length", b"content-type", b"origin")
_HOST = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%-]+)(?::[0-9]{0,5})?")


class HeaderCount:
    """The size of one header, with its trailers: as it is usually written.

    size : bytes of the request line, the fields and the empty line at the end; blanks beyond the
        one behind a colon are not counted
    """

    __slots__ = ("fields", "size")

    def __init__(self) -> None:
        self.size, self.fields = 0, 0

    def begin(self) -> None:
        """Count a new header."""
        self.size, self.fields = len(b"  HTTP/1.1\r\n\r\n"), 0

    def add(self, length: int) -> None:
        """Count bytes of the request line."""
        self.size += length
        if self.size > MOST_BYTES:
            raise too_long()

    def add_field(self, name: bytes, value: bytes) -> None:
        """Count a field."""
        self.fields += 1
        if self.fields > MOST_FIELDS:
            raise _too_large(f"the header has more than {MOST_FIELDS} fields")
        self.add(len(name) + len(value) + len(b": \r\n"))


def too_long() -> Problem:
    """Return the refusal of a header of too many bytes."""
    return _too_large(f"the header has more than {MOST_BYTES} bytes")


def _too_large(detail: str) -> Problem:
    return Problem(431, "bad-request", detail, where="header", fix="send fewer or shorter fields")


def check_fields(fields: Sequence[tuple[bytes, bytes]], version: str) -> None:
    """Refuse a header that could be read in two ways, or has no host.

    Raises
    ------
    Problem
        400
    """
    names = [name for name, _ in fields]
    for name in _ONCE:
        if names.count(name) > 1:
            raise _malformed(name, "the header has this field twice", "send it once")
    if b"host" not in names:
        if version == "1.0":
            return
        raise _malformed(b"host", "the header has no host", "send the name of the service")
    host = fields[names.index(b"host")][1]
    if not _HOST.fullmatch(host):
        raise _malformed(b"host", "this is no host", "send NAME or NAME:PORT", host)


def _malformed(name: bytes, detail: str, fix: str, got: bytes = b"") -> Problem:
    where = f"header {name.decode().title()}"
    return Problem(400, "bad-request", detail, where=where, got=got.decode("latin-1")[:80], fix=fix)
