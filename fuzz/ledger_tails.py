"""Tails of ledgers beside a database of three entries: entries, or a refusal.

The first byte chooses what the rest is: the file; the fields of a header; the content of a record;
the features of an entry; or the JSON of its details. In all but the first the digests are made
anew, so that what lies behind them is reached.
"""

import hashlib
import json
import struct
from dataclasses import replace
from functools import cache

from fuzz.harness import SCRATCH, refusals_pass

TEXTS = ["win a prize", "lunch at noon", "a prize to win", "see you at lunch"]


@cache
def _made():
    """Return a model, its ledger, its tail, and an entry that would be the next."""
    import hardlimit as hl

    model, ledger = str(SCRATCH / "model"), str(SCRATCH / "made.ledger")
    hl.TextClassifier(words=(1, 1), chars=None).fit(TEXTS, ["spam", "ham"] * 2).save(model)
    live = hl.open_live(model, ledger, remember=0, recent=0)
    for text in (*TEXTS, "the zebra crossing"):
        live.correct(text, "ham")
    database = (SCRATCH / "made.ledger").read_bytes()
    tail = (SCRATCH / "made.ledger-tail").read_bytes()
    entry = list(live.log())[-1]
    live.ledger.close()
    return model, database, tail, entry


def _seeds():
    from hardlimit.live.ledger_tail import BLOCK

    _, _, tail, entry = _made()
    yield b"\0" + tail[: 5 * BLOCK].rstrip(b"\0")
    yield b"\1" + tail[:112]
    for block in (1, 2, 3):
        size = struct.unpack_from("<I", tail, block * BLOCK + 4)[0]
        yield b"\2" + tail[block * BLOCK + 16 : block * BLOCK + 16 + size]
    yield b"\3" + entry.features
    yield b"\4" + json.dumps(dict(entry.details)).encode()


def _tail(data):
    """Return the tail that an input stands for."""
    from hardlimit.live.ledger_tail import _HEADER, BLOCK, encode

    _, _, tail, entry = _made()
    kind, rest = data[0] % 5, data[1:]
    if kind == 0:
        return rest + bytes(max(0, len(tail) - len(rest)))
    made = bytearray(tail)
    salt = bytes(made[96:112])
    if kind == 1:
        fields = rest[: _HEADER.size].ljust(_HEADER.size, b"\0")
        made[: _HEADER.size + 32] = fields + hashlib.sha256(fields).digest()
        return bytes(made)
    # In the place of the last record, where its mark goes too.
    number = entry.id
    at = (number - 2) * BLOCK
    if kind == 2:
        head = struct.pack("<4sIQ", b"hlr1", len(rest), number) + rest
        record = head + hashlib.sha256(salt + head).digest()
    else:
        entry = replace(entry)
        if kind == 3:
            entry.features = rest
        else:
            found = json.loads(rest)
            entry.details = found if isinstance(found, dict) else {"found": found}
        entry.chain(entry.before)
        record = encode(entry, salt)
    made[at:] = record + bytes(max(0, len(made) - at - len(record)))
    return bytes(made[: len(tail)])


def run(data: bytes) -> None:
    """Open a ledger with this tail, replay it, and go on from it."""
    import hardlimit as hl

    if not data:
        return
    model, database, _, _ = _made()
    ledger = str(SCRATCH / "fuzzed.ledger")
    try:
        tail = _tail(data)
    except (ValueError, RecursionError):  # details that are no JSON
        return
    for path, content in ((ledger, database), (ledger + "-tail", tail)):
        with open(path, "wb") as file:
            file.write(content)
    _open(hl, model, ledger)


def _open(hl, model, ledger):
    with refusals_pass(), hl.open_live(model, ledger, remember=5, recent=5) as live:
        n = live.n_entries
        assert n >= 2
        with refusals_pass():
            live.verify()
        with refusals_pass():
            list(live.log())
        with refusals_pass():
            live.progress(), live.drift(), live.why(TEXTS[0])
        with refusals_pass():
            live.correct("a prize at noon", "spam")
            assert live.n_entries == n + 1


SEEDS = [*_seeds()]
