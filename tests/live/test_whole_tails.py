"""Tails up to their last block, ledgers that are only read, and what a baked file keeps."""

import contextlib
import math
import os
import shutil
import sqlite3

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import HardlimitError, LedgerError
from hardlimit.live import ledger_tail
from hardlimit.live.effect import Effect
from hardlimit.live.entry import Entry
from hardlimit.live.file_ledger import FileLedger
from hardlimit.live.ledger import Remembered
from hardlimit.live.ledger_tail import decode, marked

from ..rounding import SINGLE, near
from .messages import LABELS, TEXTS

BASE = "ab" * 32


def append(ledger, text):
    number, before = ledger.last()
    entry = Entry(number + 1, "correct", "2026-01-01", "alice", "ham", 1.0, text=text)
    entry.chain(before)
    with ledger.writing():
        ledger.append(entry, Effect())
    return entry


def read_tail(where):
    """The ids of the records of a tail, and the block and id of the mark behind them."""
    with open(where + "-tail", "rb") as file:
        data = file.read()
    assert len(data) == 257 * 4096
    ids, at, salt = [], 1, data[96:112]
    while found := decode(data, at * 4096, salt):
        ids.append(found[0].id)
        at += found[1]
    return ids, at, marked(data, at * 4096, salt)


def test_an_entry_goes_to_the_disk_before_it_is_acknowledged(tmp_path, monkeypatch):
    where, synced = str(tmp_path / "its.ledger"), []
    ledger = FileLedger(where, BASE)
    for _ in range(2):
        append(ledger, "first")  # the second entry begins a tail
    monkeypatch.setattr(ledger_tail, "_sync", lambda file: synced.append(read_tail(where)))
    for _ in range(4):
        synced.clear()
        entry = append(ledger, "more")
        ids, _, mark = synced[-1]
        assert ids[-1] == entry.id != mark  # the mark says so, and comes behind it
    ledger.close()


@pytest.mark.parametrize("blocks", [31, 32, 51, 64, 85, 127, 128, 254, 255])
def test_a_tail_is_filled_up_to_the_block_of_its_last_mark(tmp_path, blocks):
    where = str(tmp_path / "its.ledger")
    ledger = FileLedger(where, BASE)
    for _ in range(2):
        append(ledger, "first")  # the second entry begins a tail
    # Of one record: head, sizes, canonical JSON and digest take some hundred bytes.
    text, held = "x" * (blocks * 4096 - 1000), []
    for _ in range(3 + 256 // blocks):
        entry = append(ledger, text)
        ids, end, mark = read_tail(where)
        assert end <= 256 and (not ids or mark == ids[-1])
        held.append(len(ids))
        if ids:
            assert ids == [*range(ids[0], entry.id + 1)] and end == 1 + blocks * len(ids)
    # As many as have room, then the database takes all of them and the tail begins anew.
    assert max(held) == 255 // blocks and 0 in held
    again = FileLedger(where, BASE, read_only=True)
    assert [one.id for one in again.entries()] == [*range(1, entry.id + 1)]
    again.close()
    ledger.close()


def test_what_is_remembered_counts_before_it_is_in_the_database(tmp_path):
    ledger = FileLedger(str(tmp_path / "its.ledger"), BASE)
    told = [Remembered(n, f"text {n}", b"row") for n in range(1, 5)]
    with ledger.writing():
        ledger.remember(told[:3], [])
        ledger.drop_snapshots(1)  # a transaction
    ledger.remember(told[3:], [2])
    assert ledger.remembered() == [told[0], told[2], told[3]]
    ledger.remember([told[1]._replace(text="anew")], [4])
    assert ledger.remembered() == [told[0], told[1]._replace(text="anew"), told[2]]
    with ledger.writing():
        ledger.drop_snapshots(1)
    assert ledger.remembered() == [told[0], told[1]._replace(text="anew"), told[2]]
    ledger.close()


def test_a_mark_that_cannot_be_written_is_no_error(two, ledger, monkeypatch):
    write, refused = os.pwrite, []

    def pwrite(file, data, at):
        if bytes(data[:4]) == b"hlok":
            refused.append(at)
            raise OSError("no space")
        return write(file, data, at)

    monkeypatch.setattr(os, "pwrite", pwrite)
    with hl.open_live(two, ledger) as live:
        for number in range(1, 5):
            assert live.correct("win a prize", ("ham", "spam")[number % 2]).id == number
    assert len(refused) >= 2
    with hl.open_live(two, ledger) as live:
        assert live.verify() == 4


def test_a_whole_record_behind_a_damaged_one_tells_that_it_was_on_disk(two, ledger):
    live = hl.open_live(two, ledger)
    for number in range(5):
        live.correct("win a prize", ("ham", "spam")[number % 2])
    with open(ledger + "-tail", "rb") as file:
        data = bytearray(file.read())
    ids, end, mark = read_tail(ledger)
    assert len(ids) >= 2 and mark == 5
    # The mark was not on disk yet, and a bit of the record before the last one has changed.
    data[end * 4096 : (end + 1) * 4096] = bytes(4096)
    for block, refused in ((end - 1, False), (end - 2, True)):
        torn = bytearray(data)
        torn[block * 4096 + 300] ^= 1
        other = f"{ledger}-{block}"
        shutil.copy(ledger, other)
        with open(other + "-tail", "wb") as file:
            file.write(torn)
        if not refused:
            with hl.open_live(two, other) as again:
                assert again.n_entries == 4
            continue
        with pytest.raises(LedgerError) as error:
            hl.open_live(two, other)
        assert error.value.topic == "damaged"
    live.close()


def test_a_ledger_that_is_only_read_is_not_written(two, ledger):
    with hl.open_live(two, ledger) as live:
        for label in ("ham", "spam"):
            live.correct("win a prize", label, new_class=True)
    before = {name: os.stat(os.path.join(os.path.dirname(ledger), name)).st_mtime_ns
              for name in os.listdir(os.path.dirname(ledger))}  # fmt: skip
    with hl.open_live(two, ledger, read_only=True) as live:
        assert live.n_entries == 2 and live.verify() == 2
        with pytest.raises(HardlimitError), live.ledger.writing():
            live.ledger.drop_snapshots(1)
    after = {name: os.stat(os.path.join(os.path.dirname(ledger), name)).st_mtime_ns
             for name in os.listdir(os.path.dirname(ledger))}  # fmt: skip
    assert after == before
    missing = ledger + "-none"
    assert hl.open_live(two, missing, read_only=True).n_entries == 0
    assert not os.path.exists(missing)


def test_a_baked_model_of_a_threshold_and_a_new_class_answers_alike(tmp_path):
    made = hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, LABELS)
    made.fitted.threshold = 0.375
    made.save(tmp_path / "model")
    live = hl.open_live(tmp_path / "model", None)
    live.correct("win a prize now", "new", new_class=True)
    told = live.bake(tmp_path / "baked")
    assert (told.corrections, told.guards, told.changed) == (1, 0, ())
    texts = [*TEXTS, "win", "a noon"]
    loaded = hl.load(tmp_path / "baked")
    assert loaded.predict(texts).tolist() == live.predict(texts)
    # A weight is rounded to single precision. Up to five words of unit length, and the intercept:
    size = (1 + math.sqrt(5)) * max(np.abs(loaded.coef_).max(), np.abs(loaded.intercept_).max())
    for ours, theirs in zip(live.scores(texts), loaded.decision_function(texts), strict=True):
        assert theirs.tolist() == near(ours, 2, size=size, unit=SINGLE)


def test_the_pieces_of_a_probability_that_is_not_there(two):
    live = hl.open_live(two, ledger=None)
    assert live.correct("win a prize", "ham").probability is not None
    assert live.undo(1).probability is None and live.undo(1 + 1).probability is None


def test_a_file_that_is_no_database_or_lacks_a_table_is_damaged(two, ledger):
    with open(ledger, "wb") as file:
        file.write(b"no database at all " * 999)
    with pytest.raises(LedgerError) as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "damaged" and refused.value.where == ledger
    os.unlink(ledger)
    with hl.open_live(two, ledger) as live:
        live.correct("win a prize", "ham")
    with contextlib.closing(sqlite3.connect(ledger)) as base:
        base.execute("drop table remembered")
    with pytest.raises(LedgerError) as refused:
        hl.open_live(two, ledger)
    assert refused.value.topic == "damaged" and refused.value.where == ledger
