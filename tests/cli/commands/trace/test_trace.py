"""``hardlimit trace``: the blackboard on the command line."""

from __future__ import annotations

import csv
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from hardlimit import textbook
from hardlimit.cli import main

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])


@pytest.fixture
def points(tmp_path: Path) -> str:
    file = tmp_path / "points.csv"
    file.write_text("x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n")
    return str(file)


def traced(capsys, *words: str) -> str:
    assert main(["trace", *words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("order", ["cyclic", "batch", "worst"])
@pytest.mark.parametrize("style", ["text", "markdown", "json", "csv"])
def test_it_prints_what_the_textbook_says(order, style, points, capsys) -> None:
    found = textbook.trace(*OR, order=order, max_iter=100, names=["x1", "x2"])
    expected = {"text": found.text, "markdown": found.markdown, "json": found.json}
    out = traced(capsys, points, "--order", order, "--exact", "--format", style)
    assert out == expected.get(style, found.csv)()


def test_bias_and_float(points, capsys) -> None:
    out = traced(capsys, points, "--bias-feature", "1", "--float")
    assert "x0 = 1 in every row, so that w0 is the bias" in out and "floating point" in out
    assert "w = (1, 1, 1)" in out
    out = traced(capsys, points, "--bias-feature", "none", "--epochs", "2")
    assert "through the origin" in out and "w0" not in out


def test_decimals_are_exact(tmp_path, capsys) -> None:
    file = tmp_path / "d.csv"
    file.write_text("0.1;0.2;no\n0.3;1e-7;yes\n")
    out = traced(capsys, str(file), "--rule", "margin-perceptron:b=0.1", "--epochs", "1")
    assert "-1/10" in out and "t w.x <= 1/10" in out and "t = +1 for yes, -1 for no" in out
    data = json.loads(traced(capsys, str(file), "--format", "json", "--epochs", "1"))
    assert Fraction(data["steps"][1]["z"][1]) == Fraction(1, 10**7)


def test_roots_take_floats(points, capsys) -> None:
    for words in (["--rule", "alma"], ["--schedule", "power:1/2"]):
        assert main(["trace", points, *words]) == 0
        captured = capsys.readouterr()
        assert "floating point" in captured.out and "so the numbers are floats" in captured.err
    out = traced(capsys, points, "--rule", "balanced-winnow")
    assert "-15/4" in out and "balanced-winnow, alpha = 2" in out


def test_svmlight_and_standard_input(tmp_path, points, capsys, hardlimit) -> None:
    file = tmp_path / "p.svm"
    file.write_text("+1 1:0.5 3:1\n-1 2:1\n")
    out = traced(capsys, str(file))
    assert "w3" in out and "1/2" in out
    done = hardlimit("trace", "-", given=Path(points).read_text())
    assert done.returncode == 0 and "w = (1, 1, -1)" in done.stdout


def test_the_label_by_name_and_the_names_of_columns(tmp_path, capsys) -> None:
    file = tmp_path / "k.csv"
    file.write_text("kind,height,width\nno,1,2\nyes,3,1\n")
    out = traced(capsys, str(file), "--label", "kind")
    assert "x1 = height, x2 = width" in out


def test_long_runs_are_cut(points, capsys) -> None:
    words = [points, "--until", "none", "--epochs", "50"]
    out = traced(capsys, *words)
    assert "... 140 lines left out ..." in out and len(out.splitlines()) < 75
    assert "... 195 lines left out ..." in traced(capsys, *words, "--lines", "5")
    for lines, left_out in ((1, 199), (2, 198), (3, 197)):
        out = traced(capsys, *words, "--lines", str(lines))
        assert f"... {left_out} lines left out ..." in out
    assert "left out" not in traced(capsys, *words, "--lines", "0")
    rows = list(csv.reader(traced(capsys, *words, "--format", "csv").splitlines()))
    assert len(rows) == 1 + 200
    assert len(traced(capsys, *words, "--format", "csv", "--lines", "1").splitlines()) == 2


def test_a_file_is_written_in_the_form_of_its_name(points, tmp_path, capsys) -> None:
    for name, begins in (("t.md", "perceptron"), ("t.json", "{"), ("t.csv", "epoch,no,w1")):
        target = tmp_path / name
        assert traced(capsys, points, "-o", str(target)) == ""
        assert target.read_text().startswith(begins)
    assert json.loads((tmp_path / "t.json").read_text())["w"] == [1, 1, -1]
    assert main(["trace", points, "-o", points]) == 2
    assert "overwrite" in capsys.readouterr().err
    assert Path(points).read_text().startswith("x1,x2,t")


@pytest.mark.parametrize("width", [40, 80])
def test_it_fits_the_terminal(width, points, hardlimit) -> None:
    for words in ((), ("--rule", "passive-aggressive"), ("--order", "batch", "--float")):
        done = hardlimit("trace", points, *words, COLUMNS=str(width))
        assert done.returncode == 0, done.stderr
        assert max(map(len, done.stdout.splitlines())) <= width


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("0,0,a\n1,0,b\n0,1,c\n", "3 classes in the label (a, b, c)"),
        ("0,0,a\n1,0,a\n", "1 class in the label (a)"),
        ("0,0\nnan,1\n", "nan"),
        ("a,b,c\n0,x,1\n", "x"),
        ("", "empty"),
    ],
)
def test_files_that_cannot_be_traced(content, said, tmp_path, capsys) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(content)
    assert main(["trace", str(file)]) == 1
    captured = capsys.readouterr()
    assert said in captured.err and "bad.csv" in captured.err and captured.out == ""


def test_a_wide_file_is_refused_before_it_fills_the_memory(tmp_path, capsys) -> None:
    file = tmp_path / "wide.svm"
    file.write_text("+1 1:1\n-1 3000000:1\n")
    assert main(["trace", str(file)]) == 1
    assert "3,000,000 columns" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--rule", "margin-perceptron:b=-1"], 2, "--rule margin-perceptron:b="),
        (["--rule", "perceptron:b=1"], 2, "parameter 'b'"),
        (["--bias-feature", "x"], 2, "--bias-feature wants"),
        (["--schedule", "line-search", "--order", "batch"], 2, "its Hessian is 0"),
        (["--rule", "alma", "--exact"], 2, "--exact does not go with alma"),
        (["--rule", "romma", "--order", "batch"], 2, "no batch form"),
        (["--schedule", "projection"], 2, "onto the margin 0"),
        (["--schedule", "inverse:1,0"], 2, "--schedule inverse:b=0: wanted a number > 0"),
        (["--bias-feature", "0"], 2, "not 0"),
        (["--rule", "margin-perceptron", "--guard", "margin:1"], 2, "--guard margin"),
        (["--rule", "winnow-1"], 1, "points.csv:2: column 'x1': got -1"),
        (["-o", "t.pdf"], 2, "-o t.pdf: wanted .txt, .md"),
        (["--epochs", "0"], 2, "--epochs"),
    ],
)
def test_options_that_cannot_be(words, code, said, points, capsys) -> None:
    assert main(["trace", points, *words]) == code
    captured = capsys.readouterr()
    assert said in captured.err and captured.out == ""
    for python in ("bias_feature=", "exact=", "textbook", "Fraction(", "trace:"):
        assert python not in captured.err


def test_fractions_that_grow_without_end_stop_with_advice(tmp_path, capsys) -> None:
    file = tmp_path / "many.csv"
    draw = random.Random(3)
    rows = [[f"{draw.uniform(-1, 1):.3f}" for _ in range(3)] for _ in range(30)]
    file.write_text("".join(f"{','.join(row)},{draw.choice('ab')}\n" for row in rows))
    for rule in ("romma", "arow", "passive-aggressive"):
        words = ["trace", str(file), "--rule", rule, "--epochs", "20"]
        assert main(words) == 1
        said = capsys.readouterr().err
        assert "more than 2,000 digits" in said and "use --float" in said
        assert main([*words, "--float"]) == 0
        capsys.readouterr()


def test_projection_stays_in_fractions(points, capsys) -> None:
    out = traced(capsys, points, "--rule", "margin-perceptron", "--schedule", "projection")
    assert "exact fractions" in out and "1/3" in out


def test_an_average_says_so_and_shows_its_eta(points, capsys) -> None:
    words = [points, "--rule", "relaxation", "--order", "batch", "--lines", "0", "--format", "csv"]
    rows = list(csv.DictReader(traced(capsys, *words).splitlines()))[:4]
    assert [row["eta"] for row in rows] == ["1/4"] * 4
    for j in "120":  # tau tx, summed, is dw
        moved = sum(Fraction(row["tau"]) * int(row[f"tx{j}"]) for row in rows)
        assert moved == Fraction(rows[0][f"dw{j}"])
    out = traced(capsys, points, "--rule", "relaxation", "--order", "batch")
    assert "averaged over the violators" in out


def test_guards_and_drawn_orders(points, capsys) -> None:
    words = [word for one in ("margin:1/3", "lambda-trick:0.5", "alpha-bound:2")
             for word in ("--guard", one)]  # fmt: skip
    out = traced(capsys, points, *words)
    assert "corrections of pattern 1 to 4" in out
    orders = [traced(capsys, points, "--order", "shuffled", "--seed", seed) for seed in "0123"]
    assert len(set(orders)) > 1


def test_the_counts_of_the_exercises_look_after_every_epoch(tmp_path, capsys) -> None:
    """Duda, Hart and Stork's classes 1 and 2 of chapter 5."""
    first = "0.1,1.1 6.8,7.1 -3.5,-4.1 2.0,2.7 4.1,2.8 3.1,5.0 -0.8,-1.3 0.9,1.2 5.0,6.4 3.9,4.0"
    other = "7.1,4.2 -1.4,-4.3 4.5,0.0 6.3,1.6 4.2,1.9 1.4,-3.2 2.4,-4.0 2.5,-6.1 8.4,3.7 4.1,-2.2"
    file = tmp_path / "classes.csv"
    rows = [f"{x},1" for x in first.split()] + [f"{x},-1" for x in other.split()]
    file.write_text("\n".join(rows))
    words = [str(file), "--rule", "relaxation:b=0.1", "--bias-feature", "1"]
    assert "131 corrections in 22 epochs" in traced(capsys, *words)
    assert "127 corrections in 21 epochs" in traced(capsys, *words, "--impatient")


def test_the_label_that_stands_first_is_named(tmp_path, capsys) -> None:
    file = tmp_path / "first.csv"
    file.write_text("label,a,b\n" + "yes,1,2\nno,-1,0\n" * 3)
    assert main(["trace", str(file)]) == 1
    assert "add --label label" in capsys.readouterr().err
    assert main(["trace", str(file), "--label", "label"]) == 0


def test_winnow_needs_a_threshold(tmp_path, capsys) -> None:
    file = tmp_path / "positive.csv"
    file.write_text("0,1,a\n1,0,b\n")
    assert main(["trace", str(file), "--rule", "winnow-1", "--bias-feature", "none"]) == 1
    said = capsys.readouterr().err
    assert (
        "--bias-feature none: --rule winnow-1: the rule holds its threshold" in said
        and "fit_intercept" not in said
    )
