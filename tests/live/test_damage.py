"""A ledger of which bits changed on the disk: the right state, or one of our errors."""

import contextlib
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.exceptions import HardlimitError, LedgerError
from hardlimit.live import writing

from .messages import TEXTS


@pytest.fixture(scope="module")
def whole(two, tmp_path_factory):
    """A ledger with everything in it: corrections, a class, a guard, an undo, a snapshot."""
    path = tmp_path_factory.mktemp("whole") / "its.ledger"
    between, writing.BETWEEN = writing.BETWEEN, 6
    with hl.open_live(two, path, remember=2, recent=1) as live:
        live.answer(TEXTS[:2])
        for number in range(6):
            text = f"{TEXTS[number]} w{number}"
            live.correct(text, ["ham", "spam", "news"][number % 3], by=f"a{number}", new_class=True)
        live.add_guard(TEXTS[5])
        live.confirm(TEXTS[6])
        live.undo(6)
    writing.BETWEEN = between
    return path


def copy(whole, tmp_path):
    for suffix in ("-tail", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{tmp_path / 'damaged'}{suffix}")
    return str(shutil.copy(whole, tmp_path / "damaged"))


def use(two, path):
    """Return what a ledger says and does: entries, weights, and weights after an undo."""
    with hl.open_live(two, path) as live:
        before = live.n_entries, live.digest()
        assert len(list(live.log())) == before[0]
        live.progress(), live.drift(), live.guards(), live.why(TEXTS[0])
        live.undo(2)
        after = live.digest()
        assert live.verify() == before[0] + 1
        return before, after


def flip(data, at):
    """Return bytes with one bit of one byte changed, any one."""
    made = bytearray(data)
    made[at] ^= 1 << random.Random(at).randrange(8)
    return bytes(made)


def check_flips(two, whole, tmp_path, places):
    right, data = use(two, copy(whole, tmp_path)), whole.read_bytes()
    refused = 0
    for at in places(len(data)):
        path = copy(whole, tmp_path)
        Path(path).write_bytes(flip(data, at))
        try:
            assert use(two, path) == right, at
        except HardlimitError:
            refused += 1
    return refused


def test_a_bit_of_the_database_that_changed_is_refused_or_says_nothing(two, whole, tmp_path):
    # Spread over the pages, and the text of the schema, which SQLite's own messages quote.
    assert check_flips(two, whole, tmp_path, lambda size: [4030, *range(7, size, size // 12)])


@pytest.mark.slow
def test_every_byte_of_the_database(two, whole, tmp_path):
    assert check_flips(two, whole, tmp_path, range) > 1000


def change(path, sql, *values):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma synchronous = off")
        return connection.execute(sql, values).fetchall()


def check_effects(two, whole, tmp_path, choose):
    """Change a byte of each effect at chosen places; undo gives the right weights or none.

    Return how many were refused, and how many were not asked for.
    """
    _, right = use(two, copy(whole, tmp_path))
    pairs = change(whole, "select id, effect from effects")
    places = [(number, effect, at) for number, effect in pairs for at in choose(len(effect))]
    refused = same = 0
    for number, effect, at in places:
        path = copy(whole, tmp_path)
        change(path, "update effects set effect = ? where id = ?", flip(effect, at), number)
        with hl.open_live(two, path) as live:
            try:
                live.undo(2)
            except LedgerError as error:
                assert error.topic == "damaged"
                refused += 1
            else:
                assert live.digest() == right
                same += 1
    return refused, same


def test_an_undo_by_a_damaged_effect_is_refused(two, whole, tmp_path):
    # In a number of the head, and in the last of the weights of before.
    refused, same = check_effects(two, whole, tmp_path, lambda size: (70, size - 35))
    assert refused > same


@pytest.mark.slow
def test_every_byte_of_every_effect(two, whole, tmp_path):
    refused, same = check_effects(two, whole, tmp_path, range)
    assert refused > same > 0


def test_an_effect_of_another_entry_or_none_is_refused(two, whole, tmp_path):
    for sql in (
        "delete from effects where id = 3",
        "update effects set effect = (select effect from effects where id = 4) where id = 3",
        "delete from entries where id = 3",
        # Below the snapshot, so that opening does not look at it.
        "update entries set features = (select features from entries where id = 4) where id = 3",
        "update entries set label = 'str:news' where id = 4",
    ):
        path = copy(whole, tmp_path)
        change(path, sql)
        with hl.open_live(two, path) as live:
            before = live.digest()
            with pytest.raises(LedgerError):
                live.undo(2)
            assert live.digest() == before and live.n_entries == 9


def as_before(path):
    """Take the digests out of effects, as earlier releases wrote them; return those that are."""
    made = {}
    for number, effect in change(path, "select id, effect from effects"):
        size = int.from_bytes(effect[:4], "little")
        head = effect[4 : 4 + size].replace(b',"sealed":true', b"")
        made[number] = len(head).to_bytes(4, "little") + head + effect[4 + size : -32]
        change(path, "update effects set effect = ? where id = ?", made[number], number)
    return made


def test_effects_without_a_digest_are_compared_with_a_replay(two, whole, tmp_path):
    path = copy(whole, tmp_path)
    right = use(two, path)
    path = copy(whole, tmp_path)
    effects = as_before(path)
    assert use(two, path) == right
    for at in (60, 130, len(effects[4]) - 1):
        path = copy(whole, tmp_path)
        as_before(path)
        change(path, "update effects set effect = ? where id = 4", flip(effects[4], at))
        with hl.open_live(two, path) as live:
            before = live.digest()
            with pytest.raises(LedgerError, match="what entry 4 does is not what was written"):
                live.undo(2)
            assert live.digest() == before


def test_a_bit_of_a_snapshot_that_changed_is_refused(two, whole, tmp_path):
    ((plain, weights, mark),) = change(whole, "select plain, weights, fingerprint from snapshots")
    for name, value in (
        ("weights", flip(weights, 40)),
        ("plain", plain.replace("ham", "hum")),
        ("fingerprint", mark[::-1]),
        ("weights", None),
        ("plain", 3),
    ):
        path = copy(whole, tmp_path)
        with contextlib.suppress(sqlite3.IntegrityError):  # null where the schema forbids it
            change(path, f"update snapshots set {name} = ?", value)
            with pytest.raises(LedgerError, match="snapshot"):
                hl.open_live(two, path)


@pytest.mark.parametrize("weights", [b"", b"\xff" * 40], ids=["none", "ones"])
@pytest.mark.parametrize("plain", ["", "[]", '{"labels": ["no kind"], "guards": [7]}', "{}"])
def test_a_snapshot_that_was_made_up_is_refused(two, whole, tmp_path, weights, plain):
    path = copy(whole, tmp_path)
    with hl.open_live(two, path) as live, live.ledger.writing():
        made = live.ledger.snapshot()._replace(plain=plain, weights=weights)
        live.ledger.drop_snapshots(0)
        live.ledger.put_snapshot(made)
    with pytest.raises(HardlimitError):
        hl.open_live(two, path)


@pytest.mark.parametrize("column", ["text", "features"])
def test_remembered_texts_that_are_damaged_are_forgotten(two, whole, tmp_path, column):
    path = copy(whole, tmp_path)
    change(path, f"update remembered set {column} = x'73ff00'")
    with hl.open_live(two, path) as live:
        assert "damaged and are forgotten" in live.troubles["remembered"]
        assert live.verify() == 9 and live.correct(TEXTS[0], "ham").flips == ()
        digest = live.digest()
    with hl.open_live(two, path) as live:  # they are out of the ledger by now
        assert not live.troubles and (live.n_entries, live.digest()) == (10, digest)
