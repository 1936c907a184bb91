"""Texts that are named by numbers, and features of rows that nobody can read."""

import pytest

import hardlimit as hl
from hardlimit.live.columns import keep_row, read_row
from hardlimit.live.entry import Entry

from .messages import TEXTS


def test_a_text_is_named_as_long_as_inbox_or_memory_have_it(two):
    live = hl.open_live(two, ledger=None, recent=2, remember=5)
    live.answer(TEXTS[:5])
    assert [live.recent_text(n) for n in (4, 5)] == TEXTS[3:5]
    # Rows are made of the texts, which are remembered from then on.
    live.correct("win a prize", "ham", dry_run=True)
    assert [live.recent_text(n) for n in range(1, 6)] == TEXTS[:5]
    assert live.recent_text(99) is None
    private = hl.open_live(two, ledger=None, recent=0, remember=5, private=True)
    private.answer(TEXTS[:2])
    private.correct("win a prize", "ham")
    assert private.recent_text(1) is None


@pytest.mark.parametrize("text", ["", "a", "ü\u2028", "\ud7ff\ue000", "\U0010ffff"])
def test_a_category_of_any_characters_becomes_a_term(tmp_path, text):
    rows = [{"city": "Ghent"}, {"city": "Bruges"}] * 2
    hl.TableClassifier(category_columns=["city"]).fit(rows, ["a", "b"] * 2).save(tmp_path / "m")
    live = hl.open_live(tmp_path / "m", ledger=None)
    if text:
        assert live.correct({"city": text}, "a").new_terms == 1
        assert live.predict([{"city": text}]) == ["a"]
    assert read_row(keep_row({"city": text}, ("city",)), ("city",)) == (text,)


def test_the_shown_form_of_an_entry_leaves_the_sealed_bytes_out():
    entry = Entry(1, "correct", "2026-01-01")
    entry.chain("ab" * 32)
    assert "sealed" not in repr(entry) and entry.sealed
    assert entry == Entry(1, "correct", "2026-01-01", before=entry.before, after=entry.after)
