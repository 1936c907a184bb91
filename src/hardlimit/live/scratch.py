"""A copy of a live model to try corrections on: nobody asks it, and its ledger ends with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from hardlimit.live import rebuilding
from hardlimit.live.entry import Entry
from hardlimit.live.ledger import Ledger, MemoryLedger
from hardlimit.live.limits import AuthorLimits

if TYPE_CHECKING:
    from hardlimit._native import Overlay
    from hardlimit.live.reservoir import Reservoir
    from hardlimit.live.writing import Writing


Live = TypeVar("Live", bound="Writing")


class _After(MemoryLedger):
    """What would come after the entries of another ledger."""

    def __init__(self, base: str, below: Ledger, number: int, fingerprint: str) -> None:
        super().__init__(base)
        self._below, self._number, self._fingerprint = below, number, fingerprint

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""
        n = len(self._entries)
        return self._number + n, self._entries[-1].after if n else self._fingerprint

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield the entries that would come."""
        for entry in self._entries:
            if entry.id >= first and (last is None or entry.id <= last):
                yield entry

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return entries of the other ledger: the guards."""
        return self._below.pick(numbers)


def copy_of(live: Live) -> Live:
    """Return a model that answers as this one and can be corrected by itself.

    Cost: all weights of corrections, and the remembered texts.
    """
    ledger = _After(live.base.digest, live.ledger, live.n_entries, live.fingerprint)
    ledger.put_snapshot(rebuilding.take_snapshot(live.state, live.n_entries, live.fingerprint))
    limits = AuthorLimits(live.limits.influence, None)
    copy = type(live)(live.base, ledger, private=live.private, remember=0, recent=0, limits=limits)
    copy.memory = _copied_memory(live, copy.state.overlay)
    return copy


def _copied_memory(live: Writing, overlay: Overlay) -> Reservoir:
    """Return what is remembered: what the ledger has of it, and what it will get."""
    memory = live.memory
    found = {one.number: one for one in [*live.ledger.remembered(), *memory.added]}
    with live.noting:
        return memory.copy(overlay, [found[n] for n in sorted(memory.texts) if n in found])
