"""What every ledger promises, against a list: in memory, in a database, with a tail."""

import json
import struct

import pytest

from hardlimit.exceptions import LedgerError
from hardlimit.live import sql
from hardlimit.live.effect import Effect
from hardlimit.live.entry import Entry
from hardlimit.live.file_ledger import FileLedger
from hardlimit.live.ledger import MemoryLedger, Remembered, Snapshot
from hardlimit.live.sqlite import SqliteLedger

BASE = "ab" * 32


@pytest.fixture(params=["memory", "database", "tail"])
def ledger(request, tmp_path, monkeypatch):
    monkeypatch.setattr(sql, "_AT_ONCE", 3)
    if request.param == "memory":
        made = MemoryLedger(BASE)
    else:
        kind = SqliteLedger if request.param == "database" else FileLedger
        made = kind(str(tmp_path / "its.ledger"), BASE)
    yield made
    made.close()


def fill(ledger, n=10):
    entries = []
    for number in range(1, n + 1):
        entry = Entry(number, "correct", "2026-01-01", "alice", "ham", 1.0, text=f"text {number}")
        with ledger.writing():
            entry.chain(ledger.last()[1])
            ledger.append(entry, Effect(size=float(number), influence=0.5))
        entries.append(entry)
    return entries


def head_of(effect):
    """The JSON at the beginning of an effect."""
    (size,) = struct.unpack_from("<I", effect)
    return json.loads(effect[4 : 4 + size])


def size_of(effect):
    return head_of(effect)["size"]


def test_entries_come_in_order_from_any_to_any(ledger):
    assert ledger.last()[0] == 0 and [*ledger.entries()] == []
    genesis = ledger.last()[1]
    entries = fill(ledger)
    assert entries[0].before == genesis
    assert ledger.last() == (10, entries[-1].after)
    assert [*ledger.entries()] == entries
    for first in (1, 3, 4, 10, 11):
        for last in (None, 1, 3, 9, 10, 99):
            wanted = [one for one in entries if first <= one.id <= (last or 99)]
            assert [*ledger.entries(first, last)] == wanted
            if last is None or first - 1 <= last <= 10:
                back = [*ledger.entries_back(first, last)]
                assert [one for one, _ in back] == wanted[::-1]
                assert [size_of(effect) for _, effect in back] == [one.id for one in wanted[::-1]]
    assert ledger.pick([7, 1, 10]) == [entries[6], entries[0], entries[9]]


def test_what_entries_do_is_replaced(ledger):
    fill(ledger)
    with ledger.writing():
        ledger.change_effects({3: Effect(status="undone"), 10: Effect(size=77.0)})
    found = {entry.id: head_of(one) for entry, one in ledger.entries_back(3)}
    assert found[3]["status"] == "undone" and found[10]["size"] == 77.0
    assert found[4]["size"] == 4.0 and found[4]["influence"] == 0.5


def test_the_latest_snapshots_are_kept_and_later_ones_dropped(ledger):
    entries = fill(ledger)
    assert ledger.snapshot() is None and ledger.snapshot_before(99) == 0
    for number in (2, 4, 6, 8):
        with ledger.writing():
            ledger.put_snapshot(Snapshot(number, entries[number - 1].after, "{}", b"w" * number))
    found = ledger.snapshot()
    assert (found.id, found.weights, found.plain) == (8, b"wwwwwwww", "{}")
    assert ledger.snapshot(8).id == 8 and ledger.snapshot(7).id == 6
    assert ledger.snapshot(1) is None
    assert [ledger.snapshot_before(n) for n in (9, 8, 7)] == [8, 6, 6]
    with ledger.writing():
        ledger.drop_snapshots(7)
    assert ledger.snapshot().id == 6 and ledger.snapshot_before(9) == 6
    with ledger.writing():
        ledger.drop_snapshots(6)
    assert ledger.snapshot_before(9) < 6
    with ledger.writing():
        ledger.drop_snapshots(1)
    assert ledger.snapshot() is None


def test_remembered_texts_are_replaced_and_forgotten(ledger):
    fill(ledger, 2)
    told = [Remembered(n, text, bytes([n])) for n, text in ((1, "a"), (2, None), (5, b"\xff"))]
    for added, removed in ((told, []), ([Remembered(6, "b", b"6")], [1, 99])):
        with ledger.writing():
            ledger.remember(added, removed)
            ledger.drop_snapshots(99)  # any change that is a transaction
    assert ledger.remembered() == [*told[1:], Remembered(6, "b", b"6")]


def test_what_failed_was_never_written(ledger):
    entries = fill(ledger, 3)
    entry = Entry(4, "correct", "2026", label="ham")
    entry.chain(entries[-1].after)
    with pytest.raises(ZeroDivisionError), ledger.writing():
        ledger.append(entry, Effect())
        raise ZeroDivisionError
    assert ledger.last() == (3, entries[-1].after) and len([*ledger.entries()]) == 3
    with ledger.writing():
        ledger.append(entry, Effect())
    assert ledger.last()[0] == 4


def test_a_database_has_what_was_written_when_it_is_opened_again(tmp_path):
    where = str(tmp_path / "its.ledger")
    first = FileLedger(where, BASE)
    entries = fill(first)
    with first.writing():
        first.remember([Remembered(1, "a", b"1")], [])
        first.put_snapshot(Snapshot(5, entries[4].after, "{}", b"w"))
    again = FileLedger(where, BASE, read_only=True)
    assert [*again.entries()] == entries and again.snapshot().id == 5
    assert again.remembered() == [Remembered(1, "a", b"1")]
    again.close()
    first.close()
    with pytest.raises(LedgerError) as refused:
        FileLedger(where, "cd" * 32)
    assert refused.value.topic == "another-model"
    with pytest.raises(LedgerError) as refused:
        again = FileLedger(where, BASE)
        again.pick([11])
    assert refused.value.topic == "edited"
    again.close()
