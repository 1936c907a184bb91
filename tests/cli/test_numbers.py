"""The commands on rows of numbers: svmlight and numeric CSV."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from hardlimit.cli import main


@pytest.fixture
def svmlight(tmp_path: Path) -> Path:
    draw = random.Random(3)
    lines = []
    for _ in range(200):
        x, y = draw.uniform(-1, 1), draw.uniform(-1, 1)
        lines.append(f"{'+1' if x + y > 0.1 else '-1'} 1:{x:.4f} 3:{y:.4f}\n")
    path = tmp_path / "plane.svm"
    path.write_text("".join(lines))
    return path


def test_svmlight_through_all_commands(svmlight: Path, tmp_path: Path, capsys) -> None:
    model = str(tmp_path / "m")
    words = ["train", str(svmlight), "-o", model, "--epochs", "50", "--holdout", "0.2", "--json"]
    assert main(words) == 0
    trained = json.loads(capsys.readouterr().out)
    assert trained["held_out"]["accuracy"] > 0.9 and trained["classes"].keys() == {"1", "-1"}
    assert main(["evaluate", model, str(svmlight), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 200
    assert main(["predict", model, str(svmlight), "--json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 200 and {one["label"] for one in answers} == {1, -1}
    assert main(["inspect", model]) == 0
    assert "numbers" in capsys.readouterr().out
    assert main(["explain", model, "text"]) == 2
    assert "neither a file nor a row of numbers" in " ".join(capsys.readouterr().err.split())
    assert main(["explain", model, str(svmlight)]) == 0
    assert "column" in capsys.readouterr().out


def test_a_test_file_with_fewer_columns_fits(svmlight: Path, tmp_path: Path, capsys) -> None:
    model = str(tmp_path / "m")
    assert main(["train", str(svmlight), "-o", model, "--epochs", "5"]) == 0
    other = tmp_path / "other.svm"
    other.write_text("+1 1:1\n-1 1:-1\n")  # no column 3
    assert main(["predict", model, str(other)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("number", ["nan", "inf", "x"])
def test_what_is_no_number_is_refused_with_its_place(number: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "bad.svm"
    file.write_text(f"+1 1:1\n-1 1:{number}\n")
    assert main(["train", str(file), "-o", str(tmp_path / "m")]) == 1
    assert f"{file}:2" in capsys.readouterr().err
