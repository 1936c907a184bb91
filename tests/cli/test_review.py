"""What a new user stumbled over."""

from __future__ import annotations

import json
import shutil
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
    assert out.count("<- the model's") == 1
    assert main(["evaluate", strict, str(training_file), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["thresholds"]
    assert [one["chosen"] for one in points].count(True) == 1
    rates = [one["false_positive_rate"] for one in points]
    assert rates == sorted(rates, reverse=True) and rates[-1] == 0.0
    assert any(0.01 <= rate <= 0.05 for rate in rates) or len(rates) < 4


def test_a_chosen_threshold_is_told_with_its_limits(training_file: Path, tmp_path, capsys) -> None:
    words = ["train", str(training_file), *COLUMNS, "-o", str(tmp_path / "m")]
    for positive in ("spam", "ham"):
        assert main([*words, "--max-false-positive", "0.05", "--positive", positive]) == 0
        out = capsys.readouterr().out
        assert "finds" in out and "costs" not in out and "too good" in out
        assert out.count("<- the model's") == 1


def test_separated_speaks_of_the_weights_that_got_there(tmp_path: Path, capsys) -> None:
    file = tmp_path / "t.csv"
    rows = "".join(f"{i % 5},{7 - i % 7},{'yes' if i % 5 > 2 else 'no'}\n" for i in range(70))
    file.write_text("a,b,kind\n" + rows)
    words = ["train", str(file), "--format", "numeric-csv", "-o", str(tmp_path / "m")]
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "the last weights answer every training row rightly" in out
    assert "averaged weights that answer, and they still err on 4 rows" in out
    assert main([*words, "--readout", "last"]) == 0
    out = capsys.readouterr().out
    assert "separated" in out and "still err" not in out


def test_of_many_classes_the_troubled_are_shown(tmp_path: Path, capsys, monkeypatch) -> None:
    from hardlimit.cli import figures

    monkeypatch.setattr(figures, "CLASSES_SHOWN", 2)
    file, other = tmp_path / "t.tsv", tmp_path / "o.tsv"
    file.write_text("".join(f"{c}\t{c * 3} {c * 4}\n" for c in "abcd") * 5)
    other.write_text("a\taaa\n" * 9 + "b\tccc\nc\tccc\n")  # d does not occur
    assert main(["train", str(file), "-o", str(tmp_path / "m")]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "m"), str(other)]) == 0
    table = capsys.readouterr().out.split("\n  class", 1)[1].split("...")[0]
    assert [line.split()[0] for line in table.splitlines()[1:3]] == ["b", "c"]
