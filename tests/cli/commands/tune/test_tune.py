"""``hardlimit tune``: from a file to the table and the best model."""

from __future__ import annotations

import json

import pytest

from hardlimit import load
from hardlimit.classifiers.tuning.scores import SCORINGS
from hardlimit.cli import main
from hardlimit.cli.commands.tune import command

from ...conftest import messages, write_csv


@pytest.fixture
def mails(tmp_path):
    return write_csv(tmp_path / "mails.csv", messages(0))


def tuned(capsys, *words):
    status = main(["tune", *map(str, words)])
    return status, capsys.readouterr()


def test_the_table_and_the_model(mails, tmp_path, capsys):
    model = tmp_path / "best.hardlimit"
    tries = ("--features", "words=1-1,1-2,chars=none", "--epochs", "1,5")
    status, said = tuned(capsys, mails, *tries, "--folds", 3, "-o", model, "--note", "mine")
    assert status == 0 and "the best of 4 candidates on 300 rows" in said.out
    assert said.out.count("--epochs 1 --features words=1-1,chars=none") >= 1
    assert "see --nested" in said.out and "hardlimit inspect" in said.out
    assert load(model).predict(["win a free prize now"]).tolist() == ["spam"]
    assert main(["inspect", str(model)]) == 0
    shown = capsys.readouterr().out
    assert "mine" in shown and "sha256" in shown and "text in column" in shown
    assert main(["evaluate", str(model), str(mails)]) == 0


def test_json_is_the_same_for_any_number_of_jobs(mails, tmp_path, capsys):
    found = []
    for jobs in (1, 3):
        model = tmp_path / f"{jobs}.hardlimit"
        words = (
            "--jobs",
            jobs,
            "--folds",
            2,
            "--nested",
            "--rule",
            "passive-aggressive:C=0.1,1",
            "--json",
            "-o",
            model,
        )
        status, said = tuned(capsys, mails, *words)
        assert status == 0
        plain = json.loads(said.out)
        assert plain.pop("model") == str(model)
        for trial in plain["trials"]:
            del trial["seconds"]
        found.append((plain, model.read_bytes()))
    assert found[0] == found[1]
    plain = found[0][0]
    assert plain["best"] == plain["trials"][0]["name"] and len(plain["nested"]) == 2
    assert {trial["name"] for trial in plain["trials"]} == {
        "--rule passive-aggressive",
        "--rule passive-aggressive:C=0.1",
    }


def test_numbers_and_a_picture(tmp_path, capsys):
    rows = [f"{a},{b},{'yes' if a + b > 5 else 'no'}" for a in range(8) for b in range(8)]
    table, plot = tmp_path / "t.csv", tmp_path / "t.svg"
    table.write_text("a,b,kind\n" + "\n".join(rows) + "\n")
    words = (
        "--scale",
        "none",
        "--scale",
        "standard",
        "--rule",
        "perceptron",
        "--rule",
        "arow:r=1,2",
    )
    status, said = tuned(capsys, table, *words, "-o", tmp_path / "m", "--plot", plot)
    assert status == 0 and "the best of 6 candidates on 64 rows" in said.out
    assert plot.read_bytes().startswith(b"<?xml") and b"--rule arow:r=2" in plot.read_bytes()
    assert main(["predict", str(tmp_path / "m"), str(table)]) == 0


def test_several_columns_of_texts(tmp_path, capsys):
    rows = "".join(f"hello {i},win prize,spam\nre: hello,lunch {i},ham\n" for i in range(9))
    table, model = tmp_path / "t.csv", tmp_path / "m"
    table.write_text("subject,body,label\n" + rows)
    words = ("--text", "subject", "--text", "body", "--epochs", "1,2", "--folds", 2)
    assert tuned(capsys, table, *words, "-o", model)[0] == 0
    assert load(model).text_columns == ("subject", "body")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--rule", "perceptro"), 2, "did you mean 'perceptron'?"),
        (("--rule", "paum:tau_plus=1,2,x"), 2, "--rule paum:tau_plus=x: wanted a number"),
        (("--epochs", "1,0"), 2, "--epochs 1,0: got '0', wanted whole numbers"),
        (("--features", "words=1-1,3-1"), 2, "--features: words=3-1"),
        (("--features", "words=1,words=2"), 2, "--features: words= is given twice"),
        (("--scale", "rows"), 2, "--scale does not go with a file of texts: it is for numbers"),
        (("--column-weights", "1:1:1"), 2, "--column-weights: it is for mixed tables"),
        (("--plot", "x.gif"), 2, "--plot x.gif: wanted"),
        (("-o", "nowhere/m"), 1, "there is no folder"),
    ],
)
def test_refused_at_once(mails, tmp_path, monkeypatch, capsys, words, status, said):
    monkeypatch.chdir(tmp_path)
    output = () if "-o" in words else ("-o", "m")
    found, captured = tuned(capsys, mails, *output, *words)
    assert found == status and said in " ".join(captured.err.split())
    assert not (tmp_path / "m").exists()


def test_scorings_of_the_help_are_those_that_there_are():
    assert command.SCORINGS == tuple(SCORINGS)


def test_the_share_of_right_rows_is_called_as_evaluate_calls_it(tmp_path, capsys):
    rows = "".join(f'win prize {i},"a,b"\nlunch {i},a\nhello {i},b\n' for i in range(9))
    table = tmp_path / "t.csv"
    table.write_text("text,labels\n" + rows)
    words = ("--labels-separator", ",", "--epochs", "1,2", "--folds", 2)
    status, said = tuned(capsys, table, *words, "-o", tmp_path / "m")
    assert status == 0 and "exact match" in said.out and "accuracy" not in said.out
