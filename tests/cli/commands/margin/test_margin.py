"""``hardlimit margin``: the worked examples, weights that do not separate, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardlimit.cli import main

from ....rounding import near

OR = "x1,x2,or\n-1,-1,no\n1,-1,yes\n-1,1,yes\n1,1,yes\n"
AND = "0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n"


@pytest.fixture
def points(tmp_path: Path) -> str:
    file = tmp_path / "points.csv"
    file.write_text(OR)
    return str(file)


def measure(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["margin", *words, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


# The weights that the perceptron has on its way, from 0 to the best direction, and a wrong one.
@pytest.mark.parametrize(
    ("weights", "gamma", "squared", "attained_by", "wrong"),
    [
        ("0,0,0", 0, 0, [0, 1, 2, 3], [0, 1, 2, 3]),
        ("1,1,1", -1, 3, [1, 2], [1, 2]),
        ("2,0,0", -2, 4, [2], [2]),
        ("1,1,-1", 1, 3, [0, 1, 2], []),
        ("1/3,1/3,-1/3", "1/3", "1/3", [0, 1, 2], []),
        ("3,1,-1", -1, 11, [2], [2]),
        ("1,1,0", 0, 2, [1, 2], [1, 2]),
    ],
)
def test_by_hand_on_or(weights, gamma, squared, attained_by, wrong, points, capsys) -> None:
    found = measure(capsys, points, "--weights", weights)
    assert found["gamma"] == gamma and found["squared_length"] == squared
    assert found["attained_by"] == attained_by and found["wrong"] == wrong
    assert found["separates"] == (not wrong)


def test_the_best_direction_has_the_margin_of_novikoff(points, capsys) -> None:
    found = measure(capsys, points, "--weights", "7,7,-7")
    assert found["geometric_margin"] == near(3**-0.5, 4)
    # The line x1 + x2 = -1 passes the three nearest points at 1 / sqrt(2).
    assert found["distance"] == near(2**-0.5, 4)
    assert found["length"] == near(7 * 3**0.5, 4)


def test_a_negative_margin_has_the_length_divided_out(points, capsys) -> None:
    found = measure(capsys, points, "--weights", "3,1,-1")
    assert found["geometric_margin"] == near(-(11**-0.5), 4)
    assert found["distance"] == near(-(10**-0.5), 4)
    none = measure(capsys, points, "--weights", "0,0,-1")
    assert none["distance"] is None and none["geometric_margin"] == -1


def test_the_and_gate_with_a_bias(tmp_path, capsys) -> None:
    file = tmp_path / "and.csv"
    file.write_text(AND)
    found = measure(capsys, str(file), "--weights", "3,2,-4", "--bias-feature", "1")
    assert found["gamma"] == 1 and found["attained_by"] == [2, 3] and found["squared_length"] == 29
    through = measure(capsys, str(file), "--weights", "1,1", "--bias-feature", "none")
    assert through["wrong"] == [0, 1, 2] and through["bias_feature"] is None


def test_decimals_are_what_was_typed(tmp_path, capsys) -> None:
    file = tmp_path / "d.csv"
    file.write_text("0.1;0.2;no\n0.3;0.1;yes\n")
    found = measure(capsys, str(file), "--weights", "0.1,-1e-1,0.03")
    assert found["gamma"] == "-1/100" and found["weights"] == ["1/10", "-1/10", "3/100"]


def test_numbers_beyond_a_float_have_a_ratio(points, capsys) -> None:
    found = measure(capsys, points, "--weights", "1e400,1e400,-1e400")
    assert found["geometric_margin"] == near(3**-0.5, 4) and found["length"] is None


def test_it_says_it_in_words(points, capsys) -> None:
    assert main(["margin", points, "--weights", "3,1,-1"]) == 0
    out = capsys.readouterr().out
    assert "do not separate" in out and "t = +1 for yes, -1 for no" in out
    assert "3.31662, the root of 11" in out and "-1, the smallest t w.x: no. 3" in out
    assert "1 of 4 points" in out and "0.316228 on the wrong side of the boundary" in out
    assert main(["margin", points, "--weights", "1,1,-1"]) == 0
    assert "none of 4 points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--weights", "1,1"], 2, "--weights: got 2 weights, wanted 3, one for each column and"),
        (["--weights", "1,1,1", "--bias", "none"], 2, "wanted 2, one for each column\n"),
        (["--weights", "1,x,1"], 2, "--weights wants numbers with commas between them"),
        (["--weights", "1,1/0,1"], 2, "--weights wants numbers with commas between them"),
        (["--weights", "1e999999999,1,1"], 2, "--weights wants numbers with commas between them"),
        (["--weights", "nan,1,1"], 2, "--weights wants numbers with commas between them"),
        (["--weights", "1,1,1", "--bias", "0"], 2, "--bias-feature wants a number such as -1"),
        (["--weights", "1,1,1", "--label", "x1"], 1, "points.csv:2:7: column 'or'"),
    ],
)
def test_what_is_refused(words, code, said, points, capsys) -> None:
    assert main(["margin", points, *words]) == code
    captured = capsys.readouterr()
    assert said in captured.err and not captured.out


def test_three_classes_are_refused(tmp_path, capsys) -> None:
    file = tmp_path / "three.csv"
    file.write_text("0,0,a\n1,0,b\n0,1,c\n")
    assert main(["margin", str(file), "--weights", "1,1,0"]) == 1
    assert "3 classes in the label (a, b, c), wanted two" in capsys.readouterr().err
