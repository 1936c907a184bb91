"""Ledgers that a disk damaged, and labels that somebody sends: the right state, or a refusal.

The first byte chooses the ledger: one whose process was killed, with a tail; one that was closed,
with a snapshot and remembered texts; or a whole one and what follows as a label. Changes follow,
seven bytes each: what is changed (database, tail, an effect, a remembered text), how (a bit, a
byte, a cut), and where.
"""

import contextlib
import os
import sqlite3
import struct
from functools import cache

from fuzz.harness import SCRATCH, refusals_pass

TEXTS = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"]
KILLED, CLOSED, LABEL = range(3)
DATABASE, TAIL, EFFECT, REMEMBERED = range(4)
BIT, BYTE, CUT = range(3)
_CHANGE = struct.Struct("<BBIB")
_BLOBS = {
    EFFECT: ("select id, effect from effects", "update effects set effect = ? where id = ?"),
    REMEMBERED: (
        "select number, features from remembered",
        "update remembered set features = ? where number = ?",
    ),
}


def _fill(live):
    live.answer(TEXTS[:2])
    for number, text in enumerate((*TEXTS, "the zebra crossing", "a prize at noon")):
        live.correct(text, ["ham", "spam", "news"][number % 3], new_class=True)
    live.add_guard(TEXTS[1])
    live.confirm(TEXTS[2])


@cache
def _made():
    """Return a model, two ledgers as database and tail, and the digests after each entry.

    Those of each ledger: as it is, and where entry 2 is taken back then.
    """
    import hardlimit as hl
    from hardlimit.live import writing

    model, path = str(SCRATCH / "of-ledgers"), str(SCRATCH / "made.of-ledgers")
    hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, ["spam", "ham"] * 2).save(model)
    ledgers, between = [], writing.BETWEEN
    for number in (KILLED, CLOSED):
        where = f"{path}-{number}"
        writing.BETWEEN = 4 if number == CLOSED else between
        live = hl.open_live(model, where, remember=2, recent=2)
        _fill(live)
        if number == CLOSED:
            live.close()
        tail = where + "-tail"
        ledgers.append((_read(where), _read(tail) if os.path.exists(tail) else None))
        last, after = live.n_entries, {}
        live.close()
    writing.BETWEEN = between
    with hl.open_live(model, where, read_only=True) as live:
        plain = {n: live.replay(n).digest() for n in range(last + 1)}
        entries = list(live.log())
    for n in range(2, last + 1):
        after[n] = _undone(hl, model, entries[:n])
    return model, ledgers, plain, after


def _undone(hl, model, entries):
    """Return the digest of a model that never knew entry 2, from entries that are said again."""
    live = hl.open_live(model, None, remember=0, recent=0)
    for entry in entries:
        if entry.kind == "correct":
            live.correct(entry.text, entry.label, new_class=True)
        elif entry.kind == "guard":
            live.add_guard(entry.text)
        else:
            live.confirm(entry.text)
    live.undo(2)
    return live.digest()


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def change(what, how, place, value):
    """Return one change as bytes."""
    return _CHANGE.pack(what, how, place, value)


def _seeds():
    yield bytes([CLOSED])
    yield bytes([KILLED])
    # Each was a wrong state, an error that is not ours, or a ledger that nobody could close.
    for label in ("\ud800", "a\0b", "\u200b", "ham\u200b", "\u202egnp", "a\nb\x1b[31m", "ham"):
        yield bytes([LABEL]) + label.encode("utf-8", "surrogatepass")
    for place in (0x0200_0090, 0x0400_0010, 0x0500_00F0, 0x0300_0001, 0x0300_0105):
        yield bytes([CLOSED]) + change(EFFECT, BIT, place, 6)
    yield bytes([CLOSED]) + change(REMEMBERED, CUT, 0x0000_0009, 0)
    yield bytes([CLOSED]) + change(REMEMBERED, BIT, 0x0100_0005, 1)
    for place in (18, 100, 4030, 4095, 5000, 9000, 13000, 17000, 21000):
        yield bytes([CLOSED]) + change(DATABASE, BIT, place, 5)
        yield bytes([CLOSED]) + change(DATABASE, CUT, place, 0)
    for place in (0, 40, 100, 4096, 4300, 4096 * 6 + 16, 4096 * 7 + 3):
        yield bytes([KILLED]) + change(TAIL, BIT, place, 3)
        yield bytes([KILLED]) + change(TAIL, CUT, place, 0)
    yield bytes([KILLED]) + b"".join(change(TAIL, BYTE, place, 0) for place in range(144))


def _edit(data, how, place, value):
    """Return bytes with one change."""
    if how == CUT or not data:
        return data[: place % (len(data) + 1)]
    made, place = bytearray(data), place % len(data)
    made[place] = value if how == BYTE else made[place] ^ (1 << value % 8)
    return bytes(made)


def _edit_blob(path, what, how, place, value):
    """Change a blob of the database: the first byte of the place chooses the row."""
    find, put = _BLOBS[what]
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as asked:
        rows = asked.execute(find).fetchall()
        number, blob = rows[(place >> 24) % len(rows)] if rows else (0, b"")
        asked.execute(put, (_edit(blob, how, place & 0xFFFFFF, value), number))
        asked.commit()


def _write(path, data):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    if data is not None:
        with open(path, "wb") as file:
            file.write(data)


def run(data: bytes) -> None:
    """Damage a ledger and use it, or send a label and use what comes of it."""
    import hardlimit as hl

    if not data:
        return
    model, ledgers, plain, after = _made()
    kind, rest, path = data[0] % 3, data[1:], str(SCRATCH / "damaged.ledger")
    database, tail = ledgers[kind % 2]
    changes = [] if kind == LABEL else list(_CHANGE.iter_unpack(rest[: len(rest) // 7 * 7]))[:200]
    for what, how, place, value in changes:
        if what % 4 == DATABASE:
            database = _edit(database, how % 3, place, value)
        elif what % 4 == TAIL and tail is not None:
            tail = _edit(tail, how % 3, place, value)
    for suffix, content in (("", database), ("-tail", tail), ("-journal", None)):
        _write(path + suffix, content)
    for what, how, place, value in changes:
        if what % 4 in _BLOBS:
            _edit_blob(path, what % 4, how % 3, place, value)
    if kind == LABEL:
        _send(hl, model, path, rest)
    else:
        with refusals_pass(), hl.open_live(model, path, remember=3, recent=3) as live:
            _use(live, plain, after)


def _use(live, plain, after):
    n = live.n_entries
    assert live.digest() == plain[n]
    for ask in (
        lambda: list(live.log()),
        lambda: (live.progress(), live.drift()),
        lambda: (live.guards(), live.why(TEXTS[0])),
    ):
        with refusals_pass():
            ask()
    assert live.digest() == plain[n]
    if n >= 2:
        with refusals_pass():
            live.undo(2)
            assert live.digest() == after[n]
    with refusals_pass():
        live.correct("a prize at lunch", "spam")
        live.verify()


def _send(hl, model, path, data):
    """Whatever becomes of a label: nothing that is acknowledged is lost, or in the way later."""
    label = data.decode("utf-8", "surrogateescape")
    if b"\xed" in data:  # halves of pairs, three bytes each
        with contextlib.suppress(UnicodeDecodeError):
            label = data.decode("utf-8", "surrogatepass")
    with hl.open_live(model, path) as live:
        n, by = live.n_entries, label[:600]
        for ask in (
            lambda: live.correct("noon win", label, new_class=True),
            lambda: live.confirm(TEXTS[0], label),
            lambda: live.add_guard(TEXTS[1], label),
            lambda: live.correct("noon again", "ham", by=by),
        ):
            with refusals_pass():
                ask()
                n += 1
            assert live.n_entries == n
        live.undo(n)
        digest = live.digest()
    with hl.open_live(model, path) as live:
        assert live.verify() == n + 1 and live.digest() == digest


SEEDS = [*_seeds()]
