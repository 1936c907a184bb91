"""Names with ``*``, ``**`` and ``?``, of files and of objects."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

from hardlimit.foundation import storage
from hardlimit.foundation.storage.retrying import MissingObjectError, retry
from hardlimit.foundation.storage.uris import WEB, find_system, scheme_of, without_query


def is_pattern(path: str) -> bool:
    """Tell a pattern from a name; on the web ``?`` begins a query, and no server lists its files.

    >>> is_pattern("s3://bucket/*.csv"), is_pattern("https://example.org/a.csv?b=*")
    (True, False)
    """
    return scheme_of(path) not in WEB and glob.has_magic(without_query(path))


def expand(path: str) -> list[str]:
    """Return the files that a name or a pattern stands for, sorted by the bytes of their names.

    A name is given back as it is, also one of a file that has such signs.

    Raises
    ------
    FileError
        Nothing matches.
    """
    if not is_pattern(path) or storage.exists(path):
        return [path]
    if storage.is_remote(path):
        found = _objects(path)
        storage.believe(found)
    else:
        found = glob.glob(storage.local_path(path), recursive=True)
    if not found:
        raise MissingObjectError("no file matches this pattern", where=path)
    return sorted(found, key=os.fsencode)


def expand_all(paths: Sequence[str]) -> list[str]:
    """Return the files of several names and patterns, in their order."""
    return [name for path in paths for name in expand(path)]


def _objects(uri: str) -> list[str]:
    system, pattern = find_system(uri)
    found = retry(uri, "cannot be listed", lambda: system.glob(pattern, detail=True))
    names = [name for name, info in found.items() if info.get("type") != "directory"]
    begin = uri[: uri.index("://") + 3]
    # Of a bucket or a container, as it was named: its account may stand beside it.
    bucket = uri[len(begin) :].split("/", 1)[0]
    if scheme_of(uri) == "memory":
        return [begin + name.lstrip("/") for name in names]
    return [f"{begin}{bucket}/{name.split('/', 1)[1]}" for name in names]
