"""Pictures as SVG: they can be searched, stand beside one another, and hold any label."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from hardlimit import pictures

from .gallery import drawn, svg, texts_of

HOSTILE = [
    "</svg><script>alert(1)</script>",
    '" onload="alert(1)',
    "a & b < c > d",
    "$x^2$",
    "_leading underscore",
    "two\nlines\ttab",
    "\x00\x1b[31m\x7f",
    "\u202eesrever",
    "\ud800 half",
    "é\u0301 中文 😀",
    "x" * 500,
    "",
    "]]>",
    "&amp;lt;",
]


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_a_class_of_any_name_is_text(label):
    picture = pictures.confusion([label, "b"], ["b", "b"])
    text = picture.svg()
    root = ElementTree.fromstring(text)
    tags = {one.tag.rpartition("}")[2] for one in root.iter()}
    assert not {"script", "image", "foreignObject"} & tags
    assert not any(name.startswith("on") for one in root.iter() for name in one.attrib)
    text.encode("utf-8")
    assert picture.data["classes"][0] in (label, "b")


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_labels_in_legends_are_whole_or_cut_with_a_sign(label):
    X, y = [[0, 0], [1, 1]], ["~other", label]
    texts = texts_of(pictures.decision_line(((1, 1), -1), X, y).svg())
    plain = " ".join("".join("?" if ord(c) < 32 and not c.isspace() else c for c in label).split())
    wanted = plain[:23] + "…" if len(plain) > 24 else plain
    if label and label.isprintable():
        assert any(wanted.strip() == text.strip() for text in texts), texts
    assert all(len(text) < 90 for text in texts)
    assert not any(c in "".join(texts) for c in "\x00\x1b\x7f\u202e\n\t")


def test_a_dollar_sign_is_a_dollar_sign():
    assert any("$x^2$" in text for text in texts_of(pictures.confusion(["$x^2$"], ["$x^2$"]).svg()))


def test_two_in_one_page_keep_their_ids_apart():
    one, other = drawn("roc").svg("first-"), drawn("roc").svg("second-")
    ids = [re.findall(r' id="([^"]+)"', text) for text in (one, other)]
    assert not set(ids[0]) & set(ids[1]) and len(ids[0]) == len(ids[1])
    for prefix, text in (("first-", one), ("second-", other)):
        assert all(x.startswith(prefix) for x in re.findall(r"url\(#([^)]+)\)", text))


def test_a_notebook_shows_the_same_picture():
    assert drawn("roc")._repr_svg_() == svg("roc")


def test_a_figure_of_an_empty_prefix_has_plain_ids():
    root = ElementTree.fromstring(drawn("roc").svg(prefix=""))
    assert root.get("aria-labelledby") == "title desc"


def test_numbers_that_are_not_finite_are_null_in_json():
    y, scores = ["a", "b"], [0.0, 1.0]
    plain = pictures.roc(y, scores).to_json()
    data = pictures.roc(y, scores).data
    for value, kept in zip(data["threshold"], plain["data"]["threshold"], strict=True):
        assert kept is None if value in (float("inf"), float("-inf")) else kept == value


def test_labels_of_other_kinds_are_words_in_json():
    plain = pictures.confusion([b"a", (1, 2)], [b"a", b"a"]).to_json()
    assert set(map(str, plain["data"]["classes"])) <= {"b'a'", "(1, 2)", "[1, 2]"}
