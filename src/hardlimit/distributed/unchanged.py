"""Local files that are learnt from: still those that were cut, also where rows are remembered."""

from __future__ import annotations

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
