"""What becomes of a ledger whose tail a disk lost, or could not write."""

import os

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError, HardlimitWarning, LedgerError
from hardlimit.live import ledger_tail
from hardlimit.live.file_ledger import SUFFIX, FileLedger

from .killing import change, correct, in_database, kill


def test_a_tail_whose_header_alone_is_lost_is_refused(two, killed):
    ledger, _ = killed
    change(ledger + SUFFIX, 0, bytes(ledger_tail.BLOCK))
    with pytest.raises(LedgerError, match="header of the tail is lost") as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "damaged"
    os.truncate(ledger + SUFFIX, 512)
    with pytest.raises(LedgerError, match="cut off"):
        hl.open_live(two, ledger)


def test_a_tail_that_is_gone_while_it_is_open_is_noted(two, ledger):
    with hl.open_live(two, ledger) as live, hl.open_live(two, ledger) as other:
        correct(live, 5)
        os.truncate(ledger + SUFFIX, 0)
        with pytest.warns(HardlimitWarning, match="entries after #2 may be missing"):
            other.refresh()
        assert "may be missing" in other.troubles["empty-tail"]
        live.ledger.troubles["empty-tail"] = ""  # told once


def test_a_place_that_could_not_be_synced_is_not_trusted_again(two, ledger, monkeypatch):
    """The disk may have lost the page: what is written over it would be on no disk either."""
    with hl.open_live(two, ledger) as live:
        correct(live, 4)
        before = live.n_entries, live.digest()

        def fail(file):
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patched:
            patched.setattr(ledger_tail, "_sync", fail)
            with pytest.raises(FileError):
                correct(live, 1, 4)
        assert (live.n_entries, live.digest()) == before
        correct(live, 1, 4)
        assert in_database(ledger) == 5  # and not in that place of the tail
        correct(live, 1, 5)
        assert in_database(ledger) == 5 and live.verify() == 6


@pytest.mark.parametrize("n", [0, 1, 6], ids=["first", "second", "later"])
@pytest.mark.parametrize("written", [0, 60], ids=["none of it", "half of it"])
def test_a_header_that_cannot_be_written_is_no_error_of_an_entry(
    two, ledger, tmp_path, monkeypatch, n, written
):
    """Entries are in the database before the tail begins anew."""
    with hl.open_live(two, ledger) as live:
        correct(live, n)
        real, begin = ledger_tail._write_at, FileLedger._begin_tail

        def write(file, at, data):
            real(file, at, data[:written])
            raise OSError(5, "Input/output error")

        def begin_tail(self, salt):
            with monkeypatch.context() as patched:
                patched.setattr(ledger_tail, "_write_at", write)
                return begin(self, salt)

        with monkeypatch.context() as patched:
            patched.setattr(FileLedger, "_begin_tail", begin_tail)
            if n > 2:
                live.undo(2)
            correct(live, 2, n)
            last, digest = live.n_entries, live.digest()
            assert last == (9 if n > 2 else n + 2) == in_database(ledger)
            assert "Input/output error" in live.troubles["unwritable-tail"]
            for path in (kill(ledger, tmp_path / "killed"), ledger):
                with hl.open_live(two, path, read_only=True) as other:
                    assert (other.verify(), other.digest()) == (last, digest)
        correct(live, 3, n + 2)
        assert not live.troubles and in_database(ledger) < live.n_entries
        assert live.verify() == last + 3
