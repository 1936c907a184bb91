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


class TrainingFiles:
    """Files from before their first byte is read: their digest is that of what is learnt.

    A digest is computed by reading once more, and by then another file may lie under the name. So
    what is there is compared with what was there, or the digest comes from the reader itself.
    """

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = list(sources)
        self._before = self._identities()
        self._digest: dict[str, Any] | None = None
        self._is_taken = False

    def take_digest(self, known: Known | None = None) -> dict[str, Any] | None:
        """Return the digest of all files, computed by the first call.

        It belongs right behind the reading: what is replaced later was not learnt.

        Raises
        ------
        FileError
            One changed while it was read.
        """
        if not self._is_taken:
            self._digest, self._is_taken = self._compute_digest(known or {}), True
        return self._digest

    def take_digest_if_same(self, known: Known | None = None) -> dict[str, Any] | None:
        """Return the digest of all files; None where one changed, for what must not be lost."""
        try:
            return self.take_digest(known)
        except FileError:
            return None

    def _compute_digest(self, known: Known) -> dict[str, Any] | None:
        # What was not read to its end, as behind a compressed stream, the reader has not digested.
        whole = {
            source: found
            for source, found in known.items()
            if (self._before.get(source) or (None,))[0] in (found[1], None)
        }
        found = digest_of_all(self._sources, whole)
        for source, now in self._identities(whole).items():
            if now != self._before[source]:
                raise FileError(
                    "the file changed while it was read",
                    where=source,
                    fix="train on files that nobody writes to",
                )
        return found

    def _identities(self, known: Known | None = None) -> dict[str, Any]:
        """Return what tells these files from later ones, of those that are not known already."""
        return {
            source: _identity_of(source) for source in self._sources if source not in (known or {})
        }


def _identity_of(source: str) -> Any:
    if source == STANDARD_INPUT:
        return None
    if not storage.is_folder(source):
        return storage.identity_of(source)
    return sorted((path, storage.identity_of(path)) for path in _files_of(source))


def digest_of(source: str, known: Known | None = None) -> dict[str, Any] | None:
    """Return SHA-256 and bytes of a file, of standard input, or of all files of a folder.

    Of a folder the digest is that of the lines ``path NUL digest`` of its files, sorted, where a
    path is relative, with strokes as ``/``. None of a pipe with a name, which was read already.
    """
    if source == STANDARD_INPUT:
        piped = streams.digest_of_input()
        return None if piped is None else {"sha256": piped[0], "bytes": piped[1]}
    if known and source in known:
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
