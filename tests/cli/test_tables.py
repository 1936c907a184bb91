"""Mixed tables on the command line: the kinds are told or named, and every command knows them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.tables.table_data import LABELS, ROWS

import hardlimit as hl
from hardlimit.cli import main

from ..making import said


def write_csv(path: str, rows: list[dict], delimiter: str = ",") -> None:
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_csv("a.csv", ROWS)
    write_csv("a.tsv", ROWS, "\t")
    write_csv("moved.csv", [dict(reversed([*row.items(), ("more", 1)])) for row in ROWS])
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


TRAIN = ("--label", "churned", "--drop", "id", "--text", "notes", "--number", "age", "-q")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl"])
def test_it_is_the_model_of_python(name, files, capsys):
    said(capsys, "train", name, "-o", "m", *TRAIN)
    clf = hl.TableClassifier(drop_columns=["id", "churned"]).fit(ROWS, LABELS)
    assert (hl.load("m").decision_function(ROWS) == clf.decision_function(ROWS)).all()
    for other in ("a.csv", "moved.csv", "a.jsonl"):
        answers = said(capsys, "predict", "m", other).split()[::2]
        assert answers == clf.predict(ROWS).tolist()
        measured = json.loads(said(capsys, "evaluate", "m", other, "--json"))
        assert measured["accuracy"] == clf.score(ROWS, LABELS)


def test_the_kinds_are_said_before_training(files, capsys):
    assert main(["train", "a.csv", "-o", "m", "--label", "churned", "--number", "age"]) == 0
    err = capsys.readouterr().err
    assert "id: category (120 values, nearly all different)" in err
    assert "age: number; city: category (3 values)" in err and "notes: text" in err


def test_a_table_that_nobody_described_is_read_as_one(files, capsys):
    write_csv("b.csv", [{k: v for k, v in row.items() if k not in ("id", "notes")} for row in ROWS])
    said(capsys, "train", "b.csv", "-o", "m", "--label", "churned")
    assert hl.load("m").kinds_ == {"age": "number", "city": "category", "plan": "category"}
    # What was learnt from before stays what it was: a column with the name of a text alone.
    said(capsys, "train", "a.jsonl", "-o", "n", "--label", "churned", "--text", "notes", "-q")
    assert type(hl.load("n")) is hl.TextClassifier


def test_every_command_knows_them(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN, "--holdout", "0.25", "--probability")
    assert "a classifier of mixed tables" in said(capsys, "inspect", "m")
    head, first, *_ = said(capsys, "predict", "m", "a.csv", "-o", "-", "--probability").splitlines()
    assert head.startswith("id,age,city,plan,notes,churned,label,score") and first.startswith("c0,")
    shown = said(capsys, "explain", "m", "a.csv", "--row", "1")
    assert "age = " in shown and "sd)" in shown and "notes: " in shown
    row = json.dumps({k: v for k, v in ROWS[0].items() if k != "churned"})
    assert said(capsys, "explain", "m", row) == shown
    said(capsys, "report", "m", "moved.csv", "-o", "r.html")
    said(capsys, "train", "moved.csv", "--train-from", "m", "-o", "n", "-q")
    assert type(hl.load("n")) is hl.TableClassifier


def test_new_categories_are_told(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    write_csv("new.csv", [{**ROWS[0], "city": "Oslo"}, {**ROWS[1], "city": "Oslo"}, ROWS[2]])
    assert main(["predict", "m", "new.csv"]) == 0
    assert "column 'city': 2 rows have 1 value that training did not see: 'Oslo' (2)" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("change", "words", "message"),
    [
        ({"age": "old"}, (), "b.csv:4: column 'age': got 'old', wanted a number"),
        ({"age": ""}, (), "b.csv:4: column 'age': got nothing: the value is missing"),
        ({"age": "inf"}, (), "b.csv:4: column 'age': got 'inf', wanted a number below 1e+150"),
        ({"city": "?"}, (), "b.csv:4: column 'city'"),
        ({}, ("--number", "churned"), "'churned' is the label"),
        ({}, ("--category", "age"), "'age' is named twice"),
        ({}, ("--category", "ctiy"), "did you mean 'city'"),
        ({}, ("--scale", "standard"), "standardised anyway"),
        ({}, ("--column-weights", "1:2"), "three numbers"),
    ],
    ids=str,
)
def test_what_is_refused(change, words, message, files, capsys):
    rows = [dict(row) for row in ROWS]
    rows[2] |= change
    write_csv("b.csv", rows)
    assert main(["train", "b.csv", "-o", "m", *TRAIN, *words]) != 0
    assert message in " ".join(capsys.readouterr().err.split())
    assert not Path("m").exists()


def test_missing_columns_are_named(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    write_csv("b.csv", [{"age": 3, "citi": "Ghent", "notes": "x"}])
    assert main(["predict", "m", "b.csv"]) != 0
    assert "there are no columns 'city', 'plan'" in capsys.readouterr().err


def test_missing_values_are_counted(files, capsys):
    rows = [dict(row) for row in ROWS]
    rows[2]["age"], rows[3]["age"], rows[4]["city"] = "", "NA", "?"
    write_csv("b.csv", rows)
    words = ("--label", "churned", "--drop", "id", "--missing", "mean")
    assert main(["train", "b.csv", "-o", "m", *words]) == 0
    err = capsys.readouterr().err
    assert "age: number (2 missing -> mean)" in err
    assert "city: category (3 values, 1 missing -> a value)" in err
    assert main(["evaluate", "m", "b.csv"]) == 0


def test_names_of_columns_alone_are_compared_too(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    Path("line.csv").write_text("a line alone\n")
    assert main(["predict", "m", "line.csv"]) == 1
    assert "there are no columns" in capsys.readouterr().err
    Path("names.csv").write_text(Path("a.csv").read_text().split("\n")[0] + "\n")
    assert said(capsys, "predict", "m", "names.csv") == ""


def test_a_column_without_a_name_is_named_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(
        ",age,city,y\n" + "".join(f"{k},{k % 7},c{k % 3},{k % 2}\n" for k in range(20))
    )
    assert main(["train", "t.csv", "--label", "y", "-o", "m"]) == 0
    told = capsys.readouterr()
    assert "columns: (no name): number; age" in told.err and "--drop ''" in told.err
    assert "standardised numbers (no name), age" in told.out
    assert main(["train", "t.csv", "--label", "y", "--drop", "", "-o", "m"]) == 0
    assert "numbers age;" in capsys.readouterr().out


def test_predict_advises_what_predict_can_do(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    for value, advice in (
        ("", "fill it in; a model that was trained with --missing mean"),
        ("x", "correct it: the model"),
    ):
        write_csv("b.csv", [{**ROWS[0], "age": value}])
        assert main(["predict", "m", "b.csv"]) == 1
        told = capsys.readouterr().err
        assert advice in told and "--category" not in told


def test_a_table_without_an_obvious_label_names_the_option(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("39,State-gov,1\n50,Private,2\n38,Private,1\n")
    assert main(["train", "t.csv", "-o", "m"]) == 1
    assert "say --text NAME and --label NAME, or --no-header" in capsys.readouterr().err


DROP = ("--drop", "id", "--drop", "notes")


def test_a_table_is_exported_with_an_input_for_each_column(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", "--label", "churned", *DROP)
    out = said(capsys, "export", "m", "-o", "t.onnx")
    assert "input   age: float64, one a row" in out and "city: str, one a row" in out
    found = json.loads(said(capsys, "export", "m", "-o", "t.onnx", "--json"))
    assert found["inputs"]["age"] == ["N", 1] and "X" not in found["inputs"]
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    assert main(["export", "m", "-o", "u.onnx"]) == 1
    assert "m: the column 'notes' is a text, and ONNX has no operators" in capsys.readouterr().err
