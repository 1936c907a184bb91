"""Where in a text the terms are that made its answer."""

import pytest

import hardlimit as hl

from ..rounding import SINGLE, near
from .messages import LABELS, TEXTS

TEXT = "A PRIZE, at  noon: win a prize!"


def spans_of(live, text):
    return {text[one.start : one.end]: one.contribution for one in live.spans(text)}


@pytest.fixture
def live(two):
    return hl.open_live(two, ledger=None)


def test_words_get_what_their_terms_add(live):
    found = live.spans(TEXT)
    assert [(one.start, one.end) for one in found] == sorted((a, b) for a, b, _ in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert live.predict([TEXT]) == ["spam"]
    words = spans_of(live, TEXT)
    assert words["prize!"] > 0 > words["noon:"]


def test_spans_and_the_intercept_add_up_to_the_margin(live):
    for text in [TEXT, *TEXTS, "win cheap pills at noon"]:
        why = live.why(text, top=1000)
        rest = sum(one.base + one.corrections for one in why.terms if one.term == "(intercept)")
        total = sum(one.contribution for one in live.spans(text))
        assert total + rest == near(why.margin, 10, unit=SINGLE)


def test_corrections_move_spans_new_terms_too(live):
    live.correct("zebra prize", "ham")
    assert spans_of(live, "zebra")["zebra"] > 0


def test_parts_of_words_and_letters_without_spaces_have_places(tmp_path):
    path = tmp_path / "parts.hardlimit"
    texts = [*TEXTS, "今日は会議です", "安い薬を買う"]
    hl.TextClassifier().fit(texts, [*LABELS, "ham", "spam"]).save(path)
    live = hl.open_live(path, ledger=None)
    found = spans_of(live, "prizes of 会議")
    assert found["prizes"] * found["議"] < 0


def test_only_the_largest_are_told(live):
    most = live.spans(TEXT, most=2)
    assert len(most) == 2
    least = min(abs(one.contribution) for one in most)
    assert all(abs(one.contribution) <= least for one in live.spans(TEXT) if one not in most)
    assert live.spans("") == []
