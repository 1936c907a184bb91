"""``hardlimit train --cluster``: one shard has the file and the figures of the ordinary command."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from hardlimit.cli import main

from ...conftest import messages, write_csv


@pytest.fixture
def mails(tmp_path: Path) -> str:
    path = tmp_path / "mails.csv"
    write_csv(path, messages(1, 90))
    return str(path)


@pytest.fixture
def customers(tmp_path: Path) -> str:
    path = tmp_path / "customers.csv"
    draw = random.Random(2)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("age", "city", "plan", "churned"))
        for _ in range(160):
            age, city = draw.randint(18, 80), draw.choice(["Ghent", "Rome", "Ulm"])
            churned = "yes" if age + 20 * (city == "Rome") + draw.gauss(0, 9) > 55 else "no"
            writer.writerow((age, city, draw.choice("ABC"), churned))
    return str(path)


@pytest.fixture
def points(tmp_path: Path) -> str:
    path = tmp_path / "points.csv"
    draw = random.Random(3)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("a", "b", "c", "y"))
        for _ in range(160):
            a, b, c = (round(draw.gauss(0, 3), 2) for _ in range(3))
            writer.writerow((a, b, c, int(a - b + draw.gauss(0, 1) > 0)))
    return str(path)


@pytest.fixture
def sparse(tmp_path: Path) -> str:
    path = tmp_path / "points.svm"
    draw = random.Random(4)
    lines = []
    for _ in range(120):
        cells = {draw.randint(1, 9): round(draw.gauss(0, 2), 2) for _ in range(3)}
        label = 1 if sum(cells.values()) > 0 else -1
        lines.append(f"{label} " + " ".join(f"{k}:{v}" for k, v in sorted(cells.items())))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def train(path: str, output: Path, *words: str) -> int:
    return main(["train", path, "-o", str(output), *words])


def figures(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name != "seconds"}


CASES = [
    ("customers", "--label churned --category age --hash-categories 5 --class-weight yes=2"),
    ("points", "--label y --drop c --scale maxabs --class-weight 1=2,0=1 --epochs 4"),
    ("sparse", "--scale standard --holdout 0.2 --epochs 4"),
    ("sparse", "--multiclass ovr --probability --until none --epochs 3"),
]


@pytest.mark.parametrize(("rows", "words"), CASES)
def test_one_shard_is_the_ordinary_command(request, tmp_path, capsys, rows, words):
    path, output = request.getfixturevalue(rows), tmp_path / "model"
    given = (*words.split(), "--json")
    assert train(path, output, *given) == 0
    wanted, wanted_bytes = figures(capsys), output.read_bytes()
    assert train(path, output, *given, "--cluster", "threads:2") == 0
    assert figures(capsys) == wanted
    assert output.read_bytes() == wanted_bytes


@pytest.fixture
def gates(tmp_path: Path) -> str:
    """Three columns of numbers, two of labels: one of numbers and one of words."""
    path = tmp_path / "gates.csv"
    draw = random.Random(5)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("a", "b", "both", "c", "any"))
        for _ in range(160):
            a, b, c = (round(draw.gauss(0, 1), 2) for _ in range(3))
            writer.writerow((a, b, int(a > 0 and b > 0), c, "yes" if a > 0 or c > 0 else "no"))
    return str(path)


def test_columns_of_labels(gates, tmp_path, capsys):
    words = "--label both,any --epochs 3 --holdout 0.2 --scale standard --probability"
    given, output = (*words.split(), "--json"), tmp_path / "model"
    files = []
    for cluster in ("threads:1", "threads:2"):
        assert train(gates, output, *given, "--cluster", cluster, "--shards", "3") == 0
        files.append(output.read_bytes())
    assert files[0] == files[1]


HELD_OUT = [
    ("mails", "--text message --label folder --holdout 0.25 --probability"),
    ("customers", "--label churned --holdout 0.2 --probability"),
    ("points", "--label y --scale standard --holdout 0.2 --probability --epochs 4"),
]


@pytest.mark.parametrize(("rows", "words"), HELD_OUT)
def test_shards_hold_out_the_rows_of_the_ordinary_command(request, tmp_path, capsys, rows, words):
    path = request.getfixturevalue(rows)
    files, given = [], (*words.split(), "--json")
    for cluster in ("threads:1", "threads:3"):
        assert train(path, tmp_path / "m", *given, "--shards", "4", "--cluster", cluster) == 0
        found = figures(capsys)
        files.append((tmp_path / "m").read_bytes())
    assert files[0] == files[1]
    assert train(path, tmp_path / "m", *given) == 0
    plain = figures(capsys)
    assert found["rows"] == plain["rows"]
    assert found["held_out"]["n"] == plain["held_out"]["n"]


@pytest.mark.parametrize(
    ("rows", "words", "message"),
    [
        ("mails", "--max-f1 --max-accuracy", "each choose the threshold: give one"),
        ("points", "--label a,nope", "nope"),
        (
            "points",
            "--label a,y --encoding cp1252",
            "--encoding does not go with a file",
        ),
    ],
)
def test_refusals(request, tmp_path, capsys, rows, words, message):
    path = request.getfixturevalue(rows)
    assert train(path, tmp_path / "m", *words.split(), "--cluster", "threads:2") != 0
    assert message in capsys.readouterr().err
