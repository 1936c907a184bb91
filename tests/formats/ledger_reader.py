"""A ledger of corrections, read by docs/ledger-format.md alone: SQLite files and their tails.

::

    ledger = open_ledger("spam.hardlimit.ledger")
    ledger.entries, ledger.fingerprint, ledger.weights(), ledger.scores(row, threshold)
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import sqlite3
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .container import RefusedError, want

APPLICATION, VERSIONS = 0x686C6E67, (1, 2, 3)
KINDS = {"correct", "confirm", "undo", "guard", "unguard", "bake"}
BLOCK, BLOCKS, DIGEST = 4096, 257, 32
BIAS = "bias"
Key = int | str  # a column of the base, a new term, or the bias
Cells = dict[tuple[Key, int], float]


def sha256(data: bytes) -> str:
    """In hexadecimal."""
    return hashlib.sha256(data).hexdigest()


@dataclass
class Row:
    """What an entry has of its text."""

    base: list[float]
    keys: list[Key]
    values: list[float]


def parse_row(data: bytes, bias: float) -> Row:
    """Section "Features"."""
    try:
        form, width, zero, n_base, n, n_new = struct.unpack_from("<BBHIII", data)
        want(form == 1 and width in (4, 8) and zero == 0, "features of another form")
        at = 16
        base = struct.unpack_from(f"<{n_base}d", data, at)
        at += 8 * n_base
        columns = struct.unpack_from(f"<{n}I", data, at)
        at += 4 * n
        values = struct.unpack_from(f"<{n + n_new}{'f' if width == 4 else 'd'}", data, at)
        at += width * (n + n_new)
        terms = []
        for _ in range(n_new):
            (size,) = struct.unpack_from("<H", data, at)
            terms.append(data[at + 2 : at + 2 + size].decode())
            at += 2 + size
    except (struct.error, ValueError) as error:
        raise RefusedError(f"features: {error}") from None
    want(at == len(data) and list(columns) == sorted(set(columns)), "features with a rest")
    want(all(term[0] in "wr" for term in terms), "a term of another kind")
    last = [BIAS] if bias else []
    return Row(list(base), [*columns, *terms, *last], [*values, *([bias] if bias else [])])


@dataclass
class Entry:
    """One row of the table, or one record of the tail."""

    id: int
    kind: str
    time: str
    author: str
    label: str | None
    margin: float
    policy: str
    target: int | None
    text: bytes | None
    features: bytes
    details: dict[str, Any]
    before: str
    after: str

    def canonical(self) -> str:
        """Section "Entries"."""
        return json.dumps(
            {
                "author": self.author,
                "details": self.details,
                "features": sha256(self.features) if self.features else "",
                "id": self.id,
                "kind": self.kind,
                "label": self.label,
                "margin": float(self.margin).hex(),
                "policy": self.policy,
                "target": self.target,
                "text": None if self.text is None else sha256(self.text),
                "time": self.time,
            },
            sort_keys=True,
            separators=(",", ":"),
        )

    def check(self, number: int, before: str) -> None:
        """Refuse an entry that does not continue the chain."""
        want(self.id == number and self.kind in KINDS, f"entry {number} is missing")
        want(self.before == before, f"entry {number} does not continue the chain")
        found = sha256(f"{before}\n{self.canonical()}".encode())
        want(found == self.after, f"entry {number} is not the one that was written")


@dataclass
class Effect:
    """What an entry does to the weights now."""

    status: str
    new_class: bool
    parts: list[tuple[int, list[tuple[int, float]]]]
    before: list[float]


@dataclass
class Ledger:
    """All entries, checked; those of the tail have no effect yet."""

    base: str
    entries: list[Entry]
    effects: dict[int, Effect]
    snapshots: list[dict[str, Any]]
    remembered: list[tuple[int, bytes | None, bytes]]
    n_stored: int
    bias: float

    @property
    def fingerprint(self) -> str:
        """The latest."""
        return self.entries[-1].after if self.entries else first_fingerprint(self.base)

    def row(self, number: int) -> Row:
        """The row of an entry."""
        return parse_row(self.entries[number - 1].features, self.bias)

    def undone(self) -> set[int]:
        """The entries that an undo that holds takes back."""
        gone: set[int] = set()
        for entry in reversed(self.entries):
            if entry.kind == "undo" and entry.id not in gone and entry.target is not None:
                gone.add(entry.target)
        return gone

    def weights(self, until: int | None = None) -> Cells:
        """What the effects add up to, each compared with the weights that it found."""
        cells: Cells = {}
        for number, effect in sorted(self.effects.items()):
            if until is not None and number > until:
                break
            if effect.status:
                continue
            before = iter(effect.before)
            for source, steps in effect.parts:
                row = self.row(source)
                for output, step in steps:
                    for key, value in zip(row.keys, row.values, strict=True):
                        found = cells.get((key, output), 0.0)
                        want(found == next(before), f"the weights before entry {number}")
                        cells[key, output] = found + step * value
        return {cell: weight for cell, weight in cells.items() if weight != 0}

    def new_classes(self) -> list[str]:
        """The labels that corrections brought."""
        holding = ((self.entries[n - 1], one) for n, one in sorted(self.effects.items()))
        return [e.label or "" for e, one in holding if one.new_class and not one.status]

    def scores(self, row: Row, threshold: float) -> list[float]:
        """The scores of a row by the weights as they are now."""
        cells, new = self.weights(), len(self.new_classes())
        two = len(row.base) == 1 and not new
        base = row.base if two or len(row.base) > 1 else [threshold, row.base[0]]
        mean = min(sum(base) / len(base), max(base))
        wide = base + [mean] * new
        outputs = [1] if two else range(len(wide))
        sums = [0.0 for _ in wide]
        for key, value in zip(row.keys, row.values, strict=True):
            for k, output in enumerate(outputs):
                sums[k] += cells.get((key, output), 0.0) * value
        return [a + b for a, b in zip(wide, sums, strict=True)]


def first_fingerprint(base: str) -> str:
    """The beginning of the chain."""
    return sha256(f"hardlimit ledger 1\n{base}".encode())


def open_ledger(path: str | os.PathLike[str], base: str, bias: float) -> Ledger:
    """Read and check a ledger; ``base`` and ``bias`` are of the model file."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return _read(database, Path(path), base, bias)
    except (sqlite3.Error, ValueError, KeyError, TypeError, IndexError, struct.error) as error:
        raise RefusedError(f"the ledger cannot be read: {error!r}") from None


def _read(database: sqlite3.Connection, path: Path, base: str, bias: float) -> Ledger:
    # A label of an earlier release may be no text of UTF-8.
    database.text_factory = lambda data: data.decode("utf-8", "surrogatepass")
    ask = database.execute
    want(ask("pragma application_id").fetchone()[0] == APPLICATION, "no ledger")
    want(ask("pragma user_version").fetchone()[0] in VERSIONS, "another version")
    facts = dict(ask("select name, value from facts"))
    want(facts["base"] == base, "the ledger of another model")
    want(facts["genesis"] == first_fingerprint(base), "another first fingerprint")
    rows = ask(
        "select id, kind, time, author, label, margin, policy, target, text, features, details, "
        "before, after from entries order by id"
    )
    entries = [_entry_of(row) for row in rows]
    n_stored = len(entries)
    entries += read_tail(path, facts, entries, first_fingerprint(base))
    before = first_fingerprint(base)
    for number, entry in enumerate(entries, 1):
        entry.check(number, before)
        before = entry.after
    effects = {n: parse_effect(n, data) for n, data in ask("select id, effect from effects")}
    want(set(effects) == set(range(1, n_stored + 1)), "an entry without an effect")
    snapshots = [
        parse_snapshot(*row, entries=entries)
        for row in ask("select id, fingerprint, plain, weights, digest from snapshots order by id")
    ]
    remembered = ask("select number, text, features from remembered").fetchall()
    ledger = Ledger(base, entries, effects, snapshots, remembered, n_stored, bias)
    for entry in entries:
        if entry.features:
            ledger.row(entry.id)
    for _, _, features in remembered:
        parse_row(features, bias)
    for one in snapshots:
        want(one["weights"] == ledger.weights(one["id"]), "a snapshot of other weights")
    return ledger


def _entry_of(row: tuple[Any, ...]) -> Entry:
    values = list(row)
    for place in (3, 4):  # author and label; bytes if they have halves of surrogate pairs
        if isinstance(values[place], bytes):
            values[place] = values[place].decode("utf-8", "surrogatepass")
    details = json.loads(values[10])
    written = json.dumps(details, sort_keys=True, separators=(",", ":"))
    want(written == values[10], f"the details of entry {row[0]}")
    values[10] = details
    return Entry(*values)


def parse_effect(number: int, data: bytes) -> Effect:
    """Section "What an entry does"."""
    (size,) = struct.unpack_from("<I", data)
    head, rest = json.loads(data[4 : 4 + size]), data[4 + size :]
    if head.get("sealed"):
        body, seal = data[:-DIGEST], data[-DIGEST:]
        digest = hashlib.sha256(b"effect %d\n" % number + body).digest()
        want(digest == seal, f"the effect of entry {number} is not what was written")
        rest = rest[:-DIGEST]
    before = [value for (value,) in struct.iter_unpack("<d", rest)]
    return Effect(head["status"], head["new_class"], head["parts"], before)


def parse_snapshot(
    number: int, fingerprint: str, plain: str, weights: bytes, digest: str, entries: list[Entry]
) -> dict[str, Any]:
    """Section "Snapshots"."""
    head = f"{number}\n{fingerprint}\n{plain}\n".encode()
    want(sha256(head + weights) == digest, "a snapshot that is not what was written")
    want(entries[number - 1].after == fingerprint, "a snapshot of another moment")
    n_cells, n_terms = struct.unpack_from("<QQ", weights)
    at = 16 + 24 * n_cells
    cells = list(struct.iter_unpack("<QQd", weights[16:at]))
    want([cell[:2] for cell in cells] == sorted({cell[:2] for cell in cells}), "their order")
    terms = []
    for _ in range(n_terms):
        (size,) = struct.unpack_from("<H", weights, at)
        terms.append(weights[at + 2 : at + 2 + size].decode())
        at += 2 + size
    want(at == len(weights), "a snapshot with a rest")

    def name(key: int) -> Key:
        return BIAS if key == 1 << 33 else terms[key - (1 << 32)] if key >> 32 else key

    named = {(name(key), output): weight for key, output, weight in cells}
    return {"id": number, "weights": named, **json.loads(plain)}


def read_tail(path: Path, facts: dict[str, str], stored: list[Entry], first: str) -> list[Entry]:
    """The entries that only the tail has; section "The tail"."""
    tail = path.with_name(path.name + "-tail")
    data = tail.read_bytes() if tail.exists() else None
    if data is None:
        want("tail" not in facts, "the tail is missing")
        return []
    if not data.strip(b"\0"):
        want(not data or len(data) >= BLOCK * BLOCKS, "the tail is cut off")
        return []
    want(len(data) >= BLOCK * BLOCKS, "the tail is cut off")
    magic, version, zero, _, last, fingerprint, genesis, salt = struct.unpack_from(
        "<8sIIQQ32s32s16s", data
    )
    want(magic == b"hltail\r\n" and version == 1 and zero == 0, "no tail")
    want(hashlib.sha256(data[:112]).digest() == data[112:144], "the header of the tail")
    want(genesis.hex() == first, "the tail of another ledger")
    wanted = facts.get("tail_salt")
    if wanted not in (None, salt.hex()):
        new = bytes.fromhex(wanted or "")
        want(data[512:560] == new + hashlib.sha256(salt + new).digest(), "an older tail")
    found, at = _records(data, salt, last)
    after = {e.id: e.after for e in found} | {last: fingerprint.hex()}
    before = {e.id: e.after for e in stored} | {0: first}
    common = min(len(stored), max(after))
    want(last <= len(stored) and before[common] == after[common], "it does not continue")
    _check_end(data, at, salt, last + len(found) + 1)
    return [entry for entry in found if entry.id > len(stored)]


def _records(data: bytes, salt: bytes, last: int) -> tuple[list[Entry], int]:
    found: list[Entry] = []
    at = BLOCK
    while (one := _record(data, at, salt)) and one[0].id == last + len(found) + 1:
        found.append(one[0])
        at += one[1]
    return found, at


def _check_end(data: bytes, at: int, salt: bytes, number: int) -> None:
    """Refuse a whole record behind the end, and a mark of an entry that is not there."""
    for later in range(at, BLOCK * BLOCKS, BLOCK):
        want(_record(data, later, salt) is None, "a record that was on disk is damaged")
        mark = data[later : later + 16]
        seal = hashlib.sha256(salt + mark).digest()
        if mark[:8] == b"hlok\0\0\0\0" and data[later + 16 : later + 48] == seal:
            named = int.from_bytes(mark[8:], "little")
            want(named < number, "a record that was on disk is damaged")


def _record(data: bytes, at: int, salt: bytes) -> tuple[Entry, int] | None:
    """The record at a block and the bytes of its blocks; None if there is none."""
    if at + 16 > len(data):
        return None
    magic, size, number = struct.unpack_from("<4sIQ", data, at)
    end = at + 16 + size
    if magic != b"hlr1" or end + DIGEST > len(data):
        return None
    if hashlib.sha256(salt + data[at:end]).digest() != data[end : end + DIGEST]:
        return None
    before, after, n, n_text, n_features = struct.unpack_from("<32s32sIII", data, at + 16)
    first = at + 16 + 76
    has_text = n_text != 0xFFFFFFFF
    middle = first + n + (n_text if has_text else 0)
    told = json.loads(data[first : first + n])
    want(told["id"] == number, "a record of two numbers")
    entry = Entry(
        number, told["kind"], told["time"], told["author"], told["label"],
        float.fromhex(told["margin"]), told["policy"], told["target"],
        data[first + n : middle] if has_text else None, data[middle : middle + n_features],
        told["details"], before.hex(), after.hex(),
    )  # fmt: skip
    want(middle + n_features == end, "a record with a rest")
    return entry, math.ceil((end + DIGEST - at) / BLOCK) * BLOCK
