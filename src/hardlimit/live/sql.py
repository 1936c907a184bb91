"""What ledgers in SQL have in common: the tables of ``docs/ledger-format.md`` and the questions."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hardlimit.exceptions import HardlimitError, LedgerError, ModelFileError
from hardlimit.live.entry import (
    Entry,
    column_of,
    details_to_json,
    genesis,
    label_of_text,
    label_to_text,
    text_bytes,
    text_of,
    text_of_column,
)
from hardlimit.live.ledger import Remembered, Snapshot, Storable
from hardlimit.live.rebuilding import digest_of_snapshot, whole

VERSION = 3
# As SQLite has it; PostgreSQL has other names of types.
SCHEMA = """
create table facts (name text primary key, value text not null) without rowid;
create table entries (
    id integer primary key, kind text not null, time text not null, author text not null,
    label text, margin real not null, policy text not null, target integer, text blob,
    features blob not null, details text not null, before text not null, after text not null);
create table effects (id integer primary key, effect blob not null);
create table snapshots (
    id integer primary key, fingerprint text not null, plain text not null,
    weights blob not null, digest text not null);
create table remembered (number integer primary key, text blob, features blob not null);
"""
COLUMNS = (
    "id, kind, time, author, label, margin, policy, target, text, features, details, before, after"
)
# Kept, so that undoing an entry before the latest one leaves another to open the ledger from.
_SNAPSHOTS = 3
# Rows fetched at a time: a reader that holds the ledger longer would keep the writer waiting.
_AT_ONCE = 256
# Behind every entry.
_NO_END = 1 << 62


# What Python raises of values that are not of the kind that was written.
_NO_VALUES = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)


@contextlib.contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn what a damaged row makes Python raise into our error.

    Raises
    ------
    LedgerError
    """
    try:
        yield
    except ModelFileError as error:  # of a label, which model files have in the same form
        raise LedgerError(f"{what} cannot be read ({error.reason})", topic="damaged") from None
    except HardlimitError:
        raise
    except _NO_VALUES as error:
        raise LedgerError(f"{what} cannot be read ({error!r})", topic="damaged") from None


class SqlLedger:
    """A ledger in tables; who holds them says how a statement is run.

    where : the file or the URL, as messages name it.
    base : the fingerprint of the model that the ledger is of.
    troubles : what people should know of it though it answers, by subject.
    """

    lasting, has_tail = True, False

    def __init__(self, where: str, base: str) -> None:
        self.where, self._base = where, base
        self.troubles: dict[str, str] = {}

    def _all(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        """Run a statement with ``?`` for its values, and return all rows."""
        raise NotImplementedError

    def check_version(self, version: int) -> None:
        """Refuse a ledger of another version."""
        if not 1 <= version <= VERSION:
            raise LedgerError(
                f"the ledger is of version {version}, and this release knows version {VERSION}",
                where=self.where,
                fix="open it with a newer hardlimit",
                topic="newer",
            )

    def check_base(self, facts: Mapping[str, str]) -> None:
        """Refuse a ledger of another model."""
        if facts.get("base") != self._base:
            raise LedgerError(
                f"the ledger is of another model (its base is {facts.get('base')}, and this one "
                f"is {self._base})",
                where=self.where,
                fix="give each model a ledger of its own",
                topic="another-model",
            )

    def last(self) -> tuple[int, str]:
        """Return the number of the last entry, and the fingerprint after it."""
        found = self._all("select id, after from entries order by id desc limit 1")
        with reading("the last entry"):
            return (int(found[0][0]), str(found[0][1])) if found else (0, genesis(self._base))

    def append(self, entry: Entry, effect: Storable) -> None:
        """Add an entry."""
        self.put(row_of_entry(entry), effect.to_bytes(entry.id))

    def put(self, row: tuple[Any, ...], effect: bytes) -> None:
        """Add an entry and its effect as they are stored."""
        places = ", ".join("?" * 13)
        self._all(f"insert into entries ({COLUMNS}) values ({places})", row)
        self._all("insert into effects values (?, ?)", (row[0], effect))

    def note_effect(self, entry: Entry, effect: Storable) -> None:
        """Do nothing: it is stored."""

    def settle(self) -> None:
        """Do nothing: it is in its place."""

    def entries(self, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield entries in order."""
        until = _NO_END if last is None else last
        while True:
            rows = self._all(
                f"select {COLUMNS} from entries where id between ? and ? order by id limit ?",
                (first, until, _AT_ONCE),
            )
            for row in rows:
                yield entry_of_row(row)
            if len(rows) < _AT_ONCE:
                return
            first = rows[-1][0] + 1

    def entries_back(self, first: int, last: int | None = None) -> Iterator[tuple[Entry, bytes]]:
        """Yield entries and effects from the last one down to ``first``, each whole."""
        columns = ", ".join(f"entries.{name}" for name in COLUMNS.split(", "))
        last = _NO_END if last is None else last
        rows: list[Any] = [()] * _AT_ONCE
        while len(rows) == _AT_ONCE:
            # Left: an entry whose effect is missing does not go unnoticed.
            rows = self._all(
                f"select {columns}, effect from entries left join effects "
                "on entries.id = effects.id "
                "where entries.id between ? and ? order by entries.id desc limit ?",
                (first, last, _AT_ONCE),
            )
            for row in rows:
                entry = whole(entry_of_row(row[:-1]))
                if entry.id != last < _NO_END:
                    raise missing_entry(last, self.where)
                with reading(f"what entry {entry.id} does"):
                    effect = _bytes(row[-1])
                last = entry.id - 1
                yield entry, effect
        if first <= last < _NO_END:
            raise missing_entry(last, self.where)

    def pick(self, numbers: Iterable[int]) -> list[Entry]:
        """Return these entries."""
        found = []
        for number in numbers:
            rows = self._all(f"select {COLUMNS} from entries where id = ?", (number,))
            if not rows:
                raise missing_entry(number, self.where)
            found.append(whole(entry_of_row(rows[0])))
        return found

    def change_effects(self, effects: Mapping[int, Storable]) -> None:
        """Replace what entries do."""
        for number, effect in effects.items():
            self._all(
                "update effects set effect = ? where id = ?", (effect.to_bytes(number), number)
            )

    def snapshot(self, until: int | None = None) -> Snapshot | None:
        """Return the latest snapshot."""
        rows = self._all(
            "select id, fingerprint, plain, weights, digest from snapshots where id <= ? "
            "order by id desc limit 1",
            (_NO_END if until is None else until,),
        )
        if not rows:
            return None
        with reading("a snapshot"):
            number, fingerprint, plain, weights, digest = rows[0]
            snapshot = Snapshot(int(number), str(fingerprint), str(plain), _bytes(weights))
            after = self._all("select after from entries where id = ?", (snapshot.id,))
            is_whole = digest_of_snapshot(snapshot) == digest
        if not is_whole or after != [(snapshot.fingerprint,)]:
            raise LedgerError(
                f"the snapshot after entry {snapshot.id} is not the one that was written",
                where=self.where,
                topic="edited",
            )
        return snapshot

    def snapshot_before(self, number: int) -> int:
        """Return the entry of the latest snapshot before an entry; 0 of none."""
        found = self._all("select max(id) from snapshots where id < ?", (number,))
        with reading("a snapshot"):
            return int(found[0][0] or 0) if found else 0

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot; the oldest ones go."""
        latest = "select id from snapshots order by id desc limit ?"
        self._all(f"delete from snapshots where id not in ({latest})", (_SNAPSHOTS - 1,))
        values = (*snapshot, digest_of_snapshot(snapshot))
        # Another process may have taken one of the same entry, which is the same.
        sql = "insert into snapshots values (?, ?, ?, ?, ?) on conflict (id) do nothing"
        self._all(sql, values)

    def drop_snapshots(self, first: int) -> None:
        """Drop the snapshots of entry ``first`` and later ones."""
        self._all("delete from snapshots where id >= ?", (first,))

    def remembered(self) -> list[Remembered]:
        """Return all remembered texts."""
        rows = self._all("select number, text, features from remembered order by number")
        return [_remembered(*row) for row in rows]

    def remember(self, added: Iterable[Remembered], removed: Iterable[int]) -> None:
        """Change which texts are remembered."""
        for number in removed:
            self._all("delete from remembered where number = ?", (number,))
        for one in added:
            text = None if one.text is None else text_bytes(one.text)
            values = (one.number, text, one.features)
            self._all(
                "insert into remembered values (?, ?, ?) on conflict (number) do update "
                "set text = excluded.text, features = excluded.features",
                values,
            )


def _remembered(number: int, text: object, features: object) -> Remembered:
    """Return a remembered text; a damaged one has no features, which no text has."""
    with contextlib.suppress(*_NO_VALUES):
        kept = None if text is None else _bytes(text)
        return Remembered(number, text_of(kept), _bytes(features))
    return Remembered(number, None, b"")


def row_of_entry(entry: Entry) -> tuple[Any, ...]:
    """Return an entry as a row of the table."""
    return (
        entry.id,
        entry.kind,
        entry.time,
        column_of(entry.author),
        column_of(label_to_text(entry.label)),
        entry.margin,
        entry.policy,
        entry.target,
        None if entry.text is None else text_bytes(entry.text),
        entry.features,
        entry.told or details_to_json(entry.details),
        entry.before,
        entry.after,
    )


def entry_of_row(row: tuple[Any, ...]) -> Entry:
    """Return an entry again; what none could be is refused."""
    with reading(f"entry {row[0]}"):
        return Entry(
            int(row[0]),
            str(row[1]),
            str(row[2]),
            str(text_of_column(row[3])),
            label_of_text(text_of_column(row[4])),
            float(row[5]),
            str(row[6]),
            None if row[7] is None else int(row[7]),
            text_of(None if row[8] is None else _bytes(row[8])),
            _bytes(row[9]),
            dict(json.loads(row[10])),
            str(row[11]),
            str(row[12]),
        )


def _bytes(value: object) -> bytes:
    """Return a value of bytes; of a number ``bytes`` would make as many zeros."""
    if not isinstance(value, bytes | memoryview):
        raise TypeError(f"{type(value).__name__} in the place of bytes")
    return bytes(value)


def missing_entry(number: int, where: str) -> LedgerError:
    """Return the refusal of a ledger without this entry."""
    return LedgerError(f"entry {number} is missing", where=where, topic="edited")
