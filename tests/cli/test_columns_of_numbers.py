"""Columns of a numeric CSV are matched by name, and prediction needs no label."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from hardlimit.cli import main

ROWS = [(i % 5, 7 - i % 7, "yes" if i % 5 > 2 else "no") for i in range(70)]


@pytest.fixture
def model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = tmp_path / "train.csv"
    file.write_text("a,b,kind\n" + "".join(f"{a},{b},{kind}\n" for a, b, kind in ROWS))
    path = str(tmp_path / "m")
    assert main(["train", str(file), "--format", "numeric-csv", "-o", path]) == 0
    capsys.readouterr()
    return path


def test_another_order_of_columns_changes_nothing(model: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "other.csv"
    file.write_text("kind,b,a\n" + "".join(f"{kind},{b},{a}\n" for a, b, kind in ROWS))
    found = []
    for path in (tmp_path / "train.csv", file):
        assert main(["evaluate", model, str(path), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] and found[0]["accuracy"] > 0.9


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("a,kind\n1,yes\n", "no column 'b'"),
        ("a,b,c,kind\n1,2,3,yes\n", "column 'c'"),
        ("a,b\n1,2\n", "no column 'kind' for the label"),
        ("1,2,yes\n", "the first row holds no names"),
        ("a,b,kind\n1,2,\n", "label is missing"),
    ],
)
def test_what_does_not_match_is_named(content, named, model, tmp_path, capsys) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(content)
    assert main(["evaluate", model, str(file)]) == 1
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("b,a\n6,0\n6,4\n", ()),
        ("kind,b,a\n,6,0\n,6,4\n", ()),
        ("0,6\n4,6\n", ("--no-header",)),
        ("0,6,?\n4,6,?\n", ("--no-header",)),
    ],
)
def test_no_label_is_needed_to_predict(content, words, model, tmp_path, capsys) -> None:
    file = tmp_path / "new.csv"
    file.write_text(content)
    assert main(["predict", model, str(file), *words]) == 0
    answers = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert answers == ["no", "yes"]


def test_no_label_by_count_of_columns(tmp_path: Path, capsys) -> None:
    file, new, model = tmp_path / "t.csv", tmp_path / "new.csv", str(tmp_path / "m")
    file.write_text("".join(f"{a},{kind},{b}\n" for a, b, kind in ROWS))
    words = ["train", str(file), "--format", "numeric-csv", "--label", "1", "-o", model]
    assert main(words) == 0
    new.write_text("0,6\n4,6\n")
    capsys.readouterr()
    assert main(["predict", model, str(new)]) == 0
    assert [x.split("\t")[0] for x in capsys.readouterr().out.splitlines()] == ["no", "yes"]
    new.write_text("0,6,1,no\n")
    assert main(["predict", model, str(new)]) == 1
    assert "trained on 2" in capsys.readouterr().err


def test_svmlight_without_labels(tmp_path: Path, capsys) -> None:
    file, new, model = tmp_path / "t.svm", tmp_path / "new.svm", str(tmp_path / "m")
    file.write_text("+1 1:1\n-1 1:-1 2:1\n" * 5)
    assert main(["train", str(file), "-o", model]) == 0
    new.write_text("1:1\n1:-1 2:1\n")
    capsys.readouterr()
    assert main(["predict", model, str(new)]) == 0
    assert [x.split("\t")[0] for x in capsys.readouterr().out.splitlines()] == ["1", "-1"]
    assert main(["evaluate", model, str(new)]) == 1
    assert "as the label" in capsys.readouterr().err
    new.write_text("1:1\n1:x\n")
    assert main(["predict", model, str(new)]) == 1
    assert ":2:1: the value of '1:x' is not a number" in capsys.readouterr().err


def test_answers_beside_the_columns(model: str, tmp_path: Path) -> None:
    file, target = tmp_path / "new.csv", tmp_path / "scored.csv"
    file.write_text("b;a\n6;0\n\n6;4\n")
    assert main(["predict", model, str(file), "-o", str(target), "--scores"]) == 0
    with target.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter=";"))
    assert list(rows[0]) == ["b", "a", "label", "score", "score_no", "score_yes"]
    assert [(row["b"], row["a"], row["label"]) for row in rows] == [
        ("6", "0", "no"),
        ("6", "4", "yes"),
    ]
