"""The live model: a base, its corrections, and the ledger that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from hardlimit.exceptions import CorrectionError
from hardlimit.live import rebuilding
from hardlimit.live.entry import Entry
from hardlimit.live.guarding import Guarding
from hardlimit.live.state import undone_entries
from hardlimit.live.undoing import Undoing


class LiveModel(Guarding, Undoing):
    """A model that is corrected while it answers; :func:`hardlimit.open_live` makes it.

    Answers are those of the base plus the corrections that hold. Threads may share one: many ask
    while one corrects. Several processes may open one ledger; each sees the others' corrections
    when it corrects itself, and after :meth:`refresh`.

    Attributes
    ----------
    path : of the model file, which is never written
    ledger : what holds the entries
    read_only : whether corrections are refused
    private : whether only the features of texts are kept
    """

    def log(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield the entries, each checked against its fingerprint."""
        for entry in self.ledger.entries(first, last):
            yield next(rebuilding.checked([entry], entry.before, entry.id))

    def undone(self) -> set[int]:
        """Return the numbers of the entries that do not hold."""
        return undone_entries(self._state.undos)

    def verify(self) -> int:
        """Check the whole chain, and that a replay from the first entry gives this model.

        Return the number of entries. Cost: all entries.
        """
        with self._writer:
            self._catch_up()
            whole = rebuilding.replay(self.base, self.ledger, self._last)
            rebuilding.check_alike(whole, self._state)
            return self._last

    def digest(self) -> str:
        """Return a digest of classes, weights and guards, down to the last bit."""
        with self._reading:
            return self._state.digest()

    def replay(self, until: int) -> LiveModel:
        """Return the model as it was after entry ``until``, read-only."""
        if not 0 <= until <= self._last:
            raise CorrectionError(
                f"there is no entry #{until}; the last one is #{self._last}",
                who="replay",
                topic="no-such-entry",
            )
        return LiveModel(self.base, self.ledger, read_only=True, remember=0, recent=0, until=until)

    def close(self) -> None:
        """Let go of the ledger."""
        self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
