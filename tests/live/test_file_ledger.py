"""The database and the tail of a ledger: one sync an entry, and nothing lost or doubled."""

import contextlib
import itertools
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError, HardlimitWarning, LedgerError
from hardlimit.live import ledger_tail
from hardlimit.live.file_ledger import SUFFIX

from .killing import change, correct, in_database, kill
from .messages import TEXTS


def test_entries_go_to_the_tail_and_closing_moves_them(two, ledger):
    with hl.open_live(two, ledger) as live:
        digests = correct(live, 5)
        assert os.path.exists(ledger + SUFFIX) and in_database(ledger) == 2
        with hl.open_live(two, ledger, read_only=True) as other:
            assert (other.n_entries, other.digest()) == (5, digests[-1])
            correct(live, 1, 5)
            assert other.refresh() == 6 and other.digest() == live.digest()
        digest = live.digest()
    assert not os.path.exists(ledger + SUFFIX) and in_database(ledger) == 6
    with hl.open_live(two, ledger) as live:
        assert live.digest() == digest and live.verify() == 6
        assert [entry.author for entry in live.log()] == [f"a{n}" for n in range(6)]


def test_one_correction_leaves_one_file(two, ledger, tmp_path):
    with hl.open_live(two, ledger) as live:
        correct(live, 1)
    assert os.listdir(tmp_path) == [os.path.basename(ledger)]


def test_an_entry_costs_one_sync(two, ledger, monkeypatch):
    with hl.open_live(two, ledger) as live:
        correct(live, 3)
        syncs, transactions = [], []
        real = ledger_tail._sync
        monkeypatch.setattr(ledger_tail, "_sync", lambda file: (syncs.append(1), real(file)))
        live.ledger._connection.set_trace_callback(transactions.append)
        correct(live, 20, 3)
        assert len(syncs) == 20
        assert not [one for one in transactions if "commit" in one]


def test_a_full_tail_moves_into_the_database(two, ledger):
    with hl.open_live(two, ledger, remember=5, recent=0) as live:
        correct(live, 3)
        size = os.path.getsize(ledger + SUFFIX)
        for number in range(3, 270):
            correct(live, 1, number)
            # So no record and no mark changes where the file lies on the disk.
            assert os.path.getsize(ledger + SUFFIX) == size == 257 * ledger_tail.BLOCK
        assert in_database(ledger) > 250
        digest = live.digest()
        with hl.open_live(two, ledger, read_only=True) as other:
            assert other.digest() == digest
    with hl.open_live(two, ledger) as live:
        assert live.digest() == digest and live.verify() == 270


def test_an_entry_larger_than_the_tail_is_a_transaction(two, ledger):
    with hl.open_live(two, ledger) as live:
        correct(live, 3)
        live.correct("prize " * 400_000, "ham")
        correct(live, 3, 3)
        assert live.verify() == 7


def test_a_killed_process_loses_nothing(two, killed):
    ledger, digests = killed
    with hl.open_live(two, ledger) as live:
        assert (live.n_entries, live.digest()) == (10, digests[-1])
        correct(live, 3, 10)
        assert live.undo(4).id == 14
        assert live.verify() == 14


def test_a_torn_record_was_never_acknowledged(two, killed):
    ledger, digests = killed
    n_records = 8
    change(ledger + SUFFIX, ledger_tail.BLOCK * n_records + 100, b"\0" * 400)
    change(ledger + SUFFIX, ledger_tail.BLOCK * (n_records + 1), b"\0" * 100)  # nor its mark
    with hl.open_live(two, ledger) as live:
        assert (live.n_entries, live.digest()) == (9, digests[8])
        correct(live, 3, 9)
        digest = live.digest()
        with hl.open_live(two, ledger, read_only=True) as other:
            assert other.digest() == digest
        assert live.verify() == 12


@pytest.mark.parametrize(
    ("at", "to", "topic"),
    [
        (ledger_tail.BLOCK * 3 + 200, b"mallory", "damaged"),
        (ledger_tail.BLOCK * 3, b"none", "damaged"),
        (8, b"\2", "newer"),
        (24, b"\7", "damaged"),
        (0, b"x", "damaged"),
    ],
)
def test_a_tail_that_was_edited_is_refused(two, killed, at, to, topic):
    ledger, _ = killed
    change(ledger + SUFFIX, at, to)
    with pytest.raises(LedgerError) as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == topic and SUFFIX in str(refused.value)


def test_a_tail_that_is_cut_off_is_refused(two, killed):
    ledger, _ = killed
    os.truncate(ledger + SUFFIX, ledger_tail.BLOCK * 5)
    with pytest.raises(LedgerError, match="cut off") as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "damaged"


def test_a_tail_of_another_ledger_is_refused(two, many, killed, tmp_path):
    ledger, _ = killed
    for path, topic in ((many, "another-model"), (two, "edited")):
        own = str(tmp_path / topic)
        with hl.open_live(path, own) as live:
            live.correct("another history", "ham")
            correct(live, 1)
        shutil.copy(ledger + SUFFIX, own + SUFFIX)
        with pytest.raises(LedgerError) as refused:
            hl.open_live(path, own)
        assert refused.value.topic == topic


def test_an_older_database_beside_a_tail_is_refused(two, ledger, tmp_path):
    with hl.open_live(two, ledger) as live:
        correct(live, 3)
    old = shutil.copy(ledger, tmp_path / "old")
    with hl.open_live(two, ledger) as live:
        correct(live, 6, 3)
        shutil.copy(ledger + SUFFIX, str(old) + SUFFIX)
    with pytest.raises(LedgerError, match="does not continue"):
        hl.open_live(two, old)


def test_a_database_that_was_copied_without_its_tail_is_refused(two, killed):
    ledger, digests = killed
    os.unlink(ledger + SUFFIX)
    for read_only in (False, True):
        with pytest.raises(LedgerError, match="is missing") as refused:
            hl.open_live(two, ledger, read_only=read_only)
        assert refused.value.topic == "no-tail"
    Path(ledger + SUFFIX).touch()  # go on without it
    with pytest.warns(HardlimitWarning, match="entries after #2 may be missing"):
        live = hl.open_live(two, ledger)
    with live:
        assert (live.n_entries, live.digest()) == (2, digests[1])
        correct(live, 3, 2)
        assert "may be missing" in live.troubles["empty-tail"]  # until the process ends
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 5


def test_an_older_tail_is_refused_where_entries_would_be_missing(two, ledger, tmp_path):
    with hl.open_live(two, ledger) as live:
        correct(live, 8)
        older = Path(ledger + SUFFIX).read_bytes()
        live.undo(3)  # the tail begins anew
        correct(live, 3, 8)
        killed = kill(ledger, tmp_path / "killed")
    Path(killed + SUFFIX).write_bytes(older)
    for read_only in (False, True):
        with pytest.raises(LedgerError, match="older than this ledger") as refused:
            hl.open_live(two, killed, read_only=read_only)
        assert refused.value.topic == "edited"
    # A ledger that was closed has all entries itself.
    Path(ledger + SUFFIX).write_bytes(older)
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 12


def test_a_ledger_whose_database_names_no_tail_opens(two, killed):
    """As those of version 2."""
    ledger, digests = killed
    with sqlite3.connect(ledger) as connection:
        assert connection.execute("delete from facts where name = 'tail_salt'").rowcount == 1
        connection.execute("pragma user_version = 2")
    connection.close()
    with hl.open_live(two, ledger) as live:
        assert (live.n_entries, live.digest()) == (10, digests[-1])
        correct(live, 2, 10)
        live.undo(2)
        correct(live, 2, 12)
        moved = kill(ledger, ledger + "-again")
        assert live.verify() == 15
    with hl.open_live(two, moved) as live:
        assert live.verify() == 15


@pytest.mark.parametrize("at", [0, 5, 12, 40, 90, 300, 500])
def test_a_bit_of_the_last_record_that_changed_is_no_torn_write(two, killed, at):
    ledger, _ = killed
    place = ledger_tail.BLOCK * 8 + at  # the eighth record
    with open(ledger + SUFFIX, "r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 16]))
    with pytest.raises(LedgerError, match="entry 10 is damaged") as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "damaged"


def test_a_mark_of_before_says_nothing_of_the_next_record(two, killed):
    ledger, digests = killed
    # Of the last record its mark alone is there, as a power cut may leave it with the one before.
    data = Path(ledger + SUFFIX).read_bytes()
    header = ledger_tail.Tail(ledger + SUFFIX, True)
    with header.shared():
        salt = header.header().salt
    header.close()
    assert ledger_tail.marked(data, 9 * ledger_tail.BLOCK, salt) == 10
    change(ledger + SUFFIX, 8 * ledger_tail.BLOCK, ledger_tail.mark_of(9, salt) + bytes(500))
    change(ledger + SUFFIX, 9 * ledger_tail.BLOCK, bytes(100))
    with hl.open_live(two, ledger) as live:
        assert (live.n_entries, live.digest()) == (9, digests[8])


def test_a_kill_between_the_transaction_and_the_new_header_doubles_nothing(
    two, ledger, monkeypatch
):
    real, announced = ledger_tail.Tail.announce, []

    def announce(self, header, salt):
        real(self, header, salt)
        announced.append(Path(self.path).read_bytes())

    monkeypatch.setattr(ledger_tail.Tail, "announce", announce)
    with hl.open_live(two, ledger) as live:
        correct(live, 8)
        live.undo(3)
        Path(ledger + SUFFIX).write_bytes(announced[-1])
        digest = live.digest()
        with hl.open_live(two, ledger) as other:
            assert (other.n_entries, other.digest()) == (9, digest)
            correct(other, 3, 8)
            digest = other.digest()
            with hl.open_live(two, ledger, read_only=True) as third:
                assert third.digest() == digest
        live.refresh()
        assert live.digest() == digest and live.verify() == 12


def test_two_models_take_turns_in_one_tail(two, ledger):
    with hl.open_live(two, ledger) as one, hl.open_live(two, ledger) as other:
        for number in range(12):
            correct((one, other)[number % 2], 1, number)
        other.undo(12)
        correct(one, 2, 13)
        other.close()  # the tail moves
        correct(one, 4, 15)
        with hl.open_live(two, ledger) as third:
            correct(third, 2, 19)
        assert one.refresh() == 21 and one.verify() == 21


def test_others_write_between_any_two_steps(two, ledger, tmp_path, monkeypatch):
    monkeypatch.setattr("hardlimit.live.writing.BETWEEN", 1)  # a snapshot after each entry
    with hl.open_live(two, ledger) as live, hl.open_live(two, ledger) as other:
        monkeypatch.setattr(other, "_take_snapshot", lambda: None)  # it would empty the tail
        inner, numbers = live.ledger.writing, itertools.count(100)

        @contextlib.contextmanager
        def writing():
            correct(other, 1, next(numbers))
            with inner():
                yield

        monkeypatch.setattr(live.ledger, "writing", writing)
        correct(live, 3)
        live.bake(tmp_path / "baked")
        live.undo(1)
        live.close()
        other.refresh()
        assert other.verify() == other.n_entries > 10


def test_two_processes_take_a_snapshot_of_the_same_entry(two, ledger, monkeypatch):
    monkeypatch.setattr("hardlimit.live.writing.BETWEEN", 1)
    with hl.open_live(two, ledger) as live, hl.open_live(two, ledger) as other:
        correct(live, 1)
        assert not other.correct(TEXTS[0], "ham", dry_run=True).id
        assert other.verify() == 1


def test_a_sync_that_fails_leaves_the_model_as_it_was(two, ledger, monkeypatch):
    with hl.open_live(two, ledger) as live:
        correct(live, 4)
        before = live.digest(), live.n_entries

        def fail(file):
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(ledger_tail, "_sync", fail)
        with pytest.raises(FileError, match="Input/output"):
            live.correct("zebra", "news", new_class=True)
        assert (live.digest(), live.n_entries) == before
        monkeypatch.undo()
        correct(live, 3, 4)
        assert live.verify() == 7


def test_an_interruption_leaves_what_is_on_disk(two, ledger, monkeypatch):
    with hl.open_live(two, ledger) as live:
        correct(live, 4)

        def interrupt(file):
            raise KeyboardInterrupt

        monkeypatch.setattr(ledger_tail, "_sync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            live.correct("zebra", "news", new_class=True)
        monkeypatch.undo()
        assert live.n_entries == 5 and live.predict(["zebra"]) == ["news"]
        correct(live, 2, 5)
        assert live.verify() == 7


def test_a_ledger_that_was_replaced_is_noticed(two, ledger, tmp_path):
    with hl.open_live(two, ledger) as live:
        correct(live, 3)
        os.rename(ledger, tmp_path / "moved")
        with pytest.raises(FileError, match="removed or replaced"):
            correct(live, 1, 3)
        assert live.n_entries == 3


def test_one_that_was_moved_away_leaves_the_tail_of_its_successor(two, ledger, tmp_path):
    old = hl.open_live(two, ledger)
    correct(old, 1)
    os.rename(ledger, tmp_path / "moved")
    with hl.open_live(two, ledger) as live:
        correct(live, 4)
        old.close()
        assert os.path.exists(ledger + SUFFIX), "acknowledged entries are in it"
        correct(live, 1, 4)
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 5


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_tail_is_for_those_who_may_read_the_database(two, ledger, mode):
    with hl.open_live(two, ledger) as live:
        correct(live, 1)
        os.chmod(ledger, mode)
        correct(live, 2, 1)
        assert os.stat(ledger + SUFFIX).st_mode & 0o777 == mode


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_a_fork_one_process_alone_writes(two, ledger):
    with hl.open_live(two, ledger) as live:
        correct(live, 3)
        child = os.fork()
        if not child:
            status = 1
            try:
                correct(live, 1, 3)
            except FileError as refused:
                live.close()
                status = 0 if refused.topic == "forked" and live.predict(TEXTS) else 2
            finally:
                os._exit(status)
        correct(live, 3, 3)
        assert os.waitpid(child, 0)[1] == 0
        correct(live, 3, 6)
        assert live.verify() == 9
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 9


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_who_comes_by_a_link_finds_the_same_tail(two, ledger, tmp_path):
    link = str(tmp_path / "link")
    os.symlink(ledger, link)
    with hl.open_live(two, link) as live, hl.open_live(two, ledger) as other:
        for number in range(4):
            correct(live, 1, 2 * number)
            correct(other, 1, 2 * number + 1)
        assert other.verify() == 8 and os.path.exists(ledger + SUFFIX)
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 8


def test_what_is_refused_leaves_no_file(two, ledger, tmp_path):
    with hl.open_live(two, ledger) as live:
        with pytest.raises(hl.exceptions.CorrectionError):
            live.correct("", "ham")
        with pytest.raises(hl.exceptions.CorrectionError):
            live.add_guard(TEXTS[0], "ham")
    assert os.listdir(tmp_path) == []


def test_an_entry_that_comes_while_others_are_read_counts_once(two, tmp_path, monkeypatch):
    """Between the number of the last entry and the entries themselves somebody may write."""
    where = str(tmp_path / "ledger")
    with hl.open_live(two, where) as reader, hl.open_live(two, where) as writer:
        writer.correct(TEXTS[0], "spam", margin=2.0)
        look = reader.ledger.last

        def look_and_wait():
            found = look()
            monkeypatch.undo()
            writer.confirm(TEXTS[1])
            writer.correct(TEXTS[2], "spam", margin=3.0)
            return found

        monkeypatch.setattr(reader.ledger, "last", look_and_wait)
        reader.refresh()
        reader.correct("lunch is cheap", "spam", margin=2.0)
        assert reader.verify() == writer.refresh() == 4
        assert reader.digest() == writer.digest()
        assert reader.progress() == writer.progress()
