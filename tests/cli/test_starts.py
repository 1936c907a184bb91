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
        (
            ("--start", "1,-1/2"),
            "--start: got 2 .*weights, wanted 3.*, one a column, the bias.*s last",
        ),
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


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("text,label\na nice offer,spam\nat noon,ham\n")
    return path


def test_texts_begin_at_the_weights_of_a_file(texts, tmp_path) -> None:
    weights, model = tmp_path / "weights.csv", tmp_path / "m"
    weights.write_text("term,weight\nfree,3\nlecture,-3\n")
    assert main(["train", str(texts), "-o", str(model), "--start", str(weights)]) == 0
    assert load(model).predict(["free", "a lecture"]).tolist() == ["spam", "ham"]


def test_texts_begin_at_an_earlier_model(texts, tmp_path) -> None:
    made, model = tmp_path / "made", tmp_path / "m"
    words = ["make", "-o", str(made), "--weight", "free=3", "--classes", "ham,spam"]
    assert main([*words, "--threshold", "1"]) == 0
    assert main(["train", str(texts), "-o", str(model), "--start", str(made)]) == 0
    assert load(model).predict(["free", "unknown"]).tolist() == ["spam", "ham"]


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (None, 2, "--start wants a FILE of terms and weights"),
        ("term,weight\nfree,many\n", 1, "weights.csv:2: wanted a term and a number"),
        ("Free,2\n", 1, "--start: got a weight of 'Free'.* read as 'free'"),
    ],
)
def test_files_of_weights_that_are_refused(content, status, said, texts, tmp_path, capsys) -> None:
    path = tmp_path / "weights.csv"
    if content is not None:
        path.write_text(content)
    found = main(["train", str(texts), "-o", str(tmp_path / "m"), "--start", str(path)])
    captured = capsys.readouterr()
    assert found == status, captured.err
    assert re.search(said, captured.err), captured.err
    assert not (tmp_path / "m").exists()
