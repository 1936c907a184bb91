"""Local files that are learnt from: still those that were cut, also where rows are remembered."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hardlimit.distributed.recipes import Piece, Shard
from hardlimit.foundation import storage


class Unchanged:
    """Looks at the files of shards between two epochs.

    A worker that remembers its rows reads no file, and would not see that one is another by now.
    Cost: one question to the system a file; its bytes are read only where its state changed.
    Objects of stores are compared whenever they are fetched.
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._pieces: dict[str, list[Piece]] = {}
        self.take(shards)
        self._states = {path: _state_of(path) for path in self._pieces}

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
            now = _state_of(path)
            if now != self._states[path]:
                for piece in pieces:
                    piece.check()
                self._states[path] = now


def _state_of(path: str) -> tuple[int, ...] | None:
    """Return what tells one content from the next; None of a folder, and of what is not there.

    Programs that copy files set size and time to those of the file before; which file it is, and
    when that was last touched, they do not set.
    """
    local = storage.local_path(path)
    try:
        found = os.stat(local)
    except OSError:
        return None
    if os.path.isdir(local):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns
