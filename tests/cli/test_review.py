"""What a new user stumbled over."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path

import pytest

from hardlimit.cli import main

COLUMNS = ("--text", "message", "--label", "folder")


@pytest.fixture
def strict(training_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A model whose threshold is not 0."""
    path = str(tmp_path / "strict")
    words = ["train", str(training_file), *COLUMNS, "-o", path, "--holdout", "0.3"]
    assert main([*words, "--max-false-positive", "0.0"]) == 0
    capsys.readouterr()
    return path


def test_no_input_is_overwritten(training_file: Path, model: Path, tmp_path: Path, capsys) -> None:
    data, victim = tmp_path / "data.csv", tmp_path / "victim"
    shutil.copy(training_file, data)
    shutil.copy(model, victim)
    (tmp_path / "link.csv").symlink_to(data)
    before = data.read_bytes(), victim.read_bytes()
    for words in (
        ["train", data, *COLUMNS, "-o", data],
        ["train", data, *COLUMNS, "-o", tmp_path / "link.csv"],
        ["predict", victim, data, "-o", data],
        ["predict", victim, data, "-o", victim],
    ):
        assert main(list(map(str, words))) == 2
        assert "would overwrite" in capsys.readouterr().err
    assert (data.read_bytes(), victim.read_bytes()) == before
    assert main(["train", str(data), "--train-from", str(victim), "-o", str(victim)]) == 0
    assert victim.read_bytes() != before[1]


def test_explanation_names_the_threshold(strict: str, model: Path, capsys) -> None:
    assert main(["explain", strict, "win see you", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    has = found["score"] if found["label"] == "spam" else -found["score"]
    assert found["threshold"] != 0
    assert main(["explain", strict, "win see you"]) == 0
    expected = f"spam needs more than {found['threshold']:.4f}; this text has {has:.4f}"
    assert expected in capsys.readouterr().out
    assert main(["explain", str(model), "win see you"]) == 0
    assert "needs more than" not in capsys.readouterr().out


def test_explanation_has_the_heaviest_first(model: Path, capsys) -> None:
    for more in ([], ["--terms"], ["--json"]):
        assert main(["explain", str(model), "win a prize now, see you at home", *more]) == 0
        out = capsys.readouterr().out
        if more == ["--json"]:
            found = [one["contribution"] for one in json.loads(out)["terms"]]
        else:
            lines = [line.split() for line in out.splitlines()[3:]]
            signed = [one[0] for one in lines if len(one) > 1 and set(one[1]) <= set("+-")]
            found = list(map(float, signed))
        assert len(found) > 5 and min(found) < 0 < max(found)
        assert [abs(x) for x in found] == sorted((abs(x) for x in found), reverse=True)


def test_thresholds_are_those_of_useful_rates(strict: str, training_file: Path, capsys) -> None:
    assert main(["evaluate", strict, str(training_file)]) == 0
    out = capsys.readouterr().out
    assert out.count("<- in use") == 1
    assert main(["evaluate", strict, str(training_file), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["thresholds"]
    assert [one["chosen"] for one in points].count(True) == 1
    rates = [one["false_positive_rate"] for one in points]
    assert rates == sorted(rates, reverse=True) and rates[-1] == 0.0
    for wanted in (0.05, 0.02, 0.01):
        assert wanted - 0.01 < max(rate for rate in rates if rate <= wanted)


def test_a_chosen_threshold_is_told_with_its_limits(training_file: Path, tmp_path, capsys) -> None:
    words = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m")]
    for positive in ("spam", "ham"):
        assert main([*words, "--max-false-positive", "0.05", "--positive", positive]) == 0
        out = capsys.readouterr().out
        assert "recall" in out and "costs" not in out and "too good" in out
        assert out.count("<- in use") == 1


def test_separated_speaks_of_the_weights_that_got_there(tmp_path: Path, capsys) -> None:
    file = tmp_path / "t.csv"
    rows = "".join(f"{i % 5},{7 - i % 7},{'yes' if i % 5 > 2 else 'no'}\n" for i in range(70))
    file.write_text("a,b,kind\n" + rows)
    words = ["train", str(file), "--format", "numeric-csv", "-o", str(tmp_path / "m")]
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "the last weights classify every training row correctly" in out
    assert "these answer, since the averaged weights err on 4 rows" in out
    assert main([*words, "--readout", "averaged"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "but the averaged weights answer, as was asked for, and they err on 4 rows" in out
    assert main([*words, "--readout", "last"]) == 0
    out = capsys.readouterr().out
    assert "separated" in out and "averaged" not in out


def test_of_many_classes_the_troubled_are_shown(tmp_path: Path, capsys, monkeypatch) -> None:
    from hardlimit.cli import figures

    monkeypatch.setattr(figures.Reports, "shown", 2)
    file, other = tmp_path / "t.tsv", tmp_path / "o.tsv"
    file.write_text("".join(f"{c}\t{c * 3} {c * 4}\n" for c in "abcd") * 5)
    other.write_text("a\taaa\n" * 9 + "b\tccc\nc\tccc\n")  # d does not occur
    assert main(["train", str(file), "-o", str(tmp_path / "m")]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "m"), str(other)]) == 0
    table = capsys.readouterr().out.split("\n  class", 1)[1].split("...")[0]
    assert [line.split()[0] for line in table.splitlines()[1:3]] == ["b", "c"]


def test_corrections_act_at_once_by_the_last_weights(model: Path, tmp_path: Path, capsys) -> None:
    file = tmp_path / "new.csv"
    file.write_text("message,folder\nsee you later,spam\nwin a prize,ham\n")
    words = ["train", str(file), "--train-from", str(model), "-o", str(tmp_path / "m")]
    assert main([*words, "--readout", "last", "--epochs", "3"]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "m"), str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0
    assert main([*words, "--epochs", "3"]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "m"), str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] < 1.0


def test_the_help_of_train_tells_the_defaults(capsys) -> None:
    import inspect

    from hardlimit import LinearClassifier, TextClassifier
    from hardlimit.cli.choice_options import DEFAULT_RULES

    for kind, rule in zip((TextClassifier, LinearClassifier), DEFAULT_RULES, strict=True):
        assert inspect.signature(kind).parameters["rule"].default == rule
    assert main(["train", "--help"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    text = " ".join(out.split())
    for expected in (
        "passive-aggressive for texts, perceptron for numbers",
        "averaged (default), the mean over all rows shown",
        "coupled (default)",
        "none for texts, separated for numbers",
        "chars=2-5",
        "Equal texts stay on one side",
        "trained on the other rows only",
        "with --readout last, corrections act at once",
    ):
        assert expected in text
    assert main(["rules"]) == 0
    out = capsys.readouterr().out
    assert "passive-aggressive  (default for texts)\n" in out
    assert "perceptron  (default for numbers)\n" in out


def test_until_none_runs_all_epochs(tmp_path: Path, capsys) -> None:
    file = tmp_path / "t.svm"
    file.write_text("+1 1:1\n-1 1:-1\n" * 5)
    words = ["train", str(file), "-o", str(tmp_path / "m"), "--epochs", "7", "--json"]
    for more, epochs in ((["--until", "none"], 7), ([], 2)):
        assert main([*words, *more]) == 0
        assert (json.loads(capsys.readouterr().out)["epochs"] >= 7) == (epochs == 7)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "x"), "--rule x: wanted one of adatron"),
        (("--rule", "passive-aggressive:C=-1"), "--rule passive-aggressive:C=-1: wanted a number"),
        (("--features", "words=3-1"), "words=3-1: wanted"),
        (("--features", "bias=0"), "--features bias=0.0: wanted"),
        (("--features", "idf=x"), "'smooth', 'ratio' or idf=none"),
        (("--until", "margin", "--epochs", "1"), "--until margin was not reached in 1 epoch"),
        (("--class-weight", "spam=-1"), "--class-weight: got -1.0 for 'spam', wanted"),
    ],
)
def test_messages_speak_of_options(words, said, training_file, tmp_path, capsys) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        main(["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m"), *words])
    error = capsys.readouterr().err
    assert said in error
    for python in ("rules.", "None", "_iter", "Classifier", "fit"):
        assert python not in error


def test_a_slim_model_says_so(training_file: Path, tmp_path: Path, capsys) -> None:
    words = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m")]
    assert main([*words, "--slim"]) == 0
    assert main([*words, "--train-from", str(tmp_path / "m")]) == 1
    error = capsys.readouterr().err
    assert "--slim" in error and "training_state" not in error


def test_a_document_is_one_text(tmp_path: Path, capsys) -> None:
    for label, text in (("ham", "see you\nat home\n"), ("spam", "win a\nprize now\n")):
        (tmp_path / "mails" / label).mkdir(parents=True)
        for number in range(3):
            (tmp_path / "mails" / label / f"{number}.txt").write_text(text * (number + 1))
    model = str(tmp_path / "m")
    assert main(["train", str(tmp_path / "mails"), "-o", model]) == 0
    for name in ("new.txt", "new.eml", "new"):
        file = tmp_path / name
        file.write_text("win a\nprize now\nat home\n")
        capsys.readouterr()
        assert main(["predict", model, str(file)]) == 0
        assert [x.split("\t")[0] for x in capsys.readouterr().out.splitlines()] == ["spam"]
    assert main(["predict", model, str(file), "--format", "lines"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["explain", model, str(file)]) == 0
    assert f"hardlimit explain {model} - < {file}" in capsys.readouterr().err
    assert main(["evaluate", model, str(file)]) == 1
    assert "is not a folder" in capsys.readouterr().err


def test_explain_reads_bytes_that_are_no_utf8(model: Path, monkeypatch, capsys) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"win a prize \xff now\n")))
    assert main(["explain", str(model), "-"]) == 0
    assert "prize" in capsys.readouterr().out


def test_numbers_are_told_from_texts(tmp_path: Path, training_file: Path, capsys) -> None:
    iris, heart = tmp_path / "iris.csv", tmp_path / "heart_scale"
    iris.write_text("sl,sw,species\n" + "1,2,setosa\n3,-4,virginica\n" * 5)
    heart.write_text("+1 1:0.7 2:-1\n-1 1:-.5 3:1e-1\n" * 3)
    for file, form in ((iris, "numeric-csv"), (heart, "svmlight")):
        model = str(tmp_path / "m")
        assert main(["train", str(file), "-o", model]) == 0
        assert f"--format {form}" in capsys.readouterr().err
        assert main(["evaluate", model, str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0
    assert main(["train", str(training_file), *COLUMNS, "-o", model]) == 0
    assert "--format" not in capsys.readouterr().err


def test_inspect_lists_the_weights_of_numbers(tmp_path: Path, capsys) -> None:
    file, model = tmp_path / "t.csv", str(tmp_path / "m")
    file.write_text("a,b,kind\n" + "1,0,no\n2,0,no\n4,0,yes\n5,0,yes\n" * 3)
    assert main(["train", str(file), "-o", model]) == 0
    capsys.readouterr()
    assert main(["inspect", model]) == 0
    lines = capsys.readouterr().out.split("Weights for 'yes'")[1].splitlines()[2:]
    assert [line.split()[1] for line in lines] == ["a", "b", "(intercept)"]
    assert main(["inspect", model, "--json"]) == 0
    weights = json.loads(capsys.readouterr().out)["weights"]["yes"]
    assert [one["column"] for one in weights] == ["a", "b"]
    assert weights[0]["weight"] > 0 == weights[1]["weight"]
    assert main(["inspect", model, "--top", "1"]) == 0
    out = capsys.readouterr().out
    assert "the largest 1 of 2" in out and " a\n" in out and " b\n" not in out


def test_inspect_shows_as_many_terms_as_asked_for(model: Path, capsys) -> None:
    assert main(["inspect", str(model), "--top", "18", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["telling_terms"]
    assert main(["inspect", str(model), "--top", "18"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines()[1:])) <= 80
    shown = " ".join(out.split("Most telling terms")[1].split())
    for label, terms in listed.items():
        assert len(terms) == 18
        assert f"{label} " + ", ".join(one["term"] for one in terms) in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["trian", "x"], "did you mean 'train'?"),
        (["qqq"], "there are bake, certify, confirm, correct"),
    ],
)
def test_the_nearest_command_is_named(words, said, capsys) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_the_nearest_model_is_named(model: Path, capsys) -> None:
    near = str(model).replace("spam.", "spm.")
    for words in (["predict", near], ["inspect", near], ["explain", near, "x"]):
        assert main(words) == 1
        assert f"did you mean {model}?" in capsys.readouterr().err


def test_the_program_is_called_as_it_is_found(tmp_path: Path, monkeypatch) -> None:
    import sys

    from hardlimit.cli import invocation

    script = tmp_path / "bin" / "hardlimit"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(script.parent))
    assert invocation.program() == "hardlimit"
    monkeypatch.setenv("PATH", "")
    assert invocation.program() == "bin/hardlimit"
    monkeypatch.setattr(sys, "argv", ["/x/hardlimit/__main__.py"])
    monkeypatch.setattr(sys, "executable", "/x/python")
    assert invocation.program() == "/x/python -m hardlimit"


def test_cp1252_is_noted_only_when_guessed(tmp_path: Path, capsys) -> None:
    file, model = tmp_path / "t.csv", str(tmp_path / "m")
    file.write_bytes(b"message,folder\ncaf\xe9,ham\nwin,spam\n")
    words = ["train", str(file), *COLUMNS, "-o", model]
    assert main(words) == 0
    assert "read as cp1252" in capsys.readouterr().err
    assert main([*words, "--encoding", "cp1252"]) == 0
    assert main(["evaluate", model, str(file)]) == 0
    assert "read as cp1252" not in capsys.readouterr().err


def test_notes_fit_a_terminal(monkeypatch) -> None:
    import sys

    from hardlimit.cli import terminal

    from .test_terminal import Screen

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal.remark("word " * 30)
    lines = screen.getvalue().splitlines()
    assert len(lines) > 2 and max(map(len, lines)) <= 50 and lines[1].startswith("      word")


def test_scores_in_tables_are_short(model: Path, other_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert main(["predict", str(model), str(other_file), "-o", str(target), "--scores"]) == 0
    for line in target.read_text().splitlines()[1:]:
        for cell in line.split(","):
            assert len(cell.partition(".")[2]) <= 6


def test_numbers_on_standard_input_are_told_how(hardlimit, tmp_path: Path) -> None:
    done = hardlimit("train", "-", "-o", tmp_path / "m", given="+1 1:1\n-1 2:1\n")
    assert done.returncode == 1 and "--format svmlight" in done.stderr
    words = ("train", "-", "-o", tmp_path / "m", "--format", "svmlight")
    assert hardlimit(*words, given="+1 1:1\n-1 2:1\n").returncode == 0
