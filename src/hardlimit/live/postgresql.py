"""A ledger in PostgreSQL, for several writers on several machines.

One database (or schema: ``?options=-csearch_path%3Dspam``) holds the ledger of one model. A writer
takes an advisory lock for its transaction, which the server ends with the connection. A connection
that is lost is made anew, between transactions only: what a transaction has done is gone with it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from hardlimit.exceptions import (
    FileError,
    HardlimitError,
    InputError,
    LedgerError,
    MissingExtraError,
    Setting,
)
from hardlimit.live.entry import genesis
from hardlimit.live.sql import SCHEMA, VERSION, SqlLedger

T = TypeVar("T")
# Of the advisory lock: "hlng" in ASCII.
_LOCK = 0x686C6E67
# Seconds to wait for another writer, and for which the server keeps a transaction whose writer
# says nothing: the lock of a machine that vanished holds up all others.
PATIENCE, IDLE = 30.0, 60.0
# How often what changes nothing is tried.
_TRIES = 3
_TABLES = "facts", "entries", "effects", "snapshots", "remembered"
_HERE = {
    "create table": "create table if not exists",
    "integer": "bigint",
    "real": "double precision",
    "blob": "bytea",
    " without rowid": "",
}


class PostgresqlLedger(SqlLedger):
    """A ledger in tables of a PostgreSQL database."""

    def __init__(self, url: str, base: str, read_only: bool = False) -> None:
        # Without the password, which no message is to show.
        super().__init__(_without_password(url), base)
        self._url, self._read_only = url, read_only
        self._lock = threading.RLock()
        self._driver, self._psycopg = _import()
        self._closed = self._inside = False
        # Whether the answer to COMMIT was lost, so that the server may still be at it.
        self._unanswered = False
        with self._told():
            self._connection = self._connect()
            try:
                if not read_only:
                    self._begin_tables()
                self._check_ledger()
            except BaseException:
                self._connection.close()
                raise

    # The connection

    def _connect(self) -> Any:
        """Return a connection to a server that can hold a ledger."""
        connection = self._driver.connect(self._url)
        try:
            self._check_server(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_server(self, connection: Any) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise InputError(
                f"the database is encoded in {encoding}, which cannot hold every text",
                who="open_live",
                where=self.where,
                fix="create one with: create database NAME encoding 'UTF8' template template0",
            )
        settings = "fsync", "synchronous_commit", "transaction_read_only"
        names = ", ".join(f"current_setting('{name}')" for name in settings)
        *durable, takes_none = connection.execute(f"select {names}").fetchone()
        for setting, value in zip(settings, durable, strict=False):
            if value == "off":
                raise InputError(
                    f"the server runs with {setting} off, so that it acknowledges entries that a "
                    "power cut loses",
                    who="open_live",
                    where=self.where,
                    fix=f"set {setting} = on",
                )
        # A standby may also be behind: nobody could tell there whether an entry was stored.
        if takes_none == "on" and not self._read_only:
            raise self._refuse_writing()

    def _refuse_writing(self) -> FileError:
        return FileError(
            "the server takes no changes: it is a standby, or set to be read-only",
            where=self.where,
            topic="read-only",
            fix=("open the model with ", Setting("read_only", True), ", or use the primary server"),
        )

    def _check_ledger(self) -> None:
        facts = dict(self._ask("select name, value from facts"))
        self.check_version(int(facts.get("version", 0)))
        self.check_base(facts)

    def _begin_tables(self) -> None:
        all_there = " and ".join(
            f"to_regclass(quote_ident(current_schema()) || '.{name}') is not null"
            for name in _TABLES
        )
        # Whoever only looks need not wait for who writes.
        if self._all(f"select {all_there}")[0][0] and self._all("select 1 from facts limit 1"):
            return
        with self.writing():
            schema = SCHEMA
            for there, here in _HERE.items():
                schema = schema.replace(there, here)
            for statement in schema.split(";")[:-1]:
                self._all(statement)
            if not self._all("select 1 from facts"):
                facts = {
                    "base": self._base,
                    "genesis": genesis(self._base),
                    "version": str(VERSION),
                }
                for pair in facts.items():
                    self._all("insert into facts values (?, ?)", pair)

    def _refresh_connection(self) -> None:
        """Connect anew where the connection was lost."""
        if self._closed:
            raise FileError("the ledger is closed", where=self.where)
        if self._connection.closed:
            self._connection = self._connect()
            try:
                self._check_ledger()
            except BaseException:
                self._connection.close()
                raise
        if self._unanswered:
            # The lost transaction has the lock until it has ended, one way or the other.
            self._begin("pg_advisory_xact_lock_shared")
            self._roll_back()
            self._unanswered = False

    def _retry(self, work: Callable[[], T]) -> T:
        """Do what changes nothing, once more where the connection turns out to be lost."""
        errors = self._psycopg.errors
        passing = errors.SerializationFailure, errors.DeadlockDetected
        for left in reversed(range(_TRIES)):
            self._refresh_connection()
            try:
                return work()
            except self._psycopg.OperationalError as error:
                lost = self._connection.closed and not isinstance(error, self._driver.SilenceError)
                if not left or not (lost or isinstance(error, passing)):
                    raise
        raise AssertionError  # the last one returns or raises

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn the errors of the server into ours."""
        try:
            yield
        except self._psycopg.Error as error:
            raise self._explain(error) from error

    def _explain(self, error: Exception) -> HardlimitError:
        """Return what an error of the server means."""
        errors, where = self._psycopg.errors, self.where
        said = next(iter(str(error).strip().splitlines()), type(error).__name__)
        if isinstance(error, errors.UndefinedTable):
            return LedgerError(f"it has no ledger ({said})", where=where)
        if isinstance(error, errors.DiskFull):
            reason = "the server's disk is full; the model is as before"
            return FileError(reason, where=where, topic="full")
        if isinstance(error, errors.LockNotAvailable):
            return FileError(
                f"another writer has held the ledger for {PATIENCE:g} seconds",
                where=where,
                topic="busy",
                fix=f"try again; pg_locks shows who has the advisory lock {_LOCK}",
            )
        if isinstance(error, errors.ReadOnlySqlTransaction):
            return self._refuse_writing()
        if isinstance(error, self._psycopg.DataError):
            return InputError(f"the database does not take a value ({said})", where=where)
        return FileError(f"the database cannot be used ({said})", where=where)

    # Statements

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write alone, among all connections; on the server's disk when it ends."""
        with self._lock, self._told():
            self._retry(self._begin)
            self._inside = True
            try:
                yield
            except BaseException:
                self._roll_back()
                raise
            else:
                self._commit()
            finally:
                self._inside = False

    def _begin(self, lock: str = "pg_advisory_xact_lock") -> None:
        """Begin a transaction that sees what all others have written, for it has the lock."""
        statements = (
            "begin isolation level read committed",
            f"set local lock_timeout = {PATIENCE * 1000:.0f}",
            f"set local idle_in_transaction_session_timeout = {IDLE * 1000:.0f}",
            f"select {lock}({_LOCK})",
        )
        try:
            self._connection.execute("; ".join(statements))
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        """End a transaction without a trace: if need be with its connection."""
        try:
            if not self._connection.closed:
                self._connection.execute("rollback", prepare=False)
        except Exception:
            self._connection.close()

    def _commit(self) -> None:
        idle = self._psycopg.pq.TransactionStatus.IDLE
        try:
            done = self._connection.execute("commit", prepare=False).statusmessage
        except BaseException:
            # An error of a server that goes on is an answer; of all else the end is not known.
            if self._connection.info.transaction_status != idle:
                self._unanswered = True
                self._connection.close()
            raise
        if done != "COMMIT":
            raise FileError("the server has undone the transaction", where=self.where)

    def _all(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        with self._lock, self._told():
            if self._inside:
                return self._ask(sql, values)
            return self._retry(lambda: self._ask(sql, values))

    def _ask(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            # Binary: the text of a number has only as many digits as the server is set to.
            cursor = self._connection.execute(sql.replace("?", "%s"), tuple(values), binary=True)
        except UnicodeEncodeError as error:
            reason = f"the database does not take half of a character ({error.reason})"
            raise InputError(reason, where=self.where) from error
        return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._closed = True
            self._connection.close()


def _import() -> tuple[Any, Any]:
    """Return our connections and psycopg, which is an extra."""
    try:
        import psycopg

        from hardlimit.live import connection
    except ImportError:
        raise MissingExtraError(
            "a ledger in PostgreSQL needs psycopg", fix='pip install "hardlimit[postgresql]"'
        ) from None
    return connection, psycopg


def _without_password(url: str) -> str:
    """Return a URL for messages.

    >>> _without_password("postgresql://alice:secret@host/spam")
    'postgresql://alice@host/spam'
    """
    scheme, _, rest = url.partition("://")
    user, at, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}"
