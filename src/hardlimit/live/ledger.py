"""What a ledger is, whatever holds it; and one that holds it in memory."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from hardlimit.live.entry import Entry, genesis


class Snapshot(NamedTuple):
    """The state after entry ``id``: what is small as JSON, and the weights."""

    id: int
    fingerprint: str
    plain: str
    weights: bytes


class Remembered(NamedTuple):
    """A remembered text: its number, what it was, and its features."""

    number: int
    text: str | bytes | None
    features: bytes


class Storable(Protocol):
    """What an entry does, which becomes bytes where it is stored."""

    def to_bytes(self, number: int) -> bytes:
        """Return what is stored of the entry of this number."""


class Ledger(Protocol):
    """Entries in order, what each does now, snapshots, and remembered texts.

    Whoever writes does so inside ``writing()``: one writer at a time, all of it or nothing, on disk
    when it ends.
    """

    where: str
    lasting: bool  # whether it is opened again, which snapshots make fast
    has_tail: bool  # whether ``settle`` has something to do
    troubles: dict[str, str]  # what people should know of it though it answers, by subject

    def writing(self) -> AbstractContextManager[None]:
        """Write alone; an error inside leaves the ledger as it was."""

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""

    def append(self, entry: Entry, effect: Storable) -> None:
        """Add an entry, whose number is the next."""

    def note_effect(self, entry: Entry, effect: Storable) -> None:
        """Take what an entry does that was read from here, where that is not stored yet."""

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield entries in order."""

    def entries_back(self, first: int, last: int | None = None) -> Iterator[tuple[Entry, bytes]]:
        """Yield entries and effects from the last one, or ``last``, down to ``first``."""

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return these entries, in this order; LedgerError where one is not there."""

    def change_effects(self, effects: Mapping[int, Storable]) -> None:
        """Replace what entries do."""

    def snapshot(self, until: int | None = None) -> Snapshot | None:
        """Return the latest snapshot, or the latest up to an entry."""

    def snapshot_before(self, number: int) -> int:
        """Return the entry of the latest snapshot before an entry; 0 of none."""

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; older ones may go."""

    def drop_snapshots(self, first: int) -> None:
        """Drop the snapshots of entry ``first`` and later ones, which do not hold any more."""

    def remembered(self) -> list[Remembered]:
        """Return all remembered texts."""

    def remember(self, added: Iterable[Remembered], removed: Iterable[int]) -> None:
        """Change which texts are remembered."""

    def settle(self) -> None:
        """Bring all to its last place, before it is closed; within ``writing``."""

    def close(self) -> None:
        """Let go of it."""


class MemoryLedger:
    """A ledger that ends with its process: ``open_live(path, ledger=None)``."""

    lasting = has_tail = False

    def __init__(self, base: str) -> None:
        self.where = "memory"
        self.troubles: dict[str, str] = {}
        self._entries: list[Entry] = []
        self._effects: list[Storable] = []
        self._snapshots: list[Snapshot] = []
        self._remembered: dict[int, Remembered] = {}
        self._base = genesis(base)
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write alone."""
        with self._lock:
            n = len(self._entries)
            try:
                yield
            except BaseException:
                del self._entries[n:], self._effects[n:]
                raise

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""
        n = len(self._entries)
        return n, self._entries[-1].after if n else self._base

    def append(self, entry: Entry, effect: Storable) -> None:
        """Add an entry."""
        self._entries.append(entry)
        self._effects.append(effect)

    def note_effect(self, entry: Entry, effect: Storable) -> None:
        """Do nothing: it is stored."""

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield entries in order."""
        yield from self._entries[max(0, first - 1) : last]

    def entries_back(self, first: int, last: int | None = None) -> Iterator[tuple[Entry, bytes]]:
        """Yield entries and effects from the last one, or ``last``, down to ``first``."""
        for i in range((len(self._entries) if last is None else last) - 1, first - 2, -1):
            yield self._entries[i], self._effects[i].to_bytes(i + 1)

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return these entries."""
        return [self._entries[number - 1] for number in numbers]

    def change_effects(self, effects: Mapping[int, Storable]) -> None:
        """Replace what entries do."""
        for number, effect in effects.items():
            self._effects[number - 1] = effect

    def snapshot(self, until: int | None = None) -> Snapshot | None:
        """Return the latest snapshot."""
        found = [one for one in self._snapshots if until is None or one.id <= until]
        return found[-1] if found else None

    def snapshot_before(self, number: int) -> int:
        """Return the entry of the latest snapshot before an entry; 0 of none."""
        return max((one.id for one in self._snapshots if one.id < number), default=0)

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot."""
        self._snapshots = [*self._snapshots[-1:], snapshot]

    def drop_snapshots(self, first: int) -> None:
        """Drop the snapshots of entry ``first`` and later ones."""
        self._snapshots = [one for one in self._snapshots if one.id < first]

    def remembered(self) -> list[Remembered]:
        """Return all remembered texts."""
        return list(self._remembered.values())

    def remember(self, added: Iterable[Remembered], removed: Iterable[int]) -> None:
        """Change which texts are remembered."""
        for number in removed:
            self._remembered.pop(number, None)
        self._remembered |= {one.number: one for one in added}

    def settle(self) -> None:
        """Do nothing: it is in its place."""

    def close(self) -> None:
        """Let go of it."""
