"""A reader written from docs/ledger-format.md alone finds what the program finds, and refuses."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import HardlimitError
from hardlimit.live import writing
from hardlimit.live.sql import VERSION

from .container import RefusedError
from .ledger_reader import BLOCK, Ledger, open_ledger
from .model_reader import Model, open_model

ROOT = Path(__file__).parents[2]
GOLDEN = sorted(ROOT.glob("tests/**/*.hardlimit.ledger"))
TEXTS = [
    "win a prize now", "lunch at noon?", "a prize to win", "see you at lunch",
    "cheap pills now", "minutes of the meeting", "win cheap pills", "the meeting is at noon",
]  # fmt: skip
SIZES = ["small", "large", "small", "small", "large", "large", "small", "large"]
TWO = ["spam", "ham"] * 4
MANY = ["spam", "ham", "news", "work", "shop", "work", "shop", "news"]
X = np.random.default_rng(0).integers(-8, 9, (8, 4)) / 4


def texts(path: Path, labels: list[str], **settings: Any) -> list[Any]:
    hl.TextClassifier(words=(1, 2), **settings).fit(TEXTS, labels).save(path)
    return [*TEXTS, "unheard of words, ever so new", "日本 lunch", b"bytes \xff of a prize"]


def numbers(path: Path, labels: list[str]) -> list[Any]:
    hl.LinearClassifier("passive-aggressive", max_iter=2, until=None).fit(X, labels).save(path)
    return list(X)


def table(path: Path, labels: list[str]) -> list[Any]:
    rows = [{"text": t, "size": s} for t, s in zip(TEXTS, SIZES, strict=True)]
    chosen: dict[str, Any] = {"text_columns": ["text"], "category_columns": ["size"]}
    hl.TableClassifier(missing="mean", **chosen, number_columns=[]).fit(rows, labels).save(path)
    return [*rows, {"text": "win", "size": "never seen"}, {"text": "lunch", "size": None}]


MODELS = {
    "texts, two classes": lambda path: texts(path, TWO),
    "texts, more classes": lambda path: texts(path, MANY, chars=None),
    "texts without a bias": lambda path: texts(path, TWO, fit_intercept=False, hash_bits=12),
    "numbers": lambda path: numbers(path, TWO),
    "a table": lambda path: table(path, MANY),
}


def use(live: Any, examples: list[Any]) -> None:
    """Make entries of every kind, and take some of them back."""
    labels = list(live.classes)
    live.predict(examples)
    for i, example in enumerate(examples):
        live.correct(example, labels[i % len(labels)], by="ann" if i % 3 else "", margin=1 + i / 7)
    guard = live.add_guard(examples[1], by="bo")
    live.confirm(examples[2])
    live.undo(3, by="ann")
    live.remove_guard(guard)
    live.correct(examples[3], labels[0], guards="flag", by="Zoë \u6f22")
    live.undo(live.n_entries)
    live.undo(live.n_entries)
    live.correct(examples[4], "a class that is new", by="ann", new_class=True)


def opened(path: Path) -> tuple[Model, Ledger]:
    model = open_model(path)
    return model, open_ledger(f"{path}.ledger", model.file.digest, model.bias)


def compare(live: Any, examples: list[Any], model: Model, ledger: Ledger) -> None:
    assert ledger.fingerprint == live.fingerprint and len(ledger.entries) == live.n_entries
    assert ledger.undone() == set(live.undone())
    for entry, wanted in zip(ledger.entries, live.log(), strict=True):
        assert entry.features == wanted.features and entry.details == dict(wanted.details)
        assert (entry.kind, entry.author, entry.target) == (
            wanted.kind, wanted.author, wanted.target
        )  # fmt: skip
    # Rows as the ledger has them, with the base's scores: no model file is asked.
    for i, example in enumerate(examples):
        row = ledger.row(i + 1)
        base = np.array(model.scores(example))
        assert np.array_equal(row.base, base)
        found = ledger.scores(row, model.threshold)
        assert np.array_equal(found, np.ravel(live.scores([example])))


@pytest.mark.parametrize("name", MODELS)
def test_entries_weights_and_scores_are_those_of_the_program(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.hardlimit"
    examples = MODELS[name](path)
    with hl.open_live(path) as live:
        use(live, examples)
    model, ledger = opened(path)
    with hl.open_live(path) as live:
        live.verify()
        compare(live, examples, model, ledger)


def test_snapshots_are_of_the_weights_that_the_effects_add_up_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BETWEEN", 20)
    path = tmp_path / "m.hardlimit"
    examples = texts(path, MANY)
    with hl.open_live(path) as live:
        for i in range(45):
            live.correct(f"{examples[i % 8]} number{i}", MANY[i % 5], margin=1 + i / 50)
    ledger = opened(path)[1]
    last = ledger.snapshots[-1]
    assert len(last["weights"]) > 50 and "wnumber7" in {key for key, _ in last["weights"]}
    assert last["labels"] == [f"str:{one}" for one in sorted(set(MANY))]


@pytest.fixture
def running(tmp_path: Path) -> tuple[Path, int]:
    """The files of a process that goes on: entries in the database, and later ones in the tail."""
    path, copied = tmp_path / "m.hardlimit", tmp_path / "copied"
    examples = texts(path, TWO)
    with hl.open_live(path) as live:
        live.correct(examples[0], "ham", by="ann")
        live.undo(1)
        for example in examples[1:6]:
            live.correct(example, "ham" if live.predict([example]) == ["spam"] else "spam")
        live.correct("long " * 2000 + "text", "ham")
        copied.mkdir()
        for file in tmp_path.glob("m.hardlimit*"):
            shutil.copy(file, copied)
        return copied / "m.hardlimit", live.n_entries


def test_entries_of_a_tail_continue_the_chain(running: tuple[Path, int]) -> None:
    path, n = running
    ledger = opened(path)[1]
    assert len(ledger.entries) == n > ledger.n_stored
    assert ledger.entries[-1].text == b"s" + b"long " * 2000 + b"text"
    with hl.open_live(path) as live:
        assert ledger.fingerprint == live.fingerprint
    assert opened(path)[1].n_stored == n  # closed: the tail was moved into the database


def refused(path: Path) -> None:
    """By the reader, and by the program that verifies, or that needs an effect to undo."""
    with pytest.raises(RefusedError):
        opened(path)
    with pytest.raises(HardlimitError), hl.open_live(path) as live:
        live.verify()
        live.undo(2)


def test_a_changed_byte_of_a_tail_is_refused(running: tuple[Path, int]) -> None:
    path, _ = running
    tail = path.with_name("m.hardlimit.ledger-tail")
    data = tail.read_bytes()
    # The header; the head, the sizes, the JSON, the text and the digest of the first record.
    size = int.from_bytes(data[BLOCK + 4 : BLOCK + 8], "little")
    for at in (0, 9, 40, 60, 100, 130, *(BLOCK + i for i in (0, 5, 12, 20, 90, 130, 16 + size))):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        tail.write_bytes(damaged)
        refused(path)
    tail.write_bytes(data[:-1])
    refused(path)
    tail.unlink()
    refused(path)


CHANGES = {
    "a letter of an author": "update entries set author = 'anN' where id = 1",
    "a margin": "update entries set margin = margin + 0.5 where id = 1",
    "a label": "update entries set label = 'str:spam' where id = 1",
    "a text": "update entries set text = text || x'20' where id = 1",
    "features": "update entries set features = substr(features, 1, 16) || x'00' where id = 1",
    "details": "update entries set details = '{}' where id = 1",
    "a target": "update entries set target = 2 where id = 2",
    "a fingerprint": "update entries set after = before where id = 2",
    "an entry": "delete from entries where id = 1",
    "an effect": "update effects set effect = effect || x'00' where id = 2",
    "the base": "update facts set value = '0000000000000000' where name = 'base'",
    "the version": "pragma user_version = 4",
    "the application": "pragma application_id = 7",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_refused(change: str, running: tuple[Path, int]) -> None:
    path, _ = running
    with sqlite3.connect(f"{path}.ledger") as database:
        database.execute(CHANGES[change])
    database.close()
    refused(path)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_golden_ledgers_give_the_scores_of_the_day_they_were_written(path: Path) -> None:
    model = open_model(path.with_suffix(""))
    told = json.loads(path.with_suffix(".json").read_text())
    ledger = open_ledger(path, model.file.digest, model.bias)
    assert ledger.fingerprint == told["fingerprint"] and len(ledger.snapshots) == told["snapshots"]
    for number, wanted in told["scores"].items():
        scores = ledger.scores(ledger.row(int(number)), model.threshold)
        assert [score.hex() for score in scores] == wanted


@pytest.mark.parametrize("version", [1, 2])
def test_ledgers_of_earlier_versions_are_read(version: int, tmp_path: Path) -> None:
    """Without a tail they have the same tables; the effects of some have no digest."""
    path = tmp_path / GOLDEN[0].stem
    shutil.copy(GOLDEN[0].with_suffix(""), path)
    shutil.copy(GOLDEN[0], tmp_path)
    with sqlite3.connect(f"{path}.ledger") as database:
        for number, effect in database.execute("select id, effect from effects").fetchall():
            size = int.from_bytes(effect[:4], "little")
            head = json.loads(effect[4 : 4 + size])
            plain = json.dumps({k: v for k, v in head.items() if k != "sealed"}).encode()
            old = len(plain).to_bytes(4, "little") + plain + effect[4 + size : -32]
            database.execute("update effects set effect = ? where id = ?", (old, number))
        database.execute(f"pragma user_version = {version}")
    database.close()
    model, ledger = opened(path)
    with hl.open_live(path) as live:
        live.verify()
        assert ledger.fingerprint == live.fingerprint
        row = ledger.row(1)
        assert ledger.scores(row, model.threshold) == list(live.scores([next(live.log()).text])[0])


def test_there_is_a_golden_ledger_of_this_version() -> None:
    assert [path.name for path in GOLDEN] == [f"live-{VERSION}.hardlimit.ledger"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_the_program_still_opens_golden_ledgers(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    shutil.copy(path.with_suffix(""), tmp_path)
    told = json.loads(path.with_suffix(".json").read_text())
    with hl.open_live(tmp_path / path.stem) as live:
        live.verify()
        assert live.fingerprint == told["fingerprint"] and live.digest() == told["digest"]
        texts = {str(entry.id): entry.text for entry in live.log() if entry.text is not None}
        for number, wanted in told["scores"].items():
            assert [score.hex() for score in live.scores([texts[number]])[0]] == wanted
        live.undo(live.n_entries)
