"""``hardlimit make``: the spam rule of the slides, from weights to a model that learns on."""

from __future__ import annotations

import json
import re

import pytest

from hardlimit.classifiers import load
from hardlimit.cli import main

RULE = ("--weight", "free=0.124", "--weight", "offer=2.5", "--weight", "lecture=-2.31")
SLIDES = (*RULE, "--threshold", "2.12", "--classes", "nospam,spam")


@pytest.fixture
def spam(tmp_path):
    assert main(["make", "-o", str(tmp_path / "spam.hardlimit"), *SLIDES]) == 0
    return tmp_path / "spam.hardlimit"


def test_the_rule_of_the_slides(spam, capsys) -> None:
    assert main(["make", "-o", str(spam), *SLIDES]) == 0
    assert "spam when the weighted sum exceeds 2.12, else nospam" in capsys.readouterr().out
    assert main(["explain", str(spam), "a free offer"]) == 0
    assert "+0.504  " in capsys.readouterr().out
    assert main(["inspect", str(spam)]) == 0
    assert "not trained: the weights were given" in capsys.readouterr().out


def test_it_learns_on(spam, tmp_path, capsys) -> None:
    mails = tmp_path / "mails.csv"
    mails.write_text("text,label\na free lecture offer,spam\nhello there,nospam\n")
    assert main(["train", str(mails), "--train-from", str(spam), "-o", str(spam)]) == 0
    assert "2 of 2 rows answered as taught" in capsys.readouterr().out
    assert load(spam).predict(["a free lecture offer"]).tolist() == ["spam"]
    assert main(["inspect", str(spam)]) == 0
    found = capsys.readouterr().out
    assert "the weights were given; rows shown later" in found and "not trained" not in found


def test_a_file_of_weights_of_columns(tmp_path, capsys) -> None:
    weights, points, model = tmp_path / "w.csv", tmp_path / "p.csv", tmp_path / "or.hardlimit"
    weights.write_text("column,weight\nx1,1\nx2,5\n")
    points.write_text("x2,x1,t\n-1,-1,no\n-1,1,yes\n")  # in another order
    code = main(["make", str(weights), "--numbers", "--weight", "x2=1", "--threshold=-1",
                 "-o", str(model), "--rule", "relaxation:b=1", "--json"])  # fmt: skip
    found = json.loads(capsys.readouterr().out)
    assert (code, found["weights"], found["stop_reason"]) == (0, 2, "given")
    assert main(["predict", str(model), str(points)]) == 0
    assert capsys.readouterr().out.split() == ["no", "-1.0000", "yes", "1.0000"]
    assert main(["train", str(points), "--train-from", str(model), "-o", str(model)]) == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "no weights: give a FILE, or --weight"),
        (("--weight", "free"), 2, "--weight wants TERM=NUMBER"),
        (("--weight", "free=1", "--weight", "free=2"), 2, "--weight: a second weight of 'free'"),
        (("--weight", "Free=1"), 2, "read as 'free'"),
        (("--weight", "free=1", "--classes", "a"), 2, "two different classes"),
        (("--weight", "free=1", "--rule", "winnow-2"), 2, "begins at values of its own"),
        (("twice.csv",), 1, "twice.csv:2: .*second weight of 'free'"),
        (("wrong.csv",), 1, "wrong.csv:2: .*a term and a number"),
    ],
)
def test_what_is_refused(words, code, said, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.csv").write_text("free,1\nfree,2\n")
    (tmp_path / "wrong.csv").write_text("term,weight\nfree,much\n")
    assert main(["make", *words, "-o", "m"]) == code
    error = capsys.readouterr().err
    assert re.search(said, error), error
    assert not (tmp_path / "m").exists()
