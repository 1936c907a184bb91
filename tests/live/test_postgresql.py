"""Servers as they are set up, and how long each wait for one is."""

import socket
import threading

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError, InputError
from hardlimit.live import postgresql as ledgers

from .messages import TEXTS
from .proxy import Proxy

connection = pytest.importorskip("hardlimit.live.connection", exc_type=ImportError)

pytest_plugins = ["tests.postgresql_server"]


@pytest.fixture
def proxy(postgresql):
    proxy = Proxy(postgresql.socket)
    yield proxy
    proxy.close()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(ledgers, "PATIENCE", 0.05)
    monkeypatch.setattr(connection, "SILENCE", 0.3)


# Waits


def test_somebody_who_holds_the_lock_is_an_error_in_time(two, postgresql, impatient):
    url = postgresql.schema()
    with hl.open_live(two, url) as live:
        live.correct(TEXTS[0], "ham")
        before = live.digest()
        with postgresql.locked():
            for act in (lambda: live.correct(TEXTS[1], "spam"), lambda: live.undo(1)):
                with pytest.raises(FileError, match="another writer has held the ledger") as busy:
                    act()
                assert busy.value.topic == "busy" and "pg_locks" in str(busy.value)
            # Whoever looks waits for nobody.
            assert live.refresh() == 1 and live.doubt is None and live.digest() == before
            hl.open_live(two, url).close()
        assert live.correct(TEXTS[1], "spam").id == 2


def test_a_writer_that_vanishes_holds_nobody_up_for_long(two, postgresql, monkeypatch):
    url = postgresql.schema()
    hl.open_live(two, url).close()
    monkeypatch.setattr(ledgers, "IDLE", 0.05)
    with hl.open_live(two, url) as gone, hl.open_live(two, url) as live:
        with pytest.raises(FileError, match="idle-in-transaction"), gone.ledger.writing():
            # As where the cable of a machine is pulled.
            assert live.correct(TEXTS[0], "ham").id == 1
            gone.ledger.last()
        assert gone.refresh() == 1


def test_a_server_that_says_nothing_any_more_is_given_up(two, postgresql, proxy, impatient):
    with hl.open_live(two, proxy.url(postgresql.schema())) as live:
        live.correct(TEXTS[0], "ham")
        proxy.silent = True
        for act in (live.refresh, lambda: live.correct(TEXTS[1], "spam")):
            proxy.silent = True
            with pytest.raises(FileError, match=r"has said nothing for 0\.3 seconds"):
                act()
            proxy.silent = False
            live.refresh()
        assert live.correct(TEXTS[1], "spam").id == 2 == live.verify()


@pytest.mark.slow
def test_a_port_that_takes_connections_and_says_nothing_is_given_up(two, monkeypatch):
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    monkeypatch.setitem(connection.DEFAULTS, "connect_timeout", 2)  # the least that there is
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(FileError, match="timeout"):
            hl.open_live(two, f"postgresql://postgres@127.0.0.1:{port}/postgres")


def test_every_wait_of_a_connection_has_a_limit_that_the_url_may_set(postgresql):
    with connection.connect(postgresql.url) as one:
        got = one.info.get_parameters()
        assert {name: int(got[name]) for name in connection.DEFAULTS} == connection.DEFAULTS
    with connection.connect(f"{postgresql.url}&connect_timeout=3&keepalives_idle=7") as one:
        got = one.info.get_parameters()
        assert (got["connect_timeout"], got["keepalives_idle"]) == ("3", "7")
        assert got["tcp_user_timeout"] == "20000"
    assert connection.SILENCE > ledgers.PATIENCE


def test_readers_of_the_model_do_not_wait_for_the_server(two, postgresql, proxy):
    url = postgresql.schema()
    with hl.open_live(two, proxy.url(url)) as live, hl.open_live(two, url) as other:
        for act in (lambda: other.correct(TEXTS[0], "ham"), lambda: other.undo(1)):
            act()
            # From the entries of others on nothing comes.
            proxy.silence_at([b"order by id"])
            thread = threading.Thread(target=live.refresh)
            thread.start()
            proxy.wait()
            assert len(live.predict(TEXTS)) == len(TEXTS)
            proxy.silent = False
            proxy.lose()
            thread.join(20)
            assert live.n_entries == other.n_entries


# Settings of servers


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_writers_take_turns_whatever_isolation_is_set(two, postgresql, monkeypatch, level):
    url = postgresql.schema(f"iso_{level.partition(' ')[0]}")
    url += f"%20-cdefault_transaction_isolation%3D{level.replace(' ', '%5C%20')}"
    assert postgresql.ask("show transaction_isolation", url) == [(level,)]
    with hl.open_live(two, url) as one, hl.open_live(two, url) as other:
        begun, go_on, append = threading.Event(), threading.Event(), one.ledger.append

        def append_slowly(*entry):
            begun.set()
            assert go_on.wait(20)
            append(*entry)

        monkeypatch.setattr(one.ledger, "append", append_slowly)
        writer = threading.Thread(target=one.correct, args=(TEXTS[1], "spam"))
        writer.start()
        assert begun.wait(20)
        waiter = threading.Thread(target=other.correct, args=(TEXTS[0], "ham"))
        waiter.start()
        waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted"
        while not postgresql.ask(waiting):
            assert waiter.is_alive()
        go_on.set()
        writer.join(20)
        waiter.join(20)
        assert other.n_entries == 2 == other.verify()


def test_reading_is_tried_again_where_the_server_asks_for_it(two, postgresql, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    with hl.open_live(two, postgresql.schema()) as live:
        real, failures = live.ledger._ask, [psycopg.errors.SerializationFailure("conflict")] * 2

        def ask(*words):
            if failures:
                raise failures.pop()
            return real(*words)

        monkeypatch.setattr(live.ledger, "_ask", ask)
        assert live.refresh() == 0 and not failures


def test_numbers_are_whole_whatever_digits_are_set(two, postgresql):
    url = postgresql.schema("digits") + "%20-cextra_float_digits%3D0"
    with hl.open_live(two, url) as live:
        live.correct(TEXTS[0], "ham", margin=1 / 3)
        assert live.verify() == 1 and next(live.log()).margin == 1 / 3
    with hl.open_live(two, url) as live:
        assert live.n_entries == 1


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_hold_every_text_is_refused(two, postgresql, encoding):
    name = f"db_{encoding.lower()}"
    postgresql.ask(f"create database {name} encoding '{encoding}' template template0")
    url = postgresql.url.replace("/postgres?", f"/{name}?")
    with pytest.raises(InputError, match=f"encoded in {encoding}.*create database"):
        hl.open_live(two, url)


def test_texts_are_utf_8_whatever_the_client_is_set_to(two, postgresql, monkeypatch):
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with hl.open_live(two, postgresql.schema()) as live:
        live.correct("win 漢", "漢", by="Ω", new_class=True)
        assert [(e.label, e.text, e.author) for e in live.log()] == [("漢", "win 漢", "Ω")]


@pytest.mark.parametrize("value", ["a\0b", "bad\ud800"])
def test_what_the_database_does_not_take_is_an_error_of_the_input(two, postgresql, value):
    with hl.open_live(two, postgresql.schema()) as live:
        with pytest.raises(InputError, match="database does not take"):
            live.ledger._all("select ?", (value,))
        assert live.refresh() == 0


def test_a_server_that_takes_no_changes_says_to_open_the_model_read_only(two, postgresql):
    url = postgresql.schema("standby")
    with hl.open_live(two, url) as live:
        live.correct(TEXTS[0], "ham")
    fixed = f"{url}%20-cdefault_transaction_read_only%3Don"
    with pytest.raises(FileError, match="read_only=True") as refused:
        hl.open_live(two, fixed)
    assert refused.value.topic == "read-only"
    with hl.open_live(two, fixed, read_only=True) as live:
        assert live.predict([TEXTS[0]]) == ["ham"]
    # One that becomes so later.
    with hl.open_live(two, url) as live:
        live.ledger._connection.execute("set default_transaction_read_only = on")
        with pytest.raises(FileError, match="read_only=True"):
            live.correct(TEXTS[1], "spam")
        assert live.doubt is None and live.n_entries == 1
