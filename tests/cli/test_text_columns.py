"""Several columns of texts on the command line: the model remembers which."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.classifiers.test_text_columns import TABLE

import hardlimit as hl
from hardlimit.cli import main

from ..making import said
from ..rounding import SINGLE, near


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = list(zip(*TABLE.values(), strict=True))
    with Path("a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", *TABLE), *((n, *row) for n, row in enumerate(rows))])
    with Path("a.jsonl").open("w") as lines:
        for row in rows:
            lines.write(json.dumps(dict(zip(TABLE, row, strict=True))) + "\n")
    return tmp_path


TRAIN = ("--text", "subject", "--text", "body", "--label", "label", "-q")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_it_is_the_model_of_python(name, files, capsys):
    said(capsys, "train", name, "-o", "m", *TRAIN)
    clf = hl.TextClassifier(text_columns=("subject", "body")).fit(TABLE, TABLE["label"])
    assert (hl.load("m").decision_function(TABLE) == clf.decision_function(TABLE)).all()
    found = [json.loads(line) for line in said(capsys, "predict", "m", name, "--json").splitlines()]
    assert [one["label"] for one in found] == clf.predict(TABLE).tolist()
    assert all(one["known_features"] > 0 for one in found)
    measured = json.loads(said(capsys, "evaluate", "m", name, "--json"))
    assert measured["accuracy"] == clf.score(TABLE, TABLE["label"])


def test_the_other_columns_are_written_back(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN, "--holdout", "0.3", "--probability")
    head, first, *_ = said(capsys, "predict", "m", "a.csv", "-o", "-", "--probability").splitlines()
    assert head.startswith("id,subject,body,label,") and first.startswith("0,hello there,")


def test_a_row_is_explained_by_its_columns(files, capsys):
    said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    clf, row = hl.load("m"), 7
    example = TABLE["subject"][row - 1], TABLE["body"][row - 1]
    words = ("explain", "m", "a.csv", "--row", str(row))
    found = json.loads(said(capsys, *words, "--json"))
    assert found["score"] == near(clf.explain(example).score, 10, unit=SINGLE)
    typed = json.dumps({"subject": example[0], "body": example[1]})
    assert json.loads(said(capsys, "explain", "m", typed, "--json")) == found
    printed = said(capsys, *words)
    assert "subject: win" in printed and "body: " in printed and "[" not in printed
    assert "[" in said(capsys, *words, "--terms")
    assert "subject: words 1-2" in " ".join(said(capsys, "inspect", "m").split())


@pytest.mark.parametrize(
    ("words", "given", "message"),
    [
        (("predict", "m"), "a text\n", "no text in the columns 'subject', 'body'"),
        (("explain", "m", "a text"), "", 'texts as {"subject": "...", "body": "..."}'),
        (("explain", "m", "a.csv", "--row", "99"), "", "has 25 rows"),
        (("report", "m", "b.csv", "-o", "r.html"), "", "no text in the column 'body'"),
        (("predict", "m", "b.csv"), "", "no text in the column 'body'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_missing_is_said(words, given, message, files, hardlimit):
    assert main(["train", "a.csv", "-o", "m", *TRAIN]) == 0
    Path("b.csv").write_text("subject,label\nwin,spam\n")
    done = hardlimit(*words, given=given)
    assert done.returncode != 0 and message in " ".join(done.stderr.split())


def test_what_is_said_of_them(files, capsys):
    found = said(capsys, "train", "a.csv", "-o", "m", *TRAIN)
    assert "hardlimit explain m OTHER-FILE --row 1" in found and "a new text" not in found
    found = said(capsys, "inspect", "m")
    assert "texts in columns 'subject', 'body', label in column 'label'" in found
    # Fragments of words say the same over and over: words stand for them, of every column.
    assert ": [" not in found


def test_votes_are_kept_in_the_file(files, capsys):
    said(
        capsys, "train", "a.csv", "-o", "m", *TRAIN, "--readout", "voted", "--epochs", "2", "--slim"
    )
    clf = hl.TextClassifier(text_columns=("subject", "body"), readout="voted", max_iter=2)
    clf = clf.set_params(keep=hl.load("m").keep).fit(TABLE, TABLE["label"])
    answers = said(capsys, "predict", "m", "a.csv").split()[::2]
    assert answers == clf.predict(TABLE).tolist()
    assert main(["evaluate", "m", "a.csv", "--label", "label"]) == 0
    assert main(["report", "m", "a.csv", "-o", "r.html"]) == 0
    capsys.readouterr()
    assert main(["explain", "m", "a.csv", "--row", "1"]) == 1
    assert "vote" in capsys.readouterr().err
