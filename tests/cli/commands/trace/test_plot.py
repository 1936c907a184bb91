"""``hardlimit trace --plot``: the lines of the corrections as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from hardlimit import pictures, textbook
from hardlimit.cli import main

TABLE = "x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n"


@pytest.fixture
def points(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").write_text(TABLE)
    return tmp_path


def test_the_picture_is_that_of_the_trace_and_the_table_stays(points, capsys):
    assert main(["trace", "points.csv"]) == 0
    plain = capsys.readouterr().out
    assert main(["trace", "points.csv", "--plot", "steps.svg"]) == 0
    assert capsys.readouterr().out == plain
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    expected = pictures.steps(textbook.trace(X, y, names=["x1", "x2"]))
    found = (points / "steps.svg").read_text()
    assert found.endswith(expected.svg())
    assert ElementTree.fromstring(found).tag.endswith("svg")


@pytest.mark.parametrize(("kind", "head"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_by_the_extension(points, capsys, kind, head):
    assert main(["trace", "points.csv", "--plot", f"steps.{kind}", "-o", "table.md"]) == 0
    assert (points / f"steps.{kind}").read_bytes().startswith(head)
    assert (points / "table.md").exists()


def test_the_lines_that_are_printed_are_the_same_as_without(points, capsys):
    for words in (["--lines", "5"], ["--lines", "1"], ["--lines", "0"], ["--lines", "8"]):
        main(["trace", "points.csv", *words])
        plain = capsys.readouterr().out
        main(["trace", "points.csv", *words, "--plot", "steps.svg"])
        assert capsys.readouterr().out == plain


@pytest.mark.parametrize(
    ("plot", "code", "said"),
    [
        ("steps.gif", 2, "--plot steps.gif: wanted .png, .svg or .pdf"),
        ("steps", 2, "wanted .png, .svg or .pdf"),
        ("-", 2, "wanted .png, .svg or .pdf"),
        ("nowhere/steps.svg", 1, "no folder"),
    ],
)
def test_what_cannot_be_written_is_refused(points, capsys, plot, code, said):
    assert main(["trace", "points.csv", "--plot", plot]) == code
    captured = capsys.readouterr()
    assert said in captured.err and not captured.out


def test_it_does_not_write_over_what_it_reads_or_writes(points, capsys):
    (points / "points.csv").rename(points / "points.svg")
    assert main(["trace", "points.svg", "--plot", "points.svg"]) == 2
    assert (points / "points.svg").read_text() == TABLE
    words = ["points.svg", "--plot", "a.svg", "-o", "a.svg", "--format", "text"]
    assert main(["trace", *words]) == 2
    assert not (points / "a.svg").exists()


def test_three_columns_make_no_plane(points, capsys):
    (points / "points.csv").write_text("a,b,c,t\n1,2,3,0\n4,5,6,1\n")
    assert main(["trace", "points.csv", "--plot", "steps.svg"]) == 1
    captured = capsys.readouterr()
    assert "points.csv: --plot: got rows of 3 columns, wanted 2" in captured.err
    assert not captured.out and not (points / "steps.svg").exists()


def test_a_missing_matplotlib_is_one_sentence(points, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["trace", "points.csv", "--plot", "steps.svg"]) == 1
    assert "pip install 'hardlimit[plots]'" in capsys.readouterr().err
