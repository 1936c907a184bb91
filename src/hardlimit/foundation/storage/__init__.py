"""Files by path or by URI: ``s3://bucket/mails.csv`` is read and written as ``mails.csv`` is.

The questions that ``os.path`` answers of a path are answered here of both. A URI is opened through
fsspec, which knows where credentials are; a path costs what it costs without this module.

- `uris` : which schemes are allowed, and what of a name is shown.
- `stores`, `s3`, `web` : the size, the version and byte ranges of an object; of S3 and over HTTP by
  requests of our own, since a server may ignore ranges or answer from another version, and fsspec
  does not say so.
- `retrying` : what is tried again, how often, and what is said in the end.
- `remote_file` : an object as a seekable file. No answer that is short counts as its end.
- `uploading` : a whole object or none.
- `patterns` : names with ``*``, ``**`` and ``?``.
"""

from __future__ import annotations

import io
import os
import stat
import time
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import FileError
from hardlimit.foundation.storage.uris import (
    EXTRAS,
    base_name,
    is_uri,
    local_path,
    refusal,
    scheme_of,
    without_query,
)

if TYPE_CHECKING:
    from hardlimit.foundation.storage.stores import ObjectState

__all__ = [
    "base_name",
    "believe",
    "exists",
    "forget",
    "identity_of",
    "is_file",
    "is_folder",
    "is_remote",
    "is_uri",
    "join",
    "local_path",
    "open_remote",
    "open_seekable",
    "path_or_copy",
    "path_or_file",
    "refusal",
    "remove",
    "size_of",
    "state_of",
    "without_query",
]

# Seconds for which an answer on whether there is an object is believed: a command asks ten times.
_BELIEVED = 60.0
_SEEN: dict[str, float] = {}


def is_remote(path: str) -> bool:
    """Tell a URI of a store; of another scheme than those that are opened it is a path.

    >>> is_remote("s3://bucket/a.csv"), is_remote("file:///tmp/a.csv"), is_remote("a.csv")
    (True, False, False)
    """
    return scheme_of(path) in EXTRAS


def exists(path: str) -> bool:
    """Tell whether there is something, if only a link that leads nowhere."""
    return _is_object(path) if is_remote(path) else os.path.lexists(local_path(path))


def is_file(path: str) -> bool:
    """Tell a regular file or an object."""
    return _is_object(path) if is_remote(path) else os.path.isfile(local_path(path))


def is_folder(path: str) -> bool:
    """Tell a folder; stores of objects have none."""
    return not is_remote(path) and os.path.isdir(local_path(path))


def state_of(path: str) -> ObjectState:
    """Return size and version of a file or an object as they are now; `FileError` without one."""
    from hardlimit.foundation.storage.opening import open_store
    from hardlimit.foundation.storage.stores import ObjectState

    if is_remote(path):
        return open_store(path).state()
    try:
        found = os.stat(local_path(path))
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=path) from None
    return ObjectState(found.st_size if stat.S_ISREG(found.st_mode) else 0, "")


def identity_of(path: str) -> tuple[Any, ...] | None:
    """Return what tells one content of a name from the next; None of what is no file or object.

    Programs that copy files set size and time to those of the file before; which file it is, and
    when that was last touched, they do not set.
    """
    if is_remote(path):
        from hardlimit.foundation.storage.stores import MissingObjectError  # start-up

        try:
            state = state_of(path)
        except MissingObjectError:
            return None
        return state.size, state.version
    try:
        found = os.stat(local_path(path))
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns


def size_of(path: str) -> int:
    """Return the bytes of a file or an object."""
    if is_remote(path):
        with open_remote(path) as file:  # of some the size is known when they were read
            return file.seek(0, os.SEEK_END)
    return os.path.getsize(local_path(path))


def open_remote(path: str, ahead: int | None = None, *, whole: bool = False) -> io.BufferedReader:
    """Open an object for reading, seekable.

    ahead : bytes to fetch at least; without it more and more as long as they are read in order.
    whole : whether all of it is fetched before anything is read.
    """
    from hardlimit.foundation.storage.remote_file import open_object  # start-up

    return open_object(path, ahead, whole=whole)


def open_seekable(path: str) -> io.BufferedReader:
    """Open a file or an object for reading at any place."""
    return open_remote(path) if is_remote(path) else open(local_path(path), "rb")


def path_or_file(path: str) -> str | io.BufferedReader:
    """Return the path of a file, and an object opened, for libraries that take the two."""
    return open_remote(path) if is_remote(path) else local_path(path)


def path_or_copy(path: str) -> str | io.BufferedReader:
    """Return the path of a file, and a copy of an object, opened.

    For libraries that take an error while they read for a file of another kind.
    """
    return open_remote(path, whole=True) if is_remote(path) else local_path(path)


def remove(path: str) -> None:
    """Remove a file or an object."""
    if not is_remote(path):
        os.unlink(local_path(path))
        return
    from hardlimit.foundation.storage.uploading import remove_object  # start-up

    remove_object(path)
    forget()


def join(folder: str, name: str) -> str:
    """Return the path or URI of a name in a folder.

    >>> join("s3://bucket/scored/", "part-00000.jsonl")
    's3://bucket/scored/part-00000.jsonl'
    """
    return f"{folder.rstrip('/')}/{name}" if is_uri(folder) else os.path.join(folder, name)


def believe(uris: list[str]) -> None:
    """Take objects for there, as a listing has just said."""
    _SEEN.update(dict.fromkeys(uris, time.monotonic()))


def forget() -> None:
    """Ask anew whether there is an object."""
    _SEEN.clear()


def _is_object(uri: str) -> bool:
    from hardlimit.foundation.storage.opening import open_store
    from hardlimit.foundation.storage.stores import MissingObjectError

    if time.monotonic() - _SEEN.get(uri, -_BELIEVED) < _BELIEVED:
        return True
    try:
        open_store(uri).state()
    except MissingObjectError:
        return False
    _SEEN[uri] = time.monotonic()
    return True
