"""A ledger in PostgreSQL, for several writers on several machines.

One database (or schema: ``?options=-csearch_path%3Dspam``) holds the ledger of one model. A writer
takes an advisory lock for its transaction, which the server ends with the connection.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from hardlimit.exceptions import FileError, InputError, LedgerError, MissingExtraError
from hardlimit.live.entry import genesis
from hardlimit.live.sql import VERSION, SqlLedger

# Of the advisory lock: "hlng" in ASCII.
_LOCK = 0x686C6E67
_SCHEMA = """
create table if not exists facts (name text primary key, value text not null);
create table if not exists entries (
    id bigint primary key, kind text not null, time text not null, author text not null,
    label text, margin double precision not null, policy text not null, target bigint, text bytea,
    features bytea not null, details text not null, before text not null, after text not null);
create table if not exists effects (id bigint primary key, effect bytea not null);
create table if not exists snapshots (
    id bigint primary key, fingerprint text not null, plain text not null,
    weights bytea not null, digest text not null);
create table if not exists remembered (
    number bigint primary key, text bytea, features bytea not null);
"""


class PostgresqlLedger(SqlLedger):
    """A ledger in tables of a PostgreSQL database."""

    def __init__(self, url: str, base: str, read_only: bool = False) -> None:
        # Without the password, which no message is to show.
        super().__init__(_without_password(url), base)
        self._lock = threading.RLock()
        self._psycopg = _import()
        with self._told():
            self._connection = self._psycopg.connect(url, autocommit=True)
            try:
                self._check_durable()
                if not read_only:
                    self._begin_tables()
                facts = dict(self._all("select name, value from facts"))
                self.check_version(int(facts.get("version", 0)))
                self.check_base(facts)
            except BaseException:
                self._connection.close()
                raise

    def _check_durable(self) -> None:
        """Refuse a server that acknowledges what is not on its disk."""
        for setting in ("fsync", "synchronous_commit"):
            if self._all(f"show {setting}")[0][0] == "off":
                raise InputError(
                    f"the server runs with {setting} off, so that it acknowledges entries that a "
                    "power cut loses",
                    who="open_live",
                    where=self.where,
                    fix=f"set {setting} = on",
                )

    def _begin_tables(self) -> None:
        with self.writing():
            for statement in _SCHEMA.split(";")[:-1]:
                self._all(statement)
            if not self._all("select 1 from facts"):
                facts = {
                    "base": self._base,
                    "genesis": genesis(self._base),
                    "version": str(VERSION),
                }
                for pair in facts.items():
                    self._all("insert into facts values (?, ?)", pair)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn the errors of the server into ours."""
        try:
            yield
        except self._psycopg.errors.UndefinedTable as error:
            raise LedgerError(f"it has no ledger ({error})", where=self.where) from error
        except self._psycopg.errors.DiskFull as error:
            raise FileError(
                "the server's disk is full; the model is as before", where=self.where, topic="full"
            ) from error
        except self._psycopg.Error as error:
            raise FileError(
                f"the database cannot be used ({str(error).strip()})", where=self.where
            ) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Write alone, among all connections; on the server's disk when it ends."""
        with self._lock, self._told(), self._connection.transaction():
            self._all("select pg_advisory_xact_lock(?)", (_LOCK,))
            yield

    def _all(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        with self._lock, self._told():
            cursor = self._connection.execute(sql.replace("?", "%s"), tuple(values))
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()


def _import() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingExtraError(
            "a ledger in PostgreSQL needs psycopg", fix='pip install "hardlimit[postgresql]"'
        ) from None
    return psycopg


def _without_password(url: str) -> str:
    """Return a URL for messages.

    >>> _without_password("postgresql://alice:secret@host/spam")
    'postgresql://alice@host/spam'
    """
    scheme, _, rest = url.partition("://")
    user, at, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}"
