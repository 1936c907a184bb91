"""Objects of stores by URI: size, version, byte ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from hardlimit.exceptions import FileError, mask
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.retrying import MissingObjectError, TruncatedError, retry
from hardlimit.foundation.storage.uris import find_system

__all__ = ["MissingObjectError", "ObjectState", "Store"]
PART = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")  # of the header Content-Range


@dataclass(frozen=True)
class ObjectState:
    """What tells one content of a name from the next.

    size : bytes, None where the server does not say.    version : ETag or time of the last change,
    empty where there is neither.    ranges : whether parts can be asked for.
    """

    size: int | None
    version: str
    ranges: bool = True


class Store(Protocol):
    """One object of a store."""

    uri: str

    def state(self) -> ObjectState:
        """Return what it is now."""

    def reach(self, begin: int, end: int) -> int:
        """Return how far one answer should go, at most to ``end``."""

    def read(self, begin: int, end: int, state: ObjectState) -> bytes:
        """Return exactly these bytes."""

    def copy(self, file: BinaryIO, state: ObjectState) -> None:
        """Write all of it into a file, where parts cannot be asked for."""


def describe_range(uri: str, begin: int, end: int) -> str:
    """Name a URI and bytes of it.

    >>> describe_range("s3://bucket/a.csv", 0, 10)
    's3://bucket/a.csv, bytes 0 to 10'
    """
    return f"{mask(uri)}, bytes {begin} to {end}"


def changed_error(uri: str) -> FileError:
    """Build the error for an object that is replaced while it is read."""
    fix = "read files that nobody writes to"
    return FileError("the file changed while it was read", where=uri, fix=fix)


def check_range(said: str, begin: int, end: int, state: ObjectState, uri: str) -> None:
    """Refuse an answer whose ``Content-Range`` is not that of the bytes that were asked for.

    >>> check_range("bytes 5-9/100", 5, 10, ObjectState(100, ""), "s3://bucket/a.csv")
    >>> check_range("bytes 6-10/100", 5, 10, ObjectState(100, ""), "s3://bucket/a.csv")
    Traceback (most recent call last):
    hardlimit.foundation.storage.retrying.TruncatedError: the answer is of 'bytes 6-10/100'
    """
    part = PART.fullmatch(said)
    if part is None or (part[1], part[2]) != (str(begin), str(end - 1)):
        raise TruncatedError(f"the answer is of {said!r:.60}")
    if part[3] not in ("*", str(state.size)):
        raise changed_error(uri)


def check_length(data: bytes, wanted: int) -> bytes:
    """Refuse an answer of another length: cut off, it would be taken for the end."""
    if len(data) != wanted:
        raise TruncatedError(f"the answer has {len(data):,} of {plural(wanted, 'byte')}")
    return data


class StoredObject:
    """An object of a store that fsspec knows."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._system, self._name = find_system(uri)

    def state(self) -> ObjectState:
        """Return what it is now."""
        found: dict[str, Any] = retry(
            self.uri, "cannot be read", lambda: self._system.info(self._name)
        )
        if found.get("type") == "directory":
            raise MissingObjectError("no such file, but a folder", where=self.uri)
        version = ""
        for name in ("ETag", "etag", "generation", "LastModified", "last_modified", "mtime"):
            if found.get(name):
                version = str(found[name]).strip('"')
                break
        size = found.get("size")
        return ObjectState(None if size is None else int(size), version)

    def reach(self, begin: int, end: int) -> int:
        """Return how far one answer should go."""
        return end

    def read(self, begin: int, end: int, state: ObjectState) -> bytes:
        """Return exactly these bytes."""

        def work() -> bytes:
            data = self._system.cat_file(self._name, start=begin, end=end)
            return check_length(bytes(data), end - begin)

        where = describe_range(self.uri, begin, end)
        return retry(self.uri, "cannot be read", work, where)

    def copy(self, file: BinaryIO, state: ObjectState) -> None:
        """Write all of it into a file."""
        file.write(retry(self.uri, "cannot be read", lambda: self._system.cat_file(self._name)))
