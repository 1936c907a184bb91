"""A ledger in one SQLite file beside the model: ``docs/ledger-format.md``.

The rollback journal and ``synchronous=FULL``: what is acknowledged is on disk. The write-ahead log
of SQLite 3.7.0 to 3.51.2 can lose a transaction, and Python's library is often one of those.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hardlimit.exceptions import FileError, LedgerError
from hardlimit.foundation.formatting import plural
from hardlimit.live.entry import genesis
from hardlimit.live.ledger_tail import PATIENCE, sync_folder
from hardlimit.live.sql import SCHEMA, VERSION, SqlLedger, reading

# "hlng" as SQLite's application id, so that `file` and we know the file again.
APPLICATION = 0x686C6E67


class SqliteLedger(SqlLedger):
    """A ledger in an SQLite file, which is made by the first transaction."""

    def __init__(self, where: str, base: str, read_only: bool = False) -> None:
        super().__init__(where, base)
        self._lock = threading.RLock()
        self._read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        # Whether it has its tables: a file that a full disk left behind has none.
        self._begun = False
        with self._told():
            if os.path.lexists(where):
                self._attach()

    def _attach(self) -> sqlite3.Connection:
        """Connect to the file, and look whether it is a ledger of this model."""
        connection = _connect(self.where, self._read_only)
        try:
            self._connection = connection
            self._begun = bool(connection.execute("pragma page_count").fetchone()[0])
            if self._begun:
                self._check_file(connection)
            self._identity = _identity(self.where)
        except BaseException:
            self._connection = None
            connection.close()
            raise
        return connection

    def _look_for_file(self) -> None:
        """Connect to what another process made; refuse a file that took the place of this one."""
        identity = _identity(self.where)
        if self._connection is None:
            if identity is not None:
                self._attach()
        elif identity != self._identity:
            raise FileError(
                "the ledger was removed or replaced while it was open",
                where=self.where,
                topic="replaced",
                fix="open it again",
            )
        elif not self._begun and identity is not None:
            self._connection.close()
            self._attach()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write all of it or nothing; on disk when it ends."""
        fresh = self._connection is None
        connection = self._attach() if self._connection is None else self._connection
        connection.execute("begin immediate")
        try:
            if not self._begun:
                self._make_tables(connection)
            yield
            connection.execute("commit")
        except BaseException:
            _roll_back(connection)
            raise
        self._begun = True
        if fresh:
            sync_folder(self.where)

    def _make_tables(self, connection: sqlite3.Connection) -> None:
        if connection.execute("pragma application_id").fetchone()[0]:
            return self._check_file(connection)  # another process was faster
        connection.execute(f"pragma application_id = {APPLICATION}")
        connection.execute(f"pragma user_version = {VERSION}")
        for statement in SCHEMA.split(";")[:-1]:
            connection.execute(statement)
        facts = {"base": self._base, "genesis": genesis(self._base)}
        connection.executemany("insert into facts values (?, ?)", facts.items())

    def _check_file(self, connection: sqlite3.Connection) -> None:
        """Refuse what is no ledger, a newer one, one that is cut off, or one of another model."""
        ask = connection.execute
        if ask("pragma application_id").fetchone()[0] != APPLICATION:
            raise LedgerError("this is no ledger of corrections", where=self.where)
        self.check_version(ask("pragma user_version").fetchone()[0])
        size = ask("pragma page_count").fetchone()[0] * ask("pragma page_size").fetchone()[0]
        missing = size - os.path.getsize(self.where)
        if missing > 0:
            raise LedgerError(
                f"the ledger is cut off: {plural(missing, 'byte')} missing",
                where=self.where,
                topic="damaged",
            )
        with reading("the ledger"):
            self.check_base(dict(ask("select name, value from facts").fetchall()))

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn the errors of SQLite into ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise _explain(error, self.where) from error
        except LedgerError as error:
            raise (error if error.where else error.replaced(where=self.where)) from error.__cause__

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write alone; on disk when it ends."""
        with self._lock, self._told(), self._transaction():
            yield

    def _all(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        # What is no UTF-8, though it should be text, is an error of Python.
        with self._lock, self._told(), reading("the ledger"):
            if self._connection is None or not self._has_tables():
                return []
            return self._connection.execute(sql, tuple(values)).fetchall()

    def _has_tables(self) -> bool:
        return self._begun or self._connection is not None and self._connection.in_transaction

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()


def _connect(where: str, read_only: bool) -> sqlite3.Connection:
    target = Path(os.path.abspath(where)).as_uri() + ("?mode=ro" if read_only else "")
    connection = sqlite3.connect(
        target, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        # SQLite's own errors may quote a damaged schema, which is no UTF-8.
        with reading("the ledger"):
            if not read_only:
                connection.execute("pragma journal_mode = delete")
                connection.execute("pragma synchronous = full")
            connection.execute("select count(*) from sqlite_master")
    except BaseException:
        connection.close()
        raise
    return connection


def _identity(where: str) -> tuple[int, int] | None:
    """Return what tells one file from another that took its name; None of none."""
    with contextlib.suppress(FileNotFoundError):
        found = os.stat(where)
        return found.st_dev, found.st_ino
    return None


_UNREADABLE = (sqlite3.Error, LedgerError, UnicodeError)


def holds_entries(where: str) -> bool:
    """Tell whether a ledger has entries; one that cannot be read has none that anyone could use."""
    if not os.path.isfile(where):
        return False
    with contextlib.suppress(*_UNREADABLE), contextlib.closing(_connect(where, True)) as asked:
        return asked.execute("select 1 from entries limit 1").fetchone() is not None
    return False


def base_of(where: str) -> str | None:
    """Return the digest of the model that a ledger is of; None where it cannot be read."""
    with contextlib.suppress(*_UNREADABLE), contextlib.closing(_connect(where, True)) as asked:
        found = asked.execute("select value from facts where name = 'base'").fetchone()
        return None if found is None else str(found[0])
    return None


def _roll_back(connection: sqlite3.Connection) -> None:
    # After a full disk SQLite may have done it by itself.
    with contextlib.suppress(sqlite3.Error):
        connection.execute("rollback")


def _explain(error: sqlite3.Error, where: str) -> FileError | LedgerError:
    """Return what an error of SQLite means."""
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
        return LedgerError(f"the ledger is damaged ({error})", where=where, topic="damaged")
    if code.startswith("SQLITE_FULL"):
        return FileError("the disk is full; the model is as before", where=where, topic="full")
    if code.startswith("SQLITE_BUSY"):
        return FileError(
            f"another process has been writing for {PATIENCE:g} seconds", where=where, topic="busy"
        )
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_IOERR")):
        return FileError(f"it cannot be read or written ({error})", where=where)
    # A table or column that is not there: it was edited, and is no ledger any more.
    return LedgerError(f"the ledger cannot be used ({error})", where=where, topic="damaged")
