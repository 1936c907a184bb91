"""The bytes of a ledger, read as docs/ledger-format.md has them."""

import hashlib
import json
import os
import sqlite3
import struct

import pytest

import hardlimit as hl
from hardlimit.exceptions import LedgerError
from hardlimit.live import ledger_tail as tails
from hardlimit.live.entry import Entry, canonical_of, fingerprint_of, genesis
from hardlimit.live.ledger_tail import BLOCK, Tail, TailHeader, decode, encode, mark_of, marked

from .messages import TEXTS

TEXTS_OF_ALL_KINDS = [None, "", "s", "ü\ud800\U0001f600", b"", b"b\xff\x00", "x" * 5000]


def sha(data):
    return hashlib.sha256(data).hexdigest()


def stored(text):
    if text is None:
        return None
    return b"b" + text if isinstance(text, bytes) else b"s" + text.encode("utf-8", "surrogatepass")


def plain_canonical(entry, label):
    """The JSON of the page, by a plain encoder."""
    text = stored(entry.text)
    return json.dumps(
        {
            "author": entry.author, "details": entry.details, "id": entry.id, "kind": entry.kind,
            "features": sha(entry.features) if entry.features else "", "label": label,
            "margin": float(entry.margin).hex(), "policy": entry.policy, "target": entry.target,
            "text": None if text is None else sha(text), "time": entry.time,
        },
        sort_keys=True, separators=(",", ":"),
    )  # fmt: skip


def make_entries():
    labels = [(None, None), ("ham", "str:ham"), (3, "int:3"), ('"\\\n\u2028', 'str:"\\\n\u2028')]
    before, entries = genesis("ab" * 32), []
    for number, text in enumerate(TEXTS_OF_ALL_KINDS, 1):
        label, told = labels[number % 4]
        entry = Entry(
            number, ("undo", "correct")[number % 2], f"2026-01-0{number}", ("", "é")[number % 2],
            label, number / 3, "solve", number if number % 3 == 0 else None, text,
            b"\1\4row" * (number % 3), {"z": [number, None], "a": "é"},
        )  # fmt: skip
        entry.chain(before)
        before = entry.after
        entries.append((entry, told))
    return entries


def test_fingerprints_are_a_chain_of_canonical_json():
    after = sha(b"hardlimit ledger 1\n" + b"ab" * 32)
    for entry, label in make_entries():
        assert canonical_of(entry) == plain_canonical(entry, label) == entry.sealed
        assert entry.before == after
        after = sha(f"{after}\n{plain_canonical(entry, label)}".encode())
        assert entry.after == after == fingerprint_of(entry)


def test_records_are_the_bytes_of_the_page():
    salt = bytes(range(16))
    for entry, label in make_entries():
        canonical, text = plain_canonical(entry, label).encode(), stored(entry.text)
        sizes = struct.pack("<III", len(canonical), 0xFFFFFFFF if text is None else len(text),
                            len(entry.features))  # fmt: skip
        payload = bytes.fromhex(entry.before) + bytes.fromhex(entry.after) + sizes
        payload += canonical + (text or b"") + entry.features
        data = struct.pack("<4sIQ", b"hlr1", len(payload), entry.id) + payload
        record = data + hashlib.sha256(salt + data).digest()
        assert encode(entry, salt) == record
        entry.sealed = ""
        assert encode(entry, salt) == record
        for at in (0, 3):
            found, blocks = decode(b"?" * at + record + b"more", at, salt)
            assert found == entry and blocks == -(-len(record) // 4096)
        # One byte less, or any byte that is another one, is no record.
        assert decode(record[:-1], 0, salt) is None and decode(record, 1, salt) is None
        assert decode(record, 0, bytes(16)) is None and decode(record[:10], 0, salt) is None
        for place in (0, 5, 9, 40, len(data) - 1, len(record) - 1):
            torn = record[:place] + bytes([record[place] ^ 1]) + record[place + 1 :]
            assert decode(torn, 0, salt) is None


def test_a_mark_is_of_its_entry_and_salt():
    salt = b"s" * 16
    data = struct.pack("<4sIQ", b"hlok", 0, 7)
    mark = data + hashlib.sha256(salt + data).digest()
    assert mark_of(7, salt) == mark
    assert marked(b"??" + mark, 2, salt) == 7
    for wrong in (mark[:-1], b"hlo?" + mark[4:], mark[:8] + b"\x09" + mark[9:], b"", bytes(48)):
        assert marked(wrong, 0, salt) == 0
    assert marked(mark, 0, b"t" * 16) == 0


def test_the_header_is_the_bytes_of_the_page(tmp_path):
    header = TailHeader(3, 9, "ab" * 32, "cd" * 32, b"t" * 16)
    data = b"hltail\r\n" + struct.pack("<IIQQ", 1, 0, 3, 9)
    data += bytes.fromhex("ab" * 32) + bytes.fromhex("cd" * 32) + b"t" * 16
    assert header.to_bytes() == data + hashlib.sha256(data).digest()
    path = tmp_path / "its-tail"

    def read(content):
        path.write_bytes(content)
        tail = Tail(str(path), True)
        with tail.shared():
            try:
                return tail.header()
            finally:
                tail.close()

    assert read(header.to_bytes() + b"rest") == header
    assert read(b"") is None and read(bytes(4096)) is None
    for content, topic in (
        (header.to_bytes()[:-1], "damaged"), (b"x" + header.to_bytes()[1:], "damaged"),
        (header.to_bytes()[:-1] + b"?", "damaged"),
        (header.to_bytes()[:8] + b"\2" + header.to_bytes()[9:], "newer"),
        (header.to_bytes()[:24] + b"\7" + header.to_bytes()[25:], "damaged"),
    ):  # fmt: skip
        with pytest.raises(LedgerError) as refused:
            read(content)
        assert refused.value.topic == topic and refused.value.where == str(path)


def corrected(path, ledger, n=6):
    live = hl.open_live(path, ledger)
    for number in range(n):
        live.correct(
            TEXTS[number % 8], ("ham", "spam", "new")[number % 3], by="alice", new_class=True
        )
    return live


def test_the_tail_of_a_ledger_is_read_as_the_page_says(two, ledger):
    live = corrected(two, ledger)
    entries = [*live.log()]
    with open(ledger + "-tail", "rb") as file:
        data = file.read()
    assert len(data) == 257 * 4096
    magic, version, zero, changes, last = struct.unpack_from("<8sIIQQ", data)
    assert (magic, version, zero, changes) == (b"hltail\r\n", 1, 0, 0)
    assert data[32:64].hex() == entries[last - 1].after and data[128 - 32 : 128] != bytes(32)
    assert data[64:96].hex() == genesis(live.base.digest)
    salt = data[96:112]
    assert data[112:144] == hashlib.sha256(data[:112]).digest()
    at = 1
    for entry in entries[last:]:
        found, blocks = decode(data, at * 4096, salt)
        assert found == entry
        at += blocks
    assert at > 1 and marked(data, at * 4096, salt) == 6
    with sqlite3.connect(ledger) as base:
        facts = dict(base.execute("select name, value from facts"))
        assert facts["tail"] == "used" and facts["tail_salt"] == salt.hex()
        assert base.execute("select max(id) from entries").fetchone() == (last,)
    # Once more full: the next salt was announced, and the changes are counted.
    live.undo(1)
    live.close()
    assert os.listdir(os.path.dirname(ledger)).count("its.ledger-tail") == 0


def test_the_database_is_read_as_the_page_says(two, ledger):
    live = corrected(two, ledger)
    live.undo(2, by="bob")
    entries, fingerprint = [*live.log()], live.base.digest
    remembered = {one.number: one for one in live.ledger.remembered()}
    live.close()
    with sqlite3.connect(ledger) as base:
        assert base.execute("pragma application_id").fetchone() == (0x686C6E67,)
        assert base.execute("pragma user_version").fetchone() == (3,)
        facts = dict(base.execute("select name, value from facts"))
        assert facts == {"base": fingerprint, "genesis": genesis(fingerprint)}
        rows = base.execute("select * from entries order by id").fetchall()
        effects = dict(base.execute("select id, effect from effects"))
        kept = base.execute("select number, text from remembered").fetchall()
    for row, one in zip(rows, entries, strict=True):
        label = None if one.label is None else f"str:{one.label}"
        assert row == (
            one.id, one.kind, one.time, one.author, label, one.margin, one.policy, one.target,
            stored(one.text), one.features,
            json.dumps(one.details, sort_keys=True, separators=(",", ":")), one.before, one.after,
        )  # fmt: skip
    heads = {}
    for number, effect in effects.items():
        (size,) = struct.unpack_from("<I", effect)
        head = heads[number] = json.loads(effect[4 : 4 + size])
        assert effect[4 : 4 + size] == json.dumps(head, separators=(",", ":")).encode()
        assert {"status", "new_class", "in_the_way", "influence", "size", "parts"} <= {*head}
        steps = sum(len(steps) for _, steps in head["parts"])
        assert (len(effect) - 4 - size) % 8 == 0 and bool(steps) == bool(head["size"])
    assert [heads[n]["status"] for n in range(1, 8)] == ["", "undone", "", "", "", "", ""]
    assert heads[3]["new_class"] and not heads[6]["new_class"]
    # What the author had moved before: of what holds, one correction after the other.
    sums = [0.0]
    for number in (1, 3, 4, 5, 6):
        assert heads[number]["influence"] == sums[-1]
        sums.append(sums[-1] + heads[number]["size"])
    assert kept == [(n, stored(one.text)) for n, one in remembered.items()] and kept


@pytest.mark.parametrize("number", [1, 255, 256, 257])
def test_a_record_takes_whole_blocks(number):
    assert tails.blocks_of(number * BLOCK) == number
    assert tails.blocks_of(number * BLOCK + 1) == number + 1
    assert tails.blocks_of(number * BLOCK - 1) == number
