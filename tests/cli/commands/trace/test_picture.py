"""``trace --plot FILE --picture NAME``: every picture of a trace by its name."""

from __future__ import annotations

import inspect

import pytest

from hardlimit import pictures, textbook
from hardlimit.cli import main
from hardlimit.cli.commands.trace.command import PICTURES

ROWS = "x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n"


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(ROWS)
    return path


def test_the_names_are_those_of_the_pictures_of_a_trace() -> None:
    of_traces = {
        name
        for name in pictures.names()
        if next(iter(inspect.signature(pictures.PICTURES.find(name)).parameters)) == "trace"
    }
    assert {name.replace("-", "_") for name in PICTURES} == of_traces


@pytest.mark.parametrize("name", PICTURES)
def test_each_is_drawn(name, points, tmp_path, capsys) -> None:
    path = tmp_path / "picture.svg"
    words = ["trace", str(points), "--plot", str(path), "--picture", name]
    assert main([*words, "--bias-feature", "none"] if name == "criterion-surfaces" else words) == 0
    assert path.read_text().count("<svg") == 1


def test_without_a_file_there_is_nothing_to_draw(points, capsys) -> None:
    assert main(["trace", str(points), "--picture", "weights"]) == 2
    assert "--plot FILE" in capsys.readouterr().err


def test_the_vectors_by_hand() -> None:
    X, y = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1]
    data = pictures.weight_vectors(textbook.trace(X, y)).data
    assert data["names"] == ["x1", "x2", "x0"] and data["rows"][0] == [-1, -1, -1]
    assert [one["rows"] for one in data["corrections"]] == [[0], [1], [2]]
    flat = pictures.weight_vectors(textbook.trace([[1, 2], [-1, -1]], [1, -1], bias_feature=None))
    assert flat.data["names"] == ["x1", "x2"] and flat.figure()


def test_long_vectors_are_drawn_shorter() -> None:
    way = textbook.trace([[1, 0], [0, 1]], [1, 1], w=[-100, -100, 0], bias_feature=1)
    data = pictures.weight_vectors(way).data
    assert 0 < data["scale"] < 0.1
