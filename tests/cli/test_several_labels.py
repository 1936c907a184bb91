"""A layer of neurons from the command line: ``train --label a,b,c``, its answers, its figures."""

from __future__ import annotations

import json

import pytest

from hardlimit.classifiers import load
from hardlimit.cli import main

# NOR, OR and AND of two inputs, as 0 and 1, -1 and 1, and words.
GATES = "x1,x2,nor,or,and\n-1,-1,1,-1,no\n1,-1,0,1,no\n-1,1,0,1,no\n1,1,0,1,yes\n"
TRUTH = [
    "nor=1\tor=-1\tand=no",
    "nor=0\tor=1\tand=no",
    "nor=0\tor=1\tand=no",
    "nor=0\tor=1\tand=yes",
]


@pytest.fixture
def gates(tmp_path):
    path = tmp_path / "gates.csv"
    path.write_text(GATES)
    return str(path)


@pytest.fixture
def model(gates, tmp_path, capsys):
    path = str(tmp_path / "gates.hardlimit")
    assert main(["train", gates, "--label", "nor,or,and", "-o", path]) == 0
    out = capsys.readouterr().out
    assert "4 with 3 labels: nor, or, and" in out and "a neuron for each label" in out
    return path


def test_each_row_gets_all_labels(model, gates, capsys) -> None:
    assert main(["predict", model, gates]) == 0
    assert capsys.readouterr().out.splitlines() == TRUTH
    assert load(model).coef_.shape == (3, 2)


def test_rows_without_labels_and_json(model, tmp_path, capsys) -> None:
    bare = tmp_path / "bare.csv"
    bare.write_text("x2,x1\n-1,-1\n")
    assert main(["predict", model, str(bare), "--json", "--scores"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["labels"] == {"nor": 1, "or": -1, "and": "no"} and len(found["scores"]) == 3


def test_figures_of_each_label(model, gates, capsys) -> None:
    assert main(["evaluate", model, gates]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split() == ["nor", "4", "of", "4", "1.0000"]
    assert out[-1].split() == ["all", "together", "4", "of", "4", "1.0000"]
    assert main(["evaluate", model, gates, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["subset_accuracy"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--label", "nor,,and"), "--label wants different columns"),
        (("--label", "nor,nor"), "--label wants different columns"),
        (("--label", "nor,xor"), "there is no column 'xor'"),
        (("--label", "nor,or", "--holdout", "0.2"), "--holdout does not go with several labels"),
        (("--label", "nor,or", "--kernel", "rbf"), "--kernel does not go with several labels"),
    ],
)
def test_what_is_refused(words, said, gates, tmp_path, capsys) -> None:
    assert main(["train", gates, *words, "-o", str(tmp_path / "m")]) != 0
    assert said in capsys.readouterr().err


def test_other_commands_say_which_know_it(model, gates, capsys) -> None:
    assert main(["inspect", model]) == 1
    assert "predict and evaluate know it" in capsys.readouterr().err
    assert main(["predict", model, gates, "-o", "x.csv"]) == 2
