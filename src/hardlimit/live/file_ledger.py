"""A ledger in a file: an SQLite database, and a tail of the latest entries beside it.

An entry that is written alone goes to the tail, with one sync; all else is a transaction of the
database, which takes in the entries of the tail.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from hardlimit.exceptions import FileError, HardlimitError, HardlimitWarning, LedgerError
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.live.entry import Entry, genesis
from hardlimit.live.ledger import Remembered, Snapshot, Storable
from hardlimit.live.ledger_tail import N_BLOCKS, Tail, TailHeader, blocks_of, encode, mark_of
from hardlimit.live.sql import VERSION, row_of_entry
from hardlimit.live.sqlite import SqliteLedger

# What follows the name of the database in that of the tail.
SUFFIX = "-tail"
# Where no record has room, with a mark behind it: the next entry begins the tail anew.
_FULL = N_BLOCKS + 1
_FACT = "select value from facts where name = 'tail'"
_SALT = "select value from facts where name = 'tail_salt'"
# Troubles with the tail.
_EMPTY, _UNWRITABLE = "empty-tail", "unwritable-tail"


class _Batch:
    """What one block of ``writing`` asks for: entries, and whatever else changes the database."""

    def __init__(self) -> None:
        self.entries: list[tuple[Entry, bytes]] = []
        self.others: list[Callable[[], None]] = []


class FileLedger(SqliteLedger):
    """A ledger beside its model: ``MODEL.ledger`` and, while it is written to, its tail."""

    has_tail = True

    def __init__(self, where: str, base: str, read_only: bool = False) -> None:
        super().__init__(where, base, read_only)
        # As SQLite does with its journal: whoever comes by a link has to find the same tail.
        self._file = os.path.realpath(where) if os.path.islink(where) else where
        self._tail = Tail(self._file + SUFFIX, read_only, where)
        self._batch: _Batch | None = None
        # As of the last look: entries that only the tail has, and the entry before them.
        self._waiting: list[Entry] = []
        self._effects: dict[int, bytes] = {}
        self._end = 1
        self._stored = (0, genesis(base))
        self._header: TailHeader | None = None
        self._opened = -1
        # A process that writes one entry needs no tail.
        self._written = 0
        self._kept: dict[int, Remembered | None] = {}
        try:
            with self._told():
                self._check_tail()
                with self._tail.shared():
                    self._look()
        except BaseException:
            self.close()
            raise

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are the ledger."""
        return self.where, self._tail.path, f"{self._file}-journal"

    # Looking

    def _check_tail(self) -> None:
        """Refuse a database that was copied without its tail."""
        for pause in (0.0, 0.001, 0.01):  # others may make and remove it at this very moment
            time.sleep(pause)
            if os.path.lexists(self._tail.path) or not self._all(_FACT):
                return
        raise LedgerError(
            f"its tail {self._tail.path} is missing, which may have entries after "
            f"#{super().last()[0]}",
            where=self.where,
            topic="no-tail",
            fix="put the tail beside it; an empty file of that name goes on without it",
        )

    def _look(self) -> None:
        """See what others have written, under the lock."""
        self._look_for_file()
        header = self._tail.header()
        mine = self._opened == self._tail.opened and header == self._header
        if header is None or not mine:
            self._look_anew(header)
            return
        number = self._last()[0] + 1
        fresh, self._end = self._tail.records(header, self._end, number)
        self._waiting += fresh

    def _look_anew(self, header: TailHeader | None) -> None:
        self._header = None
        self._stored = last, fingerprint = super().last()
        self._waiting, self._end = [], 1
        if header is None:
            self._check_unused(last)
        else:
            found, self._end = self._tail.records(header, 1, header.last + 1)
            self._tail.check_end(header, self._end, header.last + len(found) + 1)
            self._check_history(header, found, last)
            self._waiting = [entry for entry in found if entry.id > last]
            is_current = self._check_salt(header)
            # Its next record would not continue it.
            if not is_current or header.last + len(found) < last:
                self._end = _FULL
        self._effects = {i: one for i, one in self._effects.items() if i > last}
        self._header, self._opened = header, self._tail.opened

    def _check_unused(self, last: int) -> None:
        """Note that a tail in use is empty; refuse one of which the header alone is gone.

        Somebody may have emptied it on purpose, but a disk that lost it looks the same.
        """
        if _EMPTY in self.troubles or not self._all(_FACT):
            return
        if not self._tail.is_empty():
            self._tail.check_unused()
            return
        self.troubles[_EMPTY] = (
            f"the tail of the ledger was in use and is empty: entries after #{last} may be missing"
        )
        fix = "put the tail from a backup in its place, or make the latest corrections again"
        warning = HardlimitWarning(self.troubles[_EMPTY], where=self._tail.path, fix=fix)
        warnings.warn(warning, stacklevel=caller_stacklevel())

    def _check_salt(self, header: TailHeader) -> bool:
        """Refuse a tail of before; False of one whose next header was not written any more."""
        wanted = self._all(_SALT)
        if not wanted or wanted[0][0] == header.salt.hex():  # none of version 2
            return True
        if self._tail.is_announced(header, bytes.fromhex(wanted[0][0])):
            return False
        raise LedgerError(
            "the tail is older than this ledger, whose latest entries were in another one",
            where=self._tail.path,
            topic="edited",
            fix="put the database and the tail of one time beside each other",
        )

    def _check_history(self, header: TailHeader, found: list[Entry], last: int) -> None:
        """Refuse a tail of another ledger, or one that the database does not lead to."""
        if header.genesis != genesis(self._base):
            raise LedgerError(
                "the tail is of the ledger of another model",
                where=self._tail.path,
                topic="another-model",
                fix="move it to its ledger, or to where that ledger was moved",
            )
        after = {header.last: header.fingerprint} | {one.id: one.after for one in found}
        common = min(last, max(after))
        if header.last > last or after[common] != self._fingerprint_after(common):
            raise LedgerError(
                f"the tail does not continue this ledger, whose last entry is #{last}",
                where=self._tail.path,
                topic="edited",
                fix="put the database and the tail of one time beside each other",
            )

    def _fingerprint_after(self, number: int) -> str:
        if not number:
            return genesis(self._base)
        found = self._all("select after from entries where id = ?", (number,))
        return str(found[0][0]) if found else ""

    def _last(self) -> tuple[int, str]:
        if self._waiting:
            return self._waiting[-1].id, self._waiting[-1].after
        return self._stored

    # Writing

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write alone; on disk when it ends."""
        with self._lock, self._told():
            self._tail.acquire(self._check_tail)
            known = False
            try:
                self._look()
                known = True
                batch = self._batch = _Batch()
                yield
                self._commit(batch)
            finally:
                self._batch = None
                try:
                    self._drop_tail(known)
                finally:
                    self._tail.release()

    def _drop_tail(self, known: bool) -> None:
        """Remove a tail without entries.

        ``known``: whether it was seen to be of this ledger. If not, another ledger may have taken
        the place of this one, and the tail has the entries of that.
        """
        # What is acknowledged is stored by now: that this fails is no error of an entry.
        with contextlib.suppress(OSError, LedgerError):
            if (known or self._tail.is_empty()) and self._header is None and not self._all(_FACT):
                self._tail.remove()

    def _commit(self, batch: _Batch) -> None:
        if self._header is not None and len(batch.entries) == 1 and not batch.others:
            entry, effect = batch.entries[0]
            record = encode(entry, self._header.salt)
            end = self._end + blocks_of(len(record))
            if end < _FULL:
                self._put_record(record)
                self._tail.put_mark(mark_of(entry.id, self._header.salt), end)
                self._end = end
                self._waiting.append(entry)
                self._effects[entry.id] = effect
                return
        if batch.entries or batch.others:
            self._store(batch)

    @contextlib.contextmanager
    def _storing(self) -> Iterator[None]:
        """Turn whatever keeps an entry from being stored into our errors."""
        try:
            yield
        except (HardlimitError, sqlite3.Error, OSError, MemoryError):
            raise
        except Exception as error:
            raise LedgerError(
                f"it cannot be stored ({error!r}); the model is as before",
                where=self.where,
                topic="unstorable",
            ) from error

    def _put_record(self, record: bytes) -> None:
        try:
            self._tail.put_record(record, self._end)
        except OSError:
            self._end = _FULL  # what could not be synced is not trusted again
            raise

    def _store(self, batch: _Batch, last: bool = False) -> None:
        """Bring the entries of the tail and what else there is into the database.

        ``last``: whether the tail is not needed any more.
        """
        with self._storing():
            waiting = [(entry, self._effects[entry.id]) for entry in self._waiting]
        if self._header is not None:
            # Others are to look into the database, even if this process is killed right after.
            self._header = self._header._replace(changes=self._header.changes + 1)
            self._tail.put_header(self._header)
        begins = not last and self._written > 0 and self._tail.reserve()
        salt = os.urandom(16)
        if begins and self._header is not None:
            self._tail.announce(self._header, salt)
        self._written += len(batch.entries)
        entries, self._opened = [*waiting, *batch.entries], -1
        with self._storing(), self._transaction():
            self._put_all(entries, batch.others)
            if begins:
                self._all(f"pragma user_version = {VERSION}")
                facts = f"('tail', 'used'), ('tail_salt', '{salt.hex()}')"
                self._all(f"insert or replace into facts values {facts}")
            else:
                self._all("delete from facts where name in ('tail', 'tail_salt')")
        self._kept.clear()
        if entries:
            self._stored = entries[-1][0].id, entries[-1][0].after
        self._waiting, self._effects, self._end = [], {}, 1
        self._header = self._begin_tail(salt) if begins else None
        self._opened = self._tail.opened

    def _put_all(
        self, entries: list[tuple[Entry, bytes]], others: list[Callable[[], None]]
    ) -> None:
        for entry, effect in entries:
            self.put(row_of_entry(entry), effect)
        for change in others:
            change()
        added = [one for one in self._kept.values() if one is not None]
        super().remember(added, [i for i, one in self._kept.items() if one is None])

    def _begin_tail(self, salt: bytes) -> TailHeader | None:
        """Write the header of a tail that begins anew; None if that fails.

        All entries are in the database by now, so that it is no error of theirs. The next ones go
        there too, until a header can be written.
        """
        last, fingerprint = self._stored
        header = TailHeader(0, last, fingerprint, genesis(self._base), salt)
        try:
            self._tail.put_header(header)
        except FileError as error:
            self._end = _FULL
            self.troubles[_UNWRITABLE] = (
                f"the tail of the ledger: {error.reason}; entries are stored without it, slower"
            )
            return None
        self.troubles.pop(_UNWRITABLE, None)
        return header

    def append(self, entry: Entry, effect: Storable) -> None:
        """Add an entry."""
        assert self._batch is not None
        with self._storing():
            # Before the tail acknowledges it: the database has to take it later.
            row_of_entry(entry)
            self._batch.entries.append((entry, effect.to_bytes(entry.id)))

    def _later(self, change: Callable[..., None], *given: Any) -> None:
        assert self._batch is not None
        self._batch.others.append(partial(change, *given))

    def change_effects(self, effects: Mapping[int, Storable]) -> None:
        """Replace what entries do."""
        self._later(super().change_effects, dict(effects))

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the oldest ones go."""
        self._later(super().put_snapshot, snapshot)

    def drop_snapshots(self, first: int) -> None:
        """Drop the snapshots of entry ``first`` and later ones."""
        self._later(super().drop_snapshots, first)

    def remember(self, added: Iterable[Remembered], removed: Iterable[int]) -> None:
        """Change which texts are remembered: stored with the next transaction."""
        self._kept |= dict.fromkeys(removed)
        self._kept |= {one.number: one for one in added}

    def note_effect(self, entry: Entry, effect: Storable) -> None:
        """Take what an entry of the tail does."""
        if self._waiting and entry.id >= self._waiting[0].id:
            self._effects.setdefault(entry.id, effect.to_bytes(entry.id))

    def settle(self) -> None:
        """Bring all into the database, and end the tail."""
        if self._header is not None or self._kept and self._begun:
            self._store(_Batch(), last=True)

    # Reading

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""
        with self._lock, self._told():
            if self._batch is None:
                with self._tail.shared():
                    self._look()
            return self._last()

    def _parts(self, first: int, last: int | None) -> tuple[int, list[Entry]]:
        """Return the last entry to ask the database for, and those to add."""
        until = (1 << 62) if last is None else last
        with self._lock:
            waiting = [entry for entry in self._waiting if first <= entry.id <= until]
            return min(until, self._waiting[0].id - 1 if self._waiting else until), waiting

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield entries in order."""
        until, waiting = self._parts(first, last)
        if first <= until:
            yield from super().entries(first, until)
        yield from waiting

    def entries_back(self, first: int, last: int | None = None) -> Iterator[tuple[Entry, bytes]]:
        """Yield entries and effects from the last one down to ``first``."""
        with self._lock:
            until, waiting = self._parts(first, last)
            # Others may move them into the database before they are asked for.
            effects = [self._effects[entry.id] for entry in waiting]
        yield from zip(reversed(waiting), reversed(effects), strict=True)
        yield from super().entries_back(first, until)

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return these entries."""
        with self._lock:
            waiting = {entry.id: entry for entry in self._waiting}
        ask = super().pick
        return [waiting[n] if n in waiting else ask([n])[0] for n in numbers]

    def remembered(self) -> list[Remembered]:
        """Return all remembered texts."""
        found = {one.number: one for one in super().remembered()}
        kept = {i: one for i, one in self._kept.items() if one is not None}
        every = {i: one for i, one in (found | kept).items() if self._kept.get(i, one) is not None}
        return [every[number] for number in sorted(every)]

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            super().close()
            self._tail.close()
