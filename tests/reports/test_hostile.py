"""Texts, labels and names of columns that would like to be markup."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, reports

NASTY = [
    "</style><script>alert(1)</script>",
    "<script src='http://evil.example/x.js'></script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "'; drop table users; --",
    "</title></head><body>",
    "]]><!-- --><?php ?>",
    "&lt;b&gt; &#60; &amp",
    "a\x00b\x01\x1b[31m\x7f",
    "\u202eesrever\u2066 \u200f",
    "\ud800 lone",
    "$x^2$ ${y} {{z}} %s {0}",
    "😀👩\u200d👩\u200d👧 e\u0301",
    "x" * 100_000,
    "word " * 20_000,
    "",
    "   \n\t ",
    "\x85\u2028\u2029",
]


def test_hostile_texts_and_labels_are_shown_and_not_obeyed(parsed):
    labels = [NASTY[number % 9] for number in range(len(NASTY))]
    model = TextClassifier(max_iter=2).fit(NASTY * 2, labels * 2)
    wrong = labels[1:] + labels[:1]
    text = reports.report(model, NASTY, wrong, examples=50)
    page = parsed(text)
    assert "<script" not in text and "<img" not in text and "<!--" not in text
    assert not {"script", "img", "object", "iframe", "link"} & {tag for tag, _, _ in page.tags}
    assert len(page.all("style")) == 1 and len(page.all("title")) >= 1
    for _, attributes, _ in page.tags:
        assert not any(name.startswith("on") for name in attributes), attributes
    assert not any(c in text for c in "\x00\x01\x1b\x7f\u202e\u2066\u200f\x85\u2028")
    assert "\\x00" in text and "\\u202e" in text and "\\ud800" in text
    assert "</style><script>alert(1)</script>" in page.text
    text.encode("utf-8")
    assert len(text) < 1_000_000


def test_a_very_long_text_is_cut(parsed):
    model = TextClassifier(max_iter=2).fit(["a b", "c d"], [0, 1])
    page = parsed(reports.report(model, ["y" * 1_000_000], [0]))
    assert "1,000,000 characters in all" in page.text and "y" * 421 not in page.text


def test_joiners_of_emoji_stay(parsed):
    family = "👩\u200d👩\u200d👧"
    model = TextClassifier(max_iter=2).fit(["a b", "c d"], [0, 1])
    assert family in parsed(reports.report(model, [family], [0])).text


def test_hostile_names_of_columns(parsed):
    X = np.array([[1.0, 2.0], [-1.0, -2.0]] * 20)
    model = LinearClassifier().fit(X, ["<b>", "&amp;"] * 20)
    text = reports.report(model, X, ["&amp;", "<b>"] * 20, columns=["<script>", "\x00"])
    page = parsed(text)
    assert "<script>" in page.text and "<script>" not in text and "\\x00" in text


def test_bytes_are_texts(parsed):
    model = TextClassifier(max_iter=2).fit([b"caf\xc3\xa9 noir", b"c d"], [b"x", b"y\xff"])
    page = parsed(reports.report(model, [b"caf\xc3\xa9 \xff"], [b"y\xff"]))
    assert "café" in page.text


@pytest.mark.parametrize("label", [True, 1.0, -3, "é", "a b"])
def test_labels_of_every_kind(label, parsed):
    other = not label if isinstance(label, bool) else type(label)(0) if label != "é" else "e"
    model = TextClassifier(max_iter=2).fit(["a b", "c d"] * 4, [label, other] * 4)
    page = parsed(reports.report(model, ["a b", "c d"], [label, other]))
    assert str(label) in page.text


def test_the_check_for_balance_can_fail(parsed):
    page = "<!doctype html>\n<html lang='en'><p id='a'>x</html>\n"
    with pytest.raises(AssertionError):
        parsed(page)
    with pytest.raises(AssertionError):
        parsed("<!doctype html>\n<html lang='en'><p id='a'></p><p id='a'></p></html>\n")
