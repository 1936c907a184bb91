"""One contract for every ledger: memory, SQLite, PostgreSQL."""

import contextlib
import subprocess
import sys

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, FileError, LedgerError

from .messages import TEXTS

pytest_plugins = ["tests.postgresql_server"]


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def place(request, tmp_path):
    """Where a ledger may be: a function that gives a fresh place."""
    if request.param == "memory":
        return lambda name: None
    if request.param == "sqlite":
        return lambda name: str(tmp_path / name)
    return request.getfixturevalue("postgresql").schema


def work(live):
    live.predict(TEXTS)
    for number, text in enumerate(TEXTS):
        label = ["ham", "spam", "new"][number % 3]
        live.correct(text, label, by=f"a{number}", margin=0.5, new_class=True)
    live.undo(2)
    live.add_guard("lunch at noon?")
    live.undo(9)
    live.confirm(TEXTS[3])
    live.undo(live.confirm(TEXTS[4], by="eve").id)
    with contextlib.suppress(CorrectionError):
        live.correct("lunch noon", "spam", guards="solve")
    live.correct(b"bytes \xff prize", "ham")


def figures(live):
    """Progress without times, which differ."""
    plain = live.progress().to_dict()
    return {k: v for k, v in plain.items() if k != "windows"}, [
        (one["first"], one["last"], one["n"], one["probability"]) for one in plain["windows"]
    ]


def test_the_same_work_gives_the_same_bits_in_every_ledger(two, place):
    plain = hl.open_live(two, ledger=None)
    work(plain)
    with hl.open_live(two, place("same")) as live:
        work(live)
        assert live.digest() == plain.digest()
        assert figures(live) == figures(plain)
        one, other = list(live.log()), list(plain.log())
        assert [(e.kind, e.label, e.features, e.text) for e in one] == [
            (e.kind, e.label, e.features, e.text) for e in other
        ]
        assert live.verify() == plain.n_entries
        assert live.replay(5).scores(TEXTS) == plain.replay(5).scores(TEXTS)
        assert figures(live.replay(12)) == figures(plain.replay(12))


def test_what_failed_leaves_no_trace(two, place):
    with hl.open_live(two, place("failed")) as live:
        live.correct(TEXTS[0], "ham")
        before = live.digest(), live.fingerprint, live.n_entries
        with pytest.raises(CorrectionError):
            live.add_guards([(TEXTS[0], "ham"), (TEXTS[0], "spam")])
        for change in (lambda: live.correct("", "ham"), lambda: live.undo(7)):
            with pytest.raises(CorrectionError):
                change()
        assert (live.digest(), live.fingerprint, live.n_entries) == before
        assert live.verify() == 1


def test_what_was_written_is_there_again(two, place):
    where = place("again")
    if where is None:
        pytest.skip("memory ends with its process")
    with hl.open_live(two, where) as live:
        work(live)
        digest, fingerprint = live.digest(), live.fingerprint
        progress, drift = live.progress(), live.drift()
    with hl.open_live(two, where) as live:
        assert (live.digest(), live.fingerprint) == (digest, fingerprint)
        assert (live.progress(), live.drift()) == (progress, drift)
        live.verify()
    with hl.open_live(two, where, read_only=True) as live:
        assert live.digest() == digest


def test_another_model_is_refused(two, many, place):
    where = place("other")
    if where is None:
        pytest.skip("memory ends with its process")
    with hl.open_live(two, where) as live:
        live.correct(TEXTS[0], "ham")
    with pytest.raises(LedgerError, match="another model"):
        hl.open_live(many, where)


def test_several_writers_of_a_server(two, postgresql):
    where = postgresql.schema()
    hl.open_live(two, where).close()
    program = (
        "import sys, hardlimit as hl\n"
        "with hl.open_live(sys.argv[1], sys.argv[2]) as live:\n"
        "    for n in range(10): live.correct(f'prize {n} lunch', ['ham', 'spam'][n % 2])\n"
    )
    words = [sys.executable, "-c", program, two, where]
    running = [subprocess.Popen(words) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    with hl.open_live(two, where) as live:
        assert live.verify() == 20


def test_a_server_that_is_not_there_is_an_error_without_the_password(two):
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with pytest.raises(FileError) as refused:
        hl.open_live(two, "postgresql://alice:secret@/none?host=/nowhere")
    assert "secret" not in str(refused.value) and "alice" in str(refused.value)
