"""Texts that are named by numbers, and features of rows that nobody can read."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import hardlimit as hl
from hardlimit.exceptions import HardlimitError, InputError
from hardlimit.live.columns import keep_row, read_row
from hardlimit.live.entry import Entry

from ..rounding import near
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


def test_a_category_of_half_a_pair_is_no_term(tmp_path):
    rows = [{"city": "Ghent"}, {"city": "Bruges"}] * 2
    hl.TableClassifier(category_columns=["city"]).fit(rows, ["a", "b"] * 2).save(tmp_path / "m")
    live = hl.open_live(tmp_path / "m", ledger=None)
    for text in ("\ud800", "a\udfff", "\udbff!"):
        with pytest.raises(HardlimitError):
            live.correct({"city": text}, "a")
    assert live.n_entries == 0 and live.predict([{"city": "Ghent"}]) == ["a"]


def test_the_shown_form_of_an_entry_leaves_the_sealed_bytes_out():
    entry = Entry(1, "correct", "2026-01-01")
    entry.chain("ab" * 32)
    assert "sealed" not in repr(entry) and entry.sealed
    assert entry == Entry(1, "correct", "2026-01-01", before=entry.before, after=entry.after)


@pytest.mark.parametrize("chosen", [None, "polynomial"])
def test_rows_of_a_map_are_corrected_in_its_columns(tmp_path, chosen):
    xor = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    made = hl.LinearClassifier(map=chosen).fit(xor, [0, 1, 1, 0])
    made.save(tmp_path / "rows")
    live = hl.open_live(tmp_path / "rows", ledger=None)
    assert live.predict(xor) == made.predict(xor).tolist()
    expected = made.decision_function(xor).tolist()
    # No column of these rows is above 2; each has a product and a sum, there and here.
    size = 2 * np.abs(made.coef_).sum()
    assert [one[0] for one in live.scores(xor)] == near(expected, 30, size=size)
    for number, row in enumerate(xor[1:]):
        live.correct(row, number // 2)
        assert live.standing(row).label == number // 2 and live.standing(row).margin >= 1
    why = live.why(xor[3], 100)
    # The row of ones has the largest terms of all four.
    size = sum(abs(one.base) + abs(one.corrections) for one in why.terms)
    margin = sum(one.base + one.corrections for one in why.terms)
    assert margin == near(why.margin, 40, size=size)
    told = live.bake(tmp_path / "baked")
    assert told.corrections == 3
    baked = hl.load(tmp_path / "baked").decision_function(xor).tolist()
    assert baked == near([one[0] for one in live.scores(xor)], 40, size=size)


def test_sparse_rows_are_those_of_dense_ones(tmp_path):
    X = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]])
    hl.LinearClassifier().fit(X, [0, 1, 0, 1]).save(tmp_path / "rows")
    live, other = (hl.open_live(tmp_path / "rows", ledger=None) for _ in range(2))
    told = live.correct(csr_matrix(X[:1]), 1)
    assert told.after == other.correct(X[0], 1).after and live.digest() == other.digest()
    assert live.scores(csr_matrix(X)) == other.scores(X)
    for wrong in (csr_matrix(X[:2]), csr_matrix((0, 3)), X[:2], X[:0]):
        with pytest.raises(InputError) as refused:
            live.standing(wrong)
        assert refused.value.parameter == "row"
