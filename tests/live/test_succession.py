"""A baked model takes the place of its base, and its ledger goes on or is refused."""

import os
import shutil
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.exceptions import FileError, LedgerError

from .messages import TEXTS


@pytest.fixture
def model(two, tmp_path):
    return shutil.copy(two, tmp_path / "spam.hardlimit")


def bake(live, model, tmp_path):
    baked = str(tmp_path / "new")
    live.bake(baked)
    return baked


def test_a_baked_model_begins_a_ledger_with_the_guards(model, tmp_path):
    with hl.open_live(model) as live:
        live.correct("win the zebra now", "ham", by="alice")
        live.add_guard(TEXTS[0], by="eve", margin=0.5)
        removed = live.add_guard(TEXTS[1])
        live.remove_guard(removed)
        answers = live.predict(TEXTS)
        baked = bake(live, model, tmp_path)
        os.replace(baked, model)
        with hl.open_live(model) as fresh:
            assert fresh.predict(TEXTS) == answers
            assert fresh.predict(["win the zebra now"]) == ["ham"]
            kept = [(entry.text, entry.author, entry.margin) for entry, _ in fresh.guards()]
            assert kept == [(TEXTS[0], "eve", 0.5)]
            fresh.correct("the zebra", "spam")
        # Whoever has the old one open goes on answering, and is told when it writes.
        assert live.predict(TEXTS) == answers
        with pytest.raises(FileError, match="replaced"):
            live.correct(TEXTS[2], "ham")
    assert sorted(os.listdir(tmp_path)) == [
        "spam.hardlimit", "spam.hardlimit.ledger", "spam.hardlimit.ledger-until-5",
    ]  # fmt: skip
    with hl.open_live(model) as fresh:
        assert fresh.verify() == 2


def test_without_guards_the_new_ledger_is_empty(model, tmp_path):
    with hl.open_live(model) as live:
        live.correct("win the zebra now", "ham")
        os.replace(bake(live, model, tmp_path), model)
    with hl.open_live(model) as fresh:
        assert fresh.n_entries == 0
    assert os.path.exists(f"{model}.ledger-until-2")


def test_entries_after_the_bake_would_be_lost(model, tmp_path):
    with hl.open_live(model) as live:
        live.correct("win the zebra now", "ham")
        baked = bake(live, model, tmp_path)
        live.correct("win the prize", "ham")
    os.replace(baked, model)
    before = Path(f"{model}.ledger").read_bytes()
    with pytest.raises(LedgerError, match="entry #3 came after that") as refused:
        hl.open_live(model)
    assert refused.value.topic == "another-model"
    assert Path(f"{model}.ledger").read_bytes() == before


def test_another_model_is_refused_and_nothing_is_moved(model, many, tmp_path):
    with hl.open_live(model) as live:
        live.correct("win the zebra now", "ham")
        bake(live, model, tmp_path)
    shutil.copy(many, model)
    with pytest.raises(LedgerError, match="another model"):
        hl.open_live(model)
    assert not [one for one in os.listdir(tmp_path) if "until" in one]


def test_guards_without_texts_do_not_go_on(model, tmp_path):
    with hl.open_live(model, private=True) as live:
        live.add_guard(TEXTS[0])
        os.replace(bake(live, model, tmp_path), model)
    with pytest.raises(LedgerError, match="without its text"):
        hl.open_live(model)
