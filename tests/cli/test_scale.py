"""``--scale`` of numbers: remembered by the model, refused where it means nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from hardlimit import load
from hardlimit.cli import main


@pytest.fixture
def table(tmp_path: Path) -> Path:
    draw = np.random.default_rng(0)
    lines = ["small,large,kind"]
    for small, large in draw.normal(size=(120, 2)):
        lines.append(f"{small:.4f},{1e5 * large + 2e5:.1f},{'yes' if small > 0 else 'no'}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def train(table: Path, model: Path, *more: str) -> int:
    given = ["train", str(table), "--format", "numeric-csv", "--epochs", "5", "-o", str(model)]
    return main([*given, *more])


@pytest.mark.filterwarnings("default")
def test_columns_in_other_units_are_told_and_mended(table, tmp_path, capsys) -> None:
    assert train(table, tmp_path / "raw") == 0
    said = capsys.readouterr().err
    assert said.count("norms of the columns differ by more than 1,000") == 1
    assert "use --scale standard or --scale maxabs" in said
    assert train(table, tmp_path / "m", "--scale", "standard", "--json") == 0
    shown = capsys.readouterr()
    assert "norms" not in shown.err
    assert json.loads(shown.out)["scale"] == "standard"
    assert main(["inspect", str(tmp_path / "m")]) == 0
    assert re.search("scale +standard", capsys.readouterr().out)
    raw, scaled = load(tmp_path / "raw"), load(tmp_path / "m")
    assert scaled.n_training_errors_ < raw.n_training_errors_


def test_a_stream_keeps_the_scale_and_cannot_change_it(table, tmp_path, capsys) -> None:
    assert train(table, tmp_path / "m", "--scale", "maxabs", "--class-weight", "balanced") == 0
    again = ["train", str(table), "--train-from", str(tmp_path / "m"), "-o", str(tmp_path / "n")]
    assert main(again) == 0
    assert load(tmp_path / "n").scale == "maxabs"
    capsys.readouterr()
    assert main([*again, "--scale", "rows"]) == 2
    assert "--scale does not go with --train-from" in capsys.readouterr().err
