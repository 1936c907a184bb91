"""``--start``: weights at the start, in trace and train."""

from __future__ import annotations

import re

import pytest

from hardlimit.classifiers import load
from hardlimit.cli import main

OR = "x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n"


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(OR)
    return path


def test_trace_begins_there(points, capsys) -> None:
    assert main(["trace", str(points), "--start", "1,-1/2,0"]) == 0
    out = capsys.readouterr().out
    assert "    1   1    1  -1/2   0     1    1    1     1/2      no" in out
    assert "separated after 4 corrections in 3 epochs" in out


def test_train_begins_there(points, tmp_path, capsys) -> None:
    model = tmp_path / "m"
    words = ["train", str(points), "-o", str(model), "--start", "1,1,1", "--order", "cyclic"]
    assert main(words) == 0
    assert "1 epoch, 0 corrections" in capsys.readouterr().out
    assert load(model).coef_.tolist() == [[1, 1]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--start", "1,a,2"), "--start wants numbers"),
        (("--start", "1,2"), "--start: got .*3"),
        (("--start", "1,2,3", "--rule", "winnow-2"), "begins at values of its own"),
        (("--start", "1,2,3", "--rule", "balanced-winnow"), "begins at values of its own"),
        (("--start", "1,2,3", "--rule", "adatron"), "what each example counts"),
    ],
)
@pytest.mark.parametrize("command", ["trace", "train"])
def test_what_is_refused(command, words, said, points, tmp_path, capsys) -> None:
    more = ["-o", str(tmp_path / "m")] if command == "train" else []
    assert main([command, str(points), *more, *words]) != 0
    captured = capsys.readouterr()
    assert re.search(said, captured.err), captured.err


def test_texts_have_another_way(tmp_path, capsys) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("text,label\na free offer,spam\na lecture,ham\n")
    assert main(["train", str(path), "-o", str(tmp_path / "m"), "--start", "1,2"]) == 2
    assert "'hardlimit make'" in capsys.readouterr().err
