"""``explain`` for numbers and kernels, as a page, and in colour."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.cli import main, terminal

from ..making import said
from ..rounding import SINGLE, near

TEXTS = ["win a free prize", "lunch at noon", "free cash prize", "see you at lunch"] * 3
LABELS = ["spam", "ham"] * 6


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hl.TextClassifier().fit(TEXTS, LABELS).save("texts")
    rows = "1,2,a\n3,1,b\n0,1,a\n4,0,c\n"
    Path("points.csv").write_text("x,y,label\n" + rows)
    words = ["train", "points.csv", "--format", "numeric-csv", "-o", "numbers", "-q"]
    assert main(words) == 0
    clf = hl.KernelClassifier("rbf", max_iter=5, until=None)
    clf.fit([[1, 2], [3, 1], [0, 1], [4, 0]], ["a", "b", "a", "c"]).save("kernel")
    return tmp_path


@pytest.mark.parametrize("model", ["numbers", "kernel"])
def test_a_row_of_a_file_and_a_row_that_is_typed(model, models, capsys):
    clf, asked = hl.load(model), ("--json", "--top", "9")
    typed = json.loads(said(capsys, "explain", model, "3, 1", *asked))
    expected = clf.explain([3.0, 1.0])
    assert (typed["label"], typed["against"]) == (expected.label, expected.against)
    assert typed["score"] == near(expected.score, 20, unit=SINGLE)
    if model == "numbers":  # the kernel was fitted in Python, and remembers no file
        assert (
            json.loads(said(capsys, "explain", model, "points.csv", "--row", "2", *asked)) == typed
        )
        assert {one["term"] for one in typed["terms"]} == {"x", "y"}
    printed = said(capsys, "explain", model, "3 1")
    assert ("column" if model == "numbers" else "support") in printed


def test_numbers_against_a_class(models, capsys):
    found = json.loads(said(capsys, "explain", "numbers", "3,1", "--against", "a", "--json"))
    scores = dict(zip("abc", hl.load("numbers").decision_function([[3, 1]])[0], strict=True))
    assert found["score"] == near(scores[found["label"]] - scores["a"], 20, unit=SINGLE)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("numbers", "no numbers"), "neither a file nor a row of numbers"),
        (("numbers", "1,2,3"), "3 numbers; the model wants 2"),
        (("numbers", "points.csv", "--row", "9"), "has 4 rows"),
        (("numbers", "1,2", "--row", "1"), "--row counts the rows of a file"),
        (
            ("numbers", "1,2", "--terms"),
            "--terms does not go with a file of numbers",
        ),
        (("texts", "a prize", "--row", "1"), "counts the rows of a file"),
        (("texts", "a prize", "--html", "texts"), "texts"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_refusals(words, message, models, capsys):
    before = Path("texts").read_bytes()
    assert main(["explain", *words]) != 0
    assert message in " ".join(capsys.readouterr().err.split())
    assert Path("texts").read_bytes() == before


def test_a_page_has_the_whole_text_with_its_words_marked(models, capsys):
    text = "Dear friend,\n<b>WIN</b> a free prize! " + "Nothing more here. " * 200 + "See you."
    assert said(capsys, "explain", "texts", text, "--html", "why.html") == ""
    page = Path("why.html").read_text()
    assert "<script" not in page and "&lt;" in page
    assert re.sub("<[^>]*>", "", page).count("Nothing more here") == 200
    assert ">WIN</mark>" in page and ">prize</mark>" in page
    assert said(capsys, "explain", "texts", text, "--html", "again.html") == ""
    assert Path("again.html").read_text() == page
    assert said(capsys, "explain", "numbers", "3 1", "--html", "row.html") == ""
    assert "<table" in Path("row.html").read_text()


def test_a_terminal_with_colours_shows_the_sentences(models, capsys, monkeypatch):
    text = "Win a free prize now! " + "Qqq zzz. " * 200
    plain = said(capsys, "explain", "texts", text)
    assert "\x1b" not in plain and "Qqq" not in plain
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = said(capsys, "explain", "texts", text)
    assert "\x1b[32mprize\x1b[0m" in shown and "..." in shown and "Qqq zzz" not in shown
    monkeypatch.setenv("NO_COLOR", "1")
    assert said(capsys, "explain", "texts", text) == plain
