"""Digests of what is read: files, folders, standard input, and several of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hardlimit.cli import streams
from hardlimit.exceptions import FileError
from hardlimit.foundation import progress, storage
from hardlimit.readers.opening import STANDARD_INPUT

_BLOCK = 1 << 22
# Digests of files that were computed while they were read, by path.
Known = Mapping[str, tuple[str, int]]


def digest_of(source: str, known: Known | None = None) -> dict[str, Any] | None:
    """Return SHA-256 and bytes of a file, of standard input, or of all files of a folder.

    Of a folder the digest is that of the lines ``path NUL digest`` of its files, sorted, where a
    path is relative, with strokes as ``/``. None of a pipe with a name, which was read already.
    """
    if source == STANDARD_INPUT:
        piped = streams.digest_of_input()
        return None if piped is None else {"sha256": piped[0], "bytes": piped[1]}
    if known and source in known and known[source][1] == storage.size_of(source):
        return dict(zip(("sha256", "bytes"), known[source], strict=True))
    if storage.is_file(source):
        return dict(zip(("sha256", "bytes"), _digest_file(source), strict=True))
    if not storage.is_folder(source):
        return None
    lines, size = [], 0
    for path in _files_of(source):
        digest, length = _digest_file(path)
        size += length
        relative = os.path.relpath(path, source).replace(os.sep, "/")
        lines.append(os.fsencode(relative) + b"\0" + digest.encode() + b"\n")
    return {"sha256": hashlib.sha256(b"".join(sorted(lines))).hexdigest(), "bytes": size}


def digest_of_several(sources: Sequence[str], known: Known | None = None) -> dict[str, Any] | None:
    """Return SHA-256 of the lines of the files' digests, in their order, their bytes and number."""
    digests = [digest_of(source, known) for source in sources]
    found = [one for one in digests if one is not None]
    if len(found) < len(digests):  # one of them was a pipe
        return None
    lines = "".join(f"{one['sha256']}\n" for one in found)
    return {
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
        "bytes": sum(one["bytes"] for one in found),
        "files": len(found),
    }


def digest_of_all(sources: Sequence[str], known: Known | None = None) -> dict[str, Any] | None:
    """Return the digest of one source or of several, as a model remembers it."""
    return digest_of(sources[0], known) if len(sources) == 1 else digest_of_several(sources, known)


def size_of_all(sources: Sequence[str]) -> int | None:
    """Return the bytes of files and folders, which costs no reading; None of a pipe."""
    size = 0
    for source in sources:
        if storage.is_file(source):
            size += storage.size_of(source)
        elif storage.is_folder(source):
            size += sum(map(os.path.getsize, _files_of(source)))
        else:
            return None
    return size


def _files_of(folder: str) -> Iterator[str]:
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path):
                yield path


def _digest_file(path: str) -> tuple[str, int]:
    hashed, size = hashlib.sha256(), 0
    try:
        with storage.open_seekable(path) as file:
            while block := file.read(_BLOCK):
                hashed.update(block)
                size += len(block)
                progress.report("computing the digest of the training file", size, 0, "bytes")
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=path) from None
    return hashed.hexdigest(), size
