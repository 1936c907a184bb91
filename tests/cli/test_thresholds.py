"""A decision threshold: chosen by ``train``, given to commands that predict, kept by ``bake``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hardlimit as hl
from hardlimit.cli import main
from hardlimit.evaluation import orient_threshold

from ..rounding import near
from .conftest import messages


@pytest.fixture
def model(training_file: Path, tmp_path: Path, capsys) -> Path:
    path = tmp_path / "m"
    assert main(["train", str(training_file), "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def said(capsys, *words: object, code: int = 0) -> tuple[str, str]:
    assert main(list(map(str, words))) == code
    return capsys.readouterr()


def labels(out: str) -> list[str]:
    return [json.loads(line)["label"] for line in out.splitlines()]


def test_every_command_decides_by_it(model: Path, training_file: Path, tmp_path, capsys) -> None:
    by = ("--threshold", "1.25")
    plain = labels(said(capsys, "predict", model, training_file, "--json")[0])
    moved = labels(said(capsys, "predict", model, training_file, "--json", *by)[0])
    n = moved.count("spam")
    assert 0 < n < plain.count("spam")
    out, _ = said(capsys, "evaluate", model, training_file, "--json", *by)
    found = json.loads(out)
    assert next(one["predicted"] for one in found["classes"] if one["label"] == "spam") == n
    assert [one["threshold"] for one in found["thresholds"] if one["chosen"]] == [1.25]
    cluster = ("--cluster", "threads:2")
    assert said(capsys, "evaluate", model, training_file, "--json", *by, *cluster)[0] == out
    said(capsys, "predict", model, training_file, *by, *cluster, "-o", tmp_path / "parts")
    parts = sorted((tmp_path / "parts").glob("part-*"))
    assert labels("".join(part.read_text() for part in parts)) == moved
    # A process that has answered by another threshold does not go on with that.
    assert labels(said(capsys, "predict", model, training_file, "--json")[0]) == plain
    said(capsys, "report", model, training_file, "-o", tmp_path / "r.html", *by)
    assert "spam when the score exceeds 1.25" in (tmp_path / "r.html").read_text()
    said(capsys, "bake", model, "-o", tmp_path / "new", *by)
    assert labels(said(capsys, "predict", tmp_path / "new", training_file, "--json")[0]) == moved
    hl.load(tmp_path / "new").partial_fit(["win"], ["spam"])  # it has kept its training state
    live = said(capsys, "predict", "--live", model, training_file, "--json", *by)[0]
    assert labels(live) == moved
    said(capsys, "correct", model, "win a prize", "--label", "ham")
    out, _ = said(capsys, "bake", model, "-o", tmp_path / "corrected", *by)
    assert "1 correction" in out and hl.load(tmp_path / "corrected").threshold_ == 1.25


def test_evaluate_names_the_command_that_keeps_a_threshold(
    model: Path, training_file: Path, tmp_path, capsys
) -> None:
    said(capsys, "bake", model, "--threshold", "1.5", "-o", tmp_path / "high")
    for positive in ("spam", "ham"):
        words = ("evaluate", tmp_path / "high", training_file, "--positive", positive)
        before = json.loads(said(capsys, *words, "--json")[0])
        shown, _ = said(capsys, *words)
        line = next(line for line in shown.splitlines() if " bake " in line)
        typed = line[line.index("--threshold") :].split()[1]
        assert float(typed) < 1.5
        words = (*words, "--threshold", typed, "--json")
        after = json.loads(said(capsys, *words)[0])
        best = max(2 * p["precision"] * p["recall"] / (p["precision"] + p["recall"] or 1)
                   for p in before["thresholds"])  # fmt: skip
        f1 = next(one["f1"] for one in after["classes"] if one["label"] == positive)
        assert f1 == near(best, 10)


@pytest.mark.parametrize("way", [(), ("--stream",)])
@pytest.mark.parametrize("goal", ["--max-f1", "--max-accuracy"])
def test_train_chooses_the_best(way, goal, training_file, tmp_path, capsys) -> None:
    """No other threshold is better on the rows that were held out."""
    words = ("train", training_file, "-o", tmp_path / "m", "--positive", "ham", "--json")
    noisy = ("--features", "words=1,chars=none", "--epochs", "1", *way)
    found = json.loads(said(capsys, *words, goal, *noisy)[0])
    told, points = found["threshold"], found["held_out"]["thresholds"]
    kept = told["threshold"] and orient_threshold(False, told["threshold"])
    assert hl.load(tmp_path / "m").threshold_ == kept
    positives, negatives = told["positives"], told["negatives"]

    def value(point) -> float:
        right, wrong = point["true_positives"], point["false_positives"]
        if goal == "--max-f1":
            return 2 * right / (right + wrong + positives)
        return (right + negatives - wrong) / (positives + negatives)

    assert told["goal"] == goal[2:].replace("-", "_") and told["positive"] == "ham"
    assert value(told) >= max(map(value, points))
    if goal == "--max-accuracy":
        assert found["held_out"]["accuracy"] == value(told)


def test_a_false_positive_rate_is_kept_with_confidence(training_file, tmp_path, capsys) -> None:
    words = ("train", training_file, "-o", tmp_path / "m", "--positive", "spam", "--json")
    told = json.loads(said(capsys, *words, "--max-false-positive", "0.5")[0])["threshold"]
    n, k = told["negatives"], told["false_positives"]
    assert told["confidence"] == 0.95 and 0 < k < 0.5 * n
    assert "asked for" in str(
        json.loads(said(capsys, *words, "--max-false-positive", "0.01")[0])["threshold"]["warning"]
    )


def test_what_cannot_be_is_refused(model: Path, training_file: Path, tmp_path, capsys) -> None:
    train = ("train", training_file, "-o", tmp_path / "n")
    err = said(capsys, *train, "--max-f1", "--max-accuracy", code=2)[1]
    assert "--max-f1 and --max-accuracy each choose the threshold: give one" in err
    three = tmp_path / "three.csv"
    rows = [f"{text},{'xyz'[int(number) % 3]}\n" for number, text, _ in messages(1, 60)]
    three.write_text("text,label\n" + "".join(rows))
    for way in ((), ("--stream",), ("--cluster", "threads:1")):
        err = said(capsys, *("train", three, "-o", tmp_path / "n"), "--max-f1", *way, code=2)[1]
        assert "--max-f1: only with two classes or several labels (--labels-separator)" in err
    assert main(["train", str(three), "-o", str(tmp_path / "n")]) == 0
    for words in (
        ("predict", tmp_path / "n", three),
        ("evaluate", tmp_path / "n", three),
        ("report", tmp_path / "n", three, "-o", tmp_path / "r"),
        ("bake", tmp_path / "n", "-o", tmp_path / "b"),
        ("explain", tmp_path / "n", "win"),
    ):
        err = said(capsys, *words, "--threshold", "1", code=1)[1]
        assert "the model has 3 classes" in err
    assert "finite" in said(capsys, "predict", model, three, "--threshold", "nan", code=1)[1]


def test_explain_decides_by_it(model: Path, capsys) -> None:
    asked = ("explain", model, "win a prize", "--threshold")
    found = [json.loads(said(capsys, *asked, by, "--json")[0]) for by in ("-1000", "1000")]
    assert [(one["label"], one["threshold"]) for one in found] == [("spam", -1000), ("ham", 1000)]
    shown = said(capsys, *asked, "1000")[0]
    assert shown.startswith("ham ") and "spam needs more than 1000.0000" in shown
