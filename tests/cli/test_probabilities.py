"""Probabilities on the command line: train, predict, evaluate, inspect and report."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.classifiers.test_probabilities import drawn_texts

import hardlimit as hl
from hardlimit.cli import main


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("probabilities")
    for name, seed in (("train.csv", 0), ("new.csv", 1)):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([("text", "label"), *zip(*drawn_texts(300, seed, 3))])  # noqa: B905
    assert main(["train", str(folder / "train.csv"), "-o", str(folder / "m"), "--probability"]) == 0
    assert main(["train", str(folder / "train.csv"), "-o", str(folder / "plain")]) == 0
    return folder


def answers(capsys, *words: object) -> list[str]:
    capsys.readouterr()
    assert main(list(map(str, words))) == 0
    return capsys.readouterr().out.splitlines()


def texts_of(path: Path) -> list[str]:
    with path.open(newline="") as file:
        return [row["text"] for row in csv.DictReader(file)]


def test_predict_shows_what_python_says(files, capsys):
    clf, texts = hl.load(files / "m"), texts_of(files / "new.csv")
    p = clf.predict_proba(texts)
    lines = answers(capsys, "predict", files / "m", files / "new.csv", "--probability", "--json")
    found = [json.loads(line) for line in lines]
    assert [one["probability"] for one in found] == p.max(1).tolist()
    lines = answers(capsys, "predict", files / "m", files / "new.csv", "--probability")
    assert lines[0].split("\t")[2] == f"{p[0].max():.4f}"


def test_the_best_classes(files, capsys):
    clf, texts = hl.load(files / "m"), texts_of(files / "new.csv")
    lines = answers(capsys, "predict", files / "m", files / "new.csv", "--top", 2, "--json")
    for line, best in zip(lines, clf.predict_top(texts, 2), strict=True):
        top = json.loads(line)["top"]
        assert [(one["label"], one["probability"]) for one in top] == best
    plain = answers(capsys, "predict", files / "plain", files / "new.csv", "--top", 9, "--json")
    assert [set(one) for one in json.loads(plain[0])["top"]] == [{"label", "score"}] * 3
    head = answers(capsys, "predict", files / "m", files / "new.csv", "--top", 2, "-o", "-")[0]
    assert head.endswith("score,label_1,probability_1,label_2,probability_2,known_features")


def test_answers_below_are_left_open(files, capsys):
    clf, texts = hl.load(files / "m"), texts_of(files / "new.csv")
    words = ["predict", files / "m", files / "new.csv", "--min-probability", 0.8]
    said = [line.split("\t")[0] for line in answers(capsys, *words)]
    assert said == clf.predict_confident(texts, 0.8, unsure="?").tolist()
    assert {"?", "c0"} < set(said)


def test_evaluate_measures_them(files, capsys):
    words = ["evaluate", files / "m", files / "new.csv", "--min-probability", 0.6]
    printed = "\n".join(answers(capsys, *words))
    for title in ("Probabilities", "log loss", "Brier", "coverage", "answered '?'"):
        assert title in printed
    found = json.loads("\n".join(answers(capsys, *words, "--json")))
    assert len(found["probabilities"]["bins"]) == 10
    assert 0 < found["confident"]["coverage"] < 1
    assert found["confident"]["accuracy"] > found["accuracy"]
    plain = json.loads("\n".join(answers(capsys, "evaluate", files / "plain", files / "new.csv",
                                         "--json")))  # fmt: skip
    assert "probabilities" not in plain and "confident" not in plain


def test_inspect_and_report_show_them(files, capsys, tmp_path):
    assert "probability" in "\n".join(answers(capsys, "inspect", files / "m"))
    answers(capsys, "report", files / "m", files / "new.csv", "-o", tmp_path / "r.html")
    assert "Calibration of the probabilities" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "plain", "new.csv", "--probability"),
        ("predict", "plain", "new.csv", "--min-probability", "0.9"),
        ("evaluate", "plain", "new.csv", "--min-probability", "0.9"),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_model_without_says_how_to_get_them(words, files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    assert main(list(words)) != 0
    assert "no probabilities; train it with --probability" in capsys.readouterr().err


def test_a_continued_model_has_none_and_says_so(files, capsys, tmp_path):
    words = ["train", files / "new.csv", "--train-from", files / "m", "-o", tmp_path / "n"]
    assert main(list(map(str, words))) == 0
    assert "so the new model has none" in " ".join(capsys.readouterr().err.split())
    assert main([*map(str, words), "--probability"]) == 2


def test_numbers(tmp_path, capsys):
    rows = "".join(f"{x},{'yes' if x + (x * 7 % 5) > 25 else 'no'}\n" for x in range(50))
    (tmp_path / "a.csv").write_text("x,label\n" + rows)
    words = ["train", tmp_path / "a.csv", "-o", tmp_path / "m", "--probability", "--until", "none"]
    answers(capsys, *words, "--epochs", 20, "--scale", "standard", "--format", "numeric-csv")
    words = ["predict", tmp_path / "m", tmp_path / "a.csv", "--probability", "--top", 2]
    first = answers(capsys, *words)[0].split("\t")
    assert first[0] == "no" and 0.5 < float(first[2]) < 1 and first[3] == f"no={first[2]}"


def test_a_text_without_a_known_term_is_left_to_people(tmp_path, capsys) -> None:
    """However probable the most frequent class is."""
    rows = [("lunch at noon", "ham"), ("meeting on monday", "ham"), ("see the report", "ham")] * 30
    rows += [("win a prize", "spam")] * 6
    (tmp_path / "t.csv").write_text("text,label\n" + "".join(f"{a},{b}\n" for a, b in rows))
    unknown = "日本語のメール"
    (tmp_path / "n.csv").write_text(f"text,label\nlunch at noon,ham\n{unknown},ham\n")
    model = str(tmp_path / "m")
    assert main(["train", str(tmp_path / "t.csv"), "--probability", "-o", model]) == 0
    capsys.readouterr()
    words = ["predict", model, str(tmp_path / "n.csv"), "--min-probability", "0.5", "--json"]
    assert main(words) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["label"] for one in found] == ["ham", "?"]
    assert found[1]["known_features"] == 0 and found[1]["probability"] >= 0.5
    assert main(["evaluate", *words[1:]]) == 0
    sure = json.loads(capsys.readouterr().out)["confident"]
    assert (sure["rows"], sure["accuracy"]) == (1, 1.0)
    clf = hl.load(model)
    assert clf.predict_confident(["lunch at noon", unknown], 0.5).tolist() == ["ham", None]
    for abstain, expected in ((0.5, [False, True]), (None, [False, False])):
        with hl.open_live(model, None, abstain=abstain) as live:
            answers = live.answer(["lunch at noon", unknown])
            assert [one.abstained for one in answers] == expected
