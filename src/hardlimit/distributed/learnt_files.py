"""Files that are learnt from: still those that were cut, and their digests for the model file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hardlimit.distributed.engines import Engine, Part
from hardlimit.distributed.jobs import Job
from hardlimit.distributed.running import run_shards
from hardlimit.foundation import storage
from hardlimit.sources.pieces import Piece, Shard


class Unchanged:
    """Looks at the files of shards between two epochs.

    A worker that remembers its rows reads no file, and would not see that one is another by now.
    Cost: one question to the system a file; its bytes are read only where its state changed.
    Objects of stores are compared whenever they are fetched.
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._pieces: dict[str, list[Piece]] = {}
        self.take(shards)
        self._states = {path: storage.identity_of(path) for path in self._pieces}

    def take(self, shards: Sequence[Shard]) -> None:
        """Know the digests, which come with the first pass."""
        self._pieces = {}
        for piece in (piece for shard in shards for piece in shard.pieces):
            if not storage.is_remote(piece.path):
                self._pieces.setdefault(piece.path, []).append(piece)

    def check(self) -> None:
        """Refuse other bytes than those that were cut and counted.

        Raises
        ------
        InputError
            A file changed.
        FileError
            A file is gone.
        """
        for path, pieces in self._pieces.items():
            now = storage.identity_of(path)
            if now != self._states[path]:
                for piece in pieces:
                    piece.check()
                self._states[path] = now


Digests = dict[str, tuple[str, int]]  # by path: SHA-256 and bytes


def digest_objects(engine: Engine, shards: Sequence[Shard]) -> Digests:
    """Return the digests of the objects that shards are of; files of the disk are left out."""
    wholes: dict[str, Any] = {}
    for shard in shards:
        for piece in shard.pieces:
            if storage.is_remote(piece.path):
                whole = replace(piece, begin=0, end=None, group=None, digest="")
                wholes.setdefault(piece.path, whole)
    jobs = [Job(Shard(number, (whole,))) for number, whole in enumerate(wholes.values())]
    if not jobs:
        return {}
    found = run_shards(engine, digest_object, [Part.of(b"")], jobs, "computing digests")
    return dict(zip(wholes, found, strict=True))


def digest_object(parts: tuple[Part, ...], job: Job) -> tuple[str, int]:
    """Return the digest of a whole object, and its bytes; it must be the one that was cut."""
    (piece,) = job.shard.pieces
    piece.check_version()
    found = piece.compute_digest(copied=False), piece.size
    piece.check_version()
    return found
