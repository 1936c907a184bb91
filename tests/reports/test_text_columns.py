"""A report on a model of texts in several columns: each text by itself, its own words marked."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import reports
from hardlimit.cli import main
from hardlimit.exceptions import HardlimitError

from ..classifiers.test_text_columns import TABLE
from ..rounding import SINGLE, near
from .conftest import Page

ROWS = list(zip(TABLE["subject"], TABLE["body"], strict=True))
# Some labels are wrong, so that there are errors to show.
LABELS = ["ham" if i % 6 == 0 else label for i, label in enumerate(TABLE["label"])]


@pytest.fixture(scope="module")
def clf():
    return hl.TextClassifier(text_columns=("subject", "body"), probability=True).fit(
        TABLE, TABLE["label"]
    )


def test_the_page_shows_each_column_with_its_own_words(clf):
    page = reports.report(clf, TABLE, LABELS, train=(ROWS, TABLE["label"]))
    read = Page(page)
    assert "subject" in read.text and "body" in read.text
    # Equal words of two columns are other words: each is marked where it decided.
    assert page.count("<blockquote") % 2 == 0 and "<mark" in page
    assert "rows25" in read.text and "subject: win" in read.text
    assert reports.report(clf, ROWS, LABELS, train=(TABLE, TABLE["label"])) == page


def test_a_table_a_file_and_rows_give_one_page(clf, tmp_path):
    pandas = pytest.importorskip("pandas")
    clf.save(tmp_path / "m", training_state=False)
    table = pandas.DataFrame(TABLE)
    page = reports.report(str(tmp_path / "m"), table, LABELS)
    assert "<mark" in page and page == reports.report(str(tmp_path / "m"), ROWS, LABELS)


def test_where_a_column_ends_counts_for_duplicates(clf):
    read = Page(reports.report(clf, [("a b", "c"), ("a", "b c"), ("A  b", "c")], ["ham"] * 3))
    assert "exact duplicates of an earlier onenone" in read.text
    assert "duplicates up to case and spaces1 (" in read.text


def test_blank_rows_bytes_and_rows_without_labels(clf):
    rows = [(" ", b""), (b"win now", "free \xff"), ("<b>", "</b>&")]
    page = Page(reports.report(clf, rows))
    assert "empty1 (" in page.text and "(an empty text)" in page.text
    assert "<b>" in page.text


@pytest.mark.parametrize("rows", [["one text"], [("a",)], {"subject": ["a"]}, [(1, 2)], 5])
def test_other_rows_are_refused_with_the_columns(clf, rows):
    with pytest.raises(HardlimitError, match="report|texts"):
        reports.report(clf, rows)


def test_an_explanation_as_a_page_marks_each_column(clf):
    texts = {"subject": "win cash now", "body": "see cash later <i>"}
    found = clf.explain(tuple(texts.values()))
    page = reports.render_explanation(found, texts)
    assert page.count("<blockquote") == 2 and "&lt;i" in page
    assert "<h2><bdi>subject</bdi></h2>" in page
    given = {name: {"cash": value} for name, value in (("subject", 0.0), ("body", 1.0))}
    marked = reports.render_explanation(found, texts, given)
    assert marked.count('class="for s4">cash') == 1


def test_the_command_reports_and_explains(clf, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [
        "subject,body,label",
        *(f"{a},{b},{c}" for (a, b), c in zip(ROWS, LABELS, strict=True)),
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    clf.save("m")
    words = ["train", "t.csv", "-o", "m", "--label", "label", "-q"]
    assert main([*words, "--text", "subject", "--text", "body"]) == 0
    assert main(["report", "m", "t.csv", "-o", "r.html", "--train", "t.csv"]) == 0
    page = (tmp_path / "r.html").read_text()
    assert "subject" in Page(page).text and "also in the training rows25" in Page(page).text
    assert main(["explain", "m", "t.csv", "--row", "7", "--html", "e.html"]) == 0
    assert (tmp_path / "e.html").read_text().count("<blockquote") == 2
    capsys.readouterr()
    monkeypatch.setattr("hardlimit.cli.terminal.shows_colours", lambda: True)
    assert main(["explain", "m", "t.csv", "--row", "7"]) == 0
    out = capsys.readouterr().out
    assert "\nsubject:\n" in out and "\nbody:\n" in out


def test_scores_of_the_page_are_those_of_the_model(clf):
    texts = {"subject": "win cash now", "body": "see you"}
    found = clf.explain(tuple(texts.values()))
    assert found.score == near(
        abs(float(np.ravel(clf.decision_function([texts]))[0])), 10, unit=SINGLE
    )
