"""Text of the user's in every place of a page: shown as it is, and never obeyed."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import LinearClassifier, TextClassifier, reports

from .conftest import Page

ROWS = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
SPECIAL = ["<", ">", "&", '"', "'"]
TAGS = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "p", "bdi",
    "nav", "ol", "ul", "li", "main", "section", "div", "dl", "dt", "dd", "table", "caption",
    "thead", "tbody", "tr", "th", "td", "small", "b", "strong", "em", "span", "i", "mark",
    "article", "blockquote", "figure", "figcaption", "svg", "line", "path", "circle", "rect",
    "text", "footer", "code", "wbr", "details", "summary",
}  # fmt: skip

names = st.text(min_size=1, max_size=20)


def page_of(first, second, columns=None):
    """The page of a small model with these two classes, half of the rows predicted wrongly."""
    model = LinearClassifier(max_iter=3).fit(ROWS, [first, second, second, second])
    labels = [second, second, first, second]
    text = reports.report(model, ROWS, labels, columns=columns)
    return text, Page(text)


def shown(name):
    """A name as a page shows it: one line, controls written out, cut at sixty characters."""
    line = " ".join(name.split())
    return line if len(line) <= 60 else line[:59] + "…"


@settings(max_examples=40, deadline=None)
@given(names, names)
def test_labels_of_any_signs_give_a_whole_page(first, second):
    if first == second:
        return
    text, page = page_of(first, second)
    assert {tag for tag, _, _ in page.tags} <= TAGS
    text.encode("utf-8")
    for sign in text:
        hidden = unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        assert not hidden or sign in "\n\u200c\u200d", hex(ord(sign))


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(whitelist_categories=("Lu", "Ll", "Nd", "Po", "Sm")), min_size=1))
def test_printable_labels_are_shown_as_they_are(label):
    if label == "other":
        return
    _, page = page_of(label, "other")
    assert shown(label) in page.text


@pytest.mark.parametrize("sign", SPECIAL)
def test_special_signs_are_shown_once(sign):
    """Escaped once and not twice: nobody reads &amp;lt; on the page."""
    text, page = page_of(f"a{sign}b", "other")
    assert f"a{sign}b" in page.text
    assert f"a{sign}b" not in text.split("</style>")[1]
    assert "&amp;lt;" not in text and "&amp;amp;" not in text and "&amp;#39;" not in text


@pytest.mark.parametrize("sign", SPECIAL)
def test_attributes_hold_their_text_whole(sign):
    name = f"a{sign} onclick={sign}x"
    _, page = page_of("other", name)
    captions = [one["aria-label"] for one in page.all("div") if one.get("class") == "scroll"]
    assert any(name in caption for caption in captions)
    for _, attributes, _ in page.tags:
        assert not any(key.startswith("on") for key in attributes)


@pytest.mark.parametrize(
    "entity", ["&lt;", "&amp;", "&#60;", "&nbsp;", "&copy", "&#x3c;script&#x3e;"]
)
def test_entities_of_the_user_are_not_resolved(entity):
    _, page = page_of(entity, "other")
    assert entity in page.text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a\x00b", "a\\x00b"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b", "a\\u2066b"),
        ("a\u200eb", "a\\u200eb"),
    ],
)
def test_control_signs_are_written_out(name, said):
    text, page = page_of(name, "other")
    assert said in page.text and name not in text


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a \r\n b", "a\u2028b", "a\x85b", "a\u00a0b"])
def test_labels_stand_on_one_line(name):
    _, page = page_of(name, "other")
    assert "a b" in page.text


@pytest.mark.parametrize("name", ["\u0646\u200c\u0645", "क\u200dष", "👩\u200d🔬"])
def test_joiners_stay_between_letters(name):
    _, page = page_of(name, "other")
    assert name in page.text


def test_empty_labels_are_named():
    _, page = page_of("", "other")
    assert "(empty)" in page.text


def test_long_labels_are_cut_wherever_they_stand():
    label = "very long " * 50
    text, page = page_of(label, "other")
    assert label.strip() not in page.text and "…" in page.text
    longest = max(len(one["aria-label"]) for one in page.all("div") if "aria-label" in one)
    assert longest < 200
    # A title may hold the whole of what is cut.
    seen = re.sub(r' title="[^"]*"', "", text)
    assert not any("very long " * 8 in caption for caption in seen.split("<caption>"))


def test_labels_are_kept_apart_from_the_direction_of_the_sentence():
    text, _ = page_of("שלום", "عربي")
    for name in ("שלום", "عربي"):
        assert f"<bdi>{name}</bdi>" in text


@pytest.mark.parametrize("label", [b"caf\xc3\xa9", 3, 2.5, True, ("a", 1)])
def test_labels_of_other_kinds_are_shown_by_their_text(label):
    model = TextClassifier(max_iter=2).fit(["a b", "c d"] * 3, [str(label), "other"] * 3)
    page = Page(reports.report(model, ["a b", "c d"], [str(label), "other"]))
    assert str(label) in page.text


@settings(max_examples=25, deadline=None)
@given(st.lists(names, min_size=2, max_size=2, unique=True))
def test_names_of_columns_are_shown_in_reasons(columns):
    text, page = page_of("no", "yes", columns)
    assert {tag for tag, _, _ in page.tags} <= TAGS
    for name in columns:
        if name.isprintable() and name == shown(name):
            assert name in page.text, name
    assert "<script" not in text


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_texts_of_any_signs_give_a_whole_page(texts):
    model = TextClassifier(max_iter=2).fit(["win a prize", "lunch at noon"] * 3, ["s", "h"] * 3)
    text = reports.report(model, texts, ["s"] * len(texts), examples=4)
    page = Page(text)
    assert {tag for tag, _, _ in page.tags} <= TAGS
    assert len(page.all("blockquote")) >= 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)


def test_marked_words_are_the_text_again():
    """Taking the marks away gives the text back, sign for sign."""
    model = TextClassifier(words=(1, 1), chars=None).fit(
        ["prize & now", "lunch <at> noon"] * 4, ["spam", "ham"] * 4
    )
    row = "A prize & \"lunch\" <now> at 'noon'; PRIZE!"
    text = reports.report(model, [row], ["spam"], examples=1)
    quote = re.search(r"<blockquote[^>]*><bdi>(.*?)</bdi>", text)[1]
    assert "<mark" in quote
    plain = re.sub(r"</?mark[^>]*>", "", quote)
    for entity, sign in (
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")
    ):  # fmt: skip
        plain = plain.replace(entity, sign)
    assert plain == row


def test_numbers_of_a_row_are_listed_and_zeros_left_out():
    X = np.zeros((4, 12))
    X[:, 0], X[0, 3], X[1, 5] = [1, -1, 1, -1], 2.5, -7
    X[3, 1:] = np.arange(1, 12)
    model = LinearClassifier(max_iter=3).fit(X, [1, 0, 1, 0])
    page = reports.report(model, X, [0, 1, 0, 1], examples=4)
    rows = re.findall(r'<p class="row">(.*?)</p>', page)
    plain = {re.sub("<[^>]*>", "", row) for row in rows}
    assert "column 0 = 1, column 3 = 2.5" in plain
    assert "column 0 = -1, column 5 = -7" in plain
    assert any(row.endswith(", and 4 more") for row in plain)
