"""The ledger in a file: what it survives, and what it refuses."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.exceptions import CorrectionError, FileError, LedgerError
from hardlimit.live import correcting, limits, rebuilding, writing
from hardlimit.live import sqlite as ledgers

from .messages import TEXTS


def fill(path, ledger, n=6):
    with hl.open_live(path, ledger) as live:
        for number in range(n):
            live.correct(TEXTS[number % 8], live.classes[number % 2], by=f"author {number}")
        live.undo(2, by="alice")
        return live.digest(), live.fingerprint


def test_a_ledger_opens_as_it_was_left(two, ledger):
    digest, fingerprint = fill(two, ledger)
    with hl.open_live(two, ledger) as live:
        assert (live.digest(), live.fingerprint) == (digest, fingerprint)
        assert [entry.author for entry in live.log()][:2] == ["author 0", "author 1"]
        assert [entry.text for entry in live.log()][:2] == TEXTS[:2]
        assert live.verify() == 7


def test_the_file_lies_beside_the_model_and_is_safe(two, tmp_path, monkeypatch):
    # As it is outside these tests, which wait for no disk.
    monkeypatch.setattr(sqlite3, "connect", sqlite3.dbapi2.connect)
    path = shutil.copy(two, tmp_path / "spam.hardlimit")
    with hl.open_live(path) as live:
        live.correct(TEXTS[0], "ham")
        ask = live.ledger._connection.execute
        assert ask("pragma journal_mode").fetchone() == ("delete",)
        assert ask("pragma synchronous").fetchone() == (2,)  # FULL
    assert sorted(os.listdir(tmp_path)) == ["spam.hardlimit", "spam.hardlimit.ledger"]


def test_private_ledgers_hold_no_text(two, ledger):
    with hl.open_live(two, ledger, private=True) as live:
        live.predict(["a secret of somebody prize"])
        live.correct("lunch secretword at noon", "spam")
        digest = live.digest()
        assert [entry.text for entry in live.log()] == [None]
    with hl.open_live(two, ledger, private=True) as live:
        assert live.digest() == digest
        assert live.undo(1).after.label == "ham"
    assert b"of somebody" not in Path(ledger).read_bytes()


def test_a_ledger_of_another_model_is_refused(two, many, ledger):
    fill(two, ledger)
    with pytest.raises(LedgerError, match="another model") as refused:
        hl.open_live(many, ledger)
    assert refused.value.topic == "another-model"


def test_damage_of_every_kind_is_refused(two, ledger, tmp_path):
    fill(two, ledger, 40)
    whole = Path(ledger).read_bytes()
    for name, change in {
        "cut": lambda: whole[: len(whole) // 2],
        "short": lambda: whole[:50],
        "other": lambda: b"no ledger at all" * 100,
        "model": lambda: Path(two).read_bytes(),
    }.items():
        broken = tmp_path / name
        broken.write_bytes(change())
        with pytest.raises(LedgerError), hl.open_live(two, broken) as live:
            live.verify()


@pytest.mark.parametrize(
    "change",
    [
        "update entries set author = 'mallory' where id = 3",
        "update entries set text = x'7368' where id = 3",
        "update entries set label = 'str:spam' where id = 1",
        "update entries set margin = 9 where id = 3",
        "update entries set time = '2020-01-01T00:00:00+00:00' where id = 3",
        "update entries set features = zeroblob(10) where id = 3",
        "update entries set after = before where id = 3",
        "update entries set details = '{}' where id = 3",
        "update entries set details = 'no json' where id = 3",
        "delete from entries where id = 3",
        "drop table effects",
        "drop table facts",
    ],
)
def test_a_ledger_that_was_edited_is_noticed(two, ledger, change):
    fill(two, ledger)
    with sqlite3.connect(ledger) as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(LedgerError), hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")


def test_a_newer_ledger_is_refused(two, ledger):
    fill(two, ledger)
    with sqlite3.connect(ledger) as connection:
        connection.execute("pragma user_version = 4")
    connection.close()
    with pytest.raises(LedgerError, match="version 3") as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "newer"


def test_the_order_of_entries_does_not_depend_on_the_clock(two, ledger, monkeypatch):
    times = iter(["2030-01-01", "2020-01-01", "2025-01-01"])
    monkeypatch.setattr(correcting, "utc_now", lambda: f"{next(times)}T00:00:00+00:00")
    with hl.open_live(two, ledger, rate=(2, 60.0)) as live:
        for label in ("ham", "spam", "ham"):
            live.correct(TEXTS[0], label, new_class=True)
        assert [entry.time[:4] for entry in live.log()] == ["2030", "2020", "2025"]
        live.verify()
    assert limits.utc_now().endswith("+00:00")


def test_two_processes_correct_one_ledger(two, ledger):
    program = (
        "import sys, hardlimit as hl\n"
        "with hl.open_live(sys.argv[1], sys.argv[2], remember=0, recent=0) as live:\n"
        "    for n in range(15):\n"
        "        r = live.correct(f'prize {sys.argv[3]}{n} lunch', ['ham', 'spam'][n % 2],"
        " by=sys.argv[3])\n"
        "        n % 7 or live.undo(r.id)\n"
    )
    words = [sys.executable, "-c", program, two, ledger]
    running = [subprocess.Popen([*words, author]) for author in ("alice", "bob")]
    assert [process.wait(120) for process in running] == [0, 0]
    with hl.open_live(two, ledger) as live:
        authors = [entry.author for entry in live.log() if entry.kind == "correct"]
        assert sorted(authors) == ["alice"] * 15 + ["bob"] * 15
        assert live.verify() == 36


def test_one_process_sees_what_another_wrote(two, ledger):
    with hl.open_live(two, ledger) as one, hl.open_live(two, ledger) as other:
        one.correct(TEXTS[0], "ham")
        assert other.n_entries == 0 and other.refresh() == 1
        assert other.digest() == one.digest()
        other.undo(1)
        one.correct(TEXTS[1], "spam")
        assert one.n_entries == 3
        other.refresh()
        assert other.digest() == one.digest()


def test_a_full_disk_leaves_ledger_and_model_as_they_were(two, ledger):
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        pages = live.ledger._connection.execute("pragma page_count").fetchone()[0]
        live.ledger._connection.execute(f"pragma max_page_count = {pages}")
        before = live.digest(), live.n_entries
        long = " ".join(f"word{n}" for n in range(2000))
        for change in (
            lambda: live.correct(long, "spam"),
            lambda: live.add_guard(long),
        ):
            with pytest.raises(FileError) as refused:
                change()
            assert refused.value.topic == "full"
            assert (live.digest(), live.n_entries) == before
        live.ledger._connection.execute("pragma max_page_count = 1000000")
        live.correct(long, "spam")
        live.verify()


def test_a_commit_that_fails_leaves_the_model_as_it_was(two, ledger, monkeypatch):
    with hl.open_live(two, ledger) as live:
        live.correct(TEXTS[0], "ham")
        before = live.digest(), live.fingerprint
        real = live.ledger.writing

        class Broken:
            def __enter__(self):
                self.inner = real()
                return self.inner.__enter__()

            def __exit__(self, *error):
                failure = OSError("the disk went away")
                self.inner.__exit__(OSError, failure, None) if not any(error) else None
                raise failure

        monkeypatch.setattr(live.ledger, "writing", Broken)
        told = live.progress()
        for change in (
            lambda: live.correct(TEXTS[1], "new", new_class=True),
            lambda: live.undo(1),
            lambda: live.confirm(TEXTS[1]),
        ):
            with pytest.raises(OSError, match="went away"):
                change()
            assert (live.digest(), live.fingerprint, live.progress()) == (*before, told)
        monkeypatch.undo()
        live.correct(TEXTS[1], "new", new_class=True)
        live.verify()


KILLED = """
import sys, hardlimit as hl
live = hl.open_live(sys.argv[1], sys.argv[2], remember=20, recent=5)
print("open", flush=True)
n = live.n_entries
while True:
    n += 1
    label = ["ham", "spam", "news"][n % 3]
    done = live.correct(f"prize number {n} lunch noon", label, new_class=True)
    print(done.id, done.fingerprint, flush=True)
    if n % 5 == 0:
        done = live.undo(done.id - 2) if done.id - 2 not in live.undone() else done
        print(done.id, done.fingerprint, flush=True)
    if n % 7 == 0:
        done = live.confirm(f"prize number {n} lunch noon")
        print(done.id, done.fingerprint, flush=True)
    if n % 23 == 0:
        live.bake(sys.argv[2] + ".baked")
"""


def kill_often(path, ledger, times):
    """Kill a process that corrects at random moments; return what it acknowledged."""
    acknowledged, moments = {}, random.Random(7)
    for _ in range(times):
        words = [sys.executable, "-c", KILLED, path, ledger]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "open\n"
            # Some are there before the moment is drawn, however loaded the machine is.
            lines = [process.stdout.readline() for _ in range(2)]
            time.sleep(moments.uniform(0.0, 0.15))
            process.send_signal(signal.SIGKILL)
            lines += process.stdout.read().splitlines()
        whole = [line.split() for line in lines]
        acknowledged |= {int(line[0]): line[1] for line in whole if len(line) == 2}
    return acknowledged


def check_survived(path, ledger, acknowledged):
    with hl.open_live(path, ledger) as live:
        written = {entry.id: entry.after for entry in live.log()}
        assert len(acknowledged) > 5
        assert {number: written.get(number) for number in acknowledged} == acknowledged
        live.verify()
    if os.path.exists(ledger + ".baked"):
        hl.load(ledger + ".baked")
    assert os.path.exists(ledger) and not os.path.exists(ledger + "-tail")


def test_no_acknowledged_entry_is_lost_to_kill_9(two, ledger):
    check_survived(two, ledger, kill_often(two, ledger, 6))


@pytest.mark.slow
def test_no_acknowledged_entry_is_lost_to_500_kills(two, ledger):
    check_survived(two, ledger, kill_often(two, ledger, 500))


def test_snapshots_open_a_long_ledger_from_its_end(two, ledger, monkeypatch):
    monkeypatch.setattr(writing, "BETWEEN", 8)
    with hl.open_live(two, ledger, remember=0, recent=0) as live:
        for number in range(30):
            label = ["ham", "spam", "c"][number % 3]
            live.correct(f"{TEXTS[number % 8]} w{number}", label, new_class=True)
        live.add_guard(TEXTS[0])
        # Undoing an entry before the latest snapshot leaves an earlier one.
        monkeypatch.setattr(writing, "BETWEEN", 1000)
        live.undo(20)
        digest = live.digest()
        assert live.ledger.snapshot().id == 16
    read = []
    real = ledgers.SqliteLedger.entries

    def counted(self, first=1, last=None):
        for entry in real(self, first, last):
            read.append(entry.id)
            yield entry

    monkeypatch.setattr(ledgers.SqliteLedger, "entries", counted)
    with hl.open_live(two, ledger, remember=0, recent=0) as live:
        assert len(read) <= 16
        assert live.digest() == digest
        assert live.replay(10).n_entries == 10
        live.verify()
    with sqlite3.connect(ledger) as connection:
        connection.execute("update snapshots set weights = weights || x'00'")
    connection.close()
    with pytest.raises(LedgerError, match="snapshot"):
        hl.open_live(two, ledger)


def test_an_undo_of_the_entry_of_a_snapshot_makes_room_for_the_next(two, ledger, monkeypatch):
    """The next snapshot comes as many entries after the last one that is left."""
    monkeypatch.setattr(writing, "BETWEEN", 4)
    with hl.open_live(two, ledger, remember=0, recent=0) as live:
        for number in range(8):
            live.correct(f"{TEXTS[number]} w{number}", ["ham", "spam"][number % 2])
        assert live.ledger.snapshot().id == 8
        live.undo(8)
        assert live.ledger.snapshot().id == 9
        live.verify()


def test_a_snapshot_from_before_an_undo_is_not_believed(two, ledger):
    """Undoing drops it; if it is there again, the entries count."""
    with hl.open_live(two, ledger, remember=0, recent=0) as live:
        for number in range(3):
            live.correct(f"{TEXTS[number]} w{number}", ["spam", "ham"][number % 2])
        with live.ledger.writing():
            live.ledger.put_snapshot(rebuilding.take_snapshot(live.state, 3, live.fingerprint))
        kept = live.ledger.snapshot()
        live.undo(3)
        digest = live.digest()
        assert live.ledger.snapshot() is None
        with live.ledger.writing():
            live.ledger.put_snapshot(kept)
        assert live.ledger.snapshot() == kept
    with hl.open_live(two, ledger) as live:
        assert live.digest() == digest and live.verify() == 4


def test_an_author_may_reach_the_limit_of_influence(two):
    size = hl.open_live(two, ledger=None).correct(TEXTS[0], "ham", dry_run=True).size
    live = hl.open_live(two, ledger=None, influence=size)
    assert live.correct(TEXTS[0], "ham", by="alice").size == size
    with pytest.raises(CorrectionError) as refused:
        live.correct(TEXTS[0], "spam", by="alice")
    assert refused.value.topic == "influence"


@pytest.mark.slow
def test_thousands_of_authors(two, ledger):
    live = hl.open_live(two, ledger=None, influence=1e9, rate=(5, 60.0), remember=10, recent=0)
    for number in range(10_000):
        # Each moves the weights: who moved nothing has no influence to be kept.
        live.correct(TEXTS[0], ["ham", "spam"][number % 2], by=f"a{number}")
    assert len(live.state.influence) == 10_000
    with pytest.raises(CorrectionError):
        for _ in range(6):
            live.correct(TEXTS[0], "ham", by="a1")
