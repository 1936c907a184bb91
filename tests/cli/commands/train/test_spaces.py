"""XOR from end to end: maps and kernels from the command line, the bias of numbers."""

from __future__ import annotations

import pytest

from hardlimit import kernels, maps
from hardlimit.classifiers import load
from hardlimit.cli import main

XOR = "x1,x2,t\n-1,-1,no\n1,-1,yes\n-1,1,yes\n1,1,no\n"
ANSWERS = ["no", "yes", "yes", "no"]


@pytest.fixture
def xor(tmp_path):
    path = tmp_path / "xor.csv"
    path.write_text(XOR)
    return str(path)


@pytest.fixture
def model(tmp_path):
    return str(tmp_path / "xor.hardlimit")


SPACES = [
    ("--map", "polynomial:2"), ("--map", "cross"), ("--map", "cross:which=seen"),
    ("--map", "cross:hash_bits=6"),
    ("--kernel", "rbf:0.5"), ("--kernel", "polynomial:2"), ("--kernel", "polynomial:degree=3,c=2"),
]  # fmt: skip


@pytest.mark.parametrize("words", SPACES, ids=" ".join)
def test_xor_from_end_to_end(words, xor, model, capsys) -> None:
    assert main(["train", xor, *words, "-o", model]) == 0
    assert "separated" in capsys.readouterr().out
    assert main(["predict", model, xor]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ANSWERS
    assert main(["evaluate", model, xor]) == 0
    assert "rows      4, of which 4 correct" in capsys.readouterr().out
    assert main(["inspect", model]) == 0
    assert "2 numbers a row" in capsys.readouterr().out
    assert main(["train", xor, "--train-from", model, "-o", model]) == 0


def test_weights_of_a_map_have_the_names_of_the_products(xor, model, capsys) -> None:
    assert main(["train", xor, "--map", "cross", "-o", model]) == 0
    capsys.readouterr()
    assert main(["inspect", model]) == 0
    assert "  x1*x2\n" in capsys.readouterr().out
    assert load(model).map == "cross" or load(model).map_.get_params() == maps.Cross().get_params()


def test_a_map_is_named_with_its_degree(xor, model, capsys) -> None:
    assert main(["train", xor, "--map", "polynomial:2", "-o", model]) == 0
    assert main(["inspect", model]) == 0
    assert capsys.readouterr().out.count("polynomial:degree=2,c=1") == 2


def test_a_kernel_is_what_was_typed(xor, model) -> None:
    assert main(["train", xor, "--kernel", "rbf:0.5", "-o", model]) == 0
    assert load(model).kernel == kernels.RBF(gamma=0.5)


def test_trace_shows_the_products(xor, capsys) -> None:
    assert main(["trace", xor, "--map", "cross", "--bias", "none"]) == 0
    out = capsys.readouterr().out
    assert "x3 = x1*x2" in out and "separated after" in out


def test_trace_names_the_factors_of_a_polynomial(xor, capsys) -> None:
    assert main(["trace", xor, "--map", "polynomial:2"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "x1 = 1, x2 = sqrt(2)*x1, x3 = sqrt(2)*x2, x4 = x1^2, x5 = sqrt(2)*x1*x2" in out


@pytest.mark.parametrize(
    ("words", "bias"), [((), 1.0), (("--bias", "2.5"), 2.5), (("--bias-feature", "none"), 0.0)]
)
def test_the_bias_of_numbers(words, bias, xor, model) -> None:
    assert main(["train", xor, *words, "--epochs", "3", "-o", model]) == 0
    clf = load(model)
    assert clf.fitted.choices.bias == bias
    assert bool(clf.intercept_.any()) <= bool(bias)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--map", "crosss"), "did you mean 'cross'"),
        (("--map", "polynomial:1,2,3"), "wanted polynomial:DEGREE,C"),
        (("--kernel", "rbf:-1"), "a number > 0"),
        (("--kernel", "precomputed"), "--kernel precomputed has no rows to predict"),
        (("--map", "cubic:2"), "error: --map cubic: wanted one of"),
        (("--bias", "much"), "--bias-feature wants a number or none"),
        (("--bias", "0"), "--bias-feature"),
    ],
)
def test_what_is_refused(words, said, xor, model, capsys) -> None:
    assert main(["train", xor, *words, "-o", model]) != 0
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train", "trace"])
@pytest.mark.parametrize(
    "words",
    [("--map", "polynomial:0"), ("--map", "polynomial:x"), ("--map", "cross:which=some"),
     ("--map", "polynomial:2,-1"), ("--map", "cross:hash_bits=40")],
)  # fmt: skip
def test_values_out_of_range_are_refused_before_anything_is_read(
    command, words, tmp_path, capsys
) -> None:
    more = ["-o", str(tmp_path / "m")] if command == "train" else []
    path = tmp_path / "points.svm"  # numbers by its name; never read
    assert main([command, str(path), *more, *words]) == 2
    assert f"--map {words[1].partition(':')[0]}:" in capsys.readouterr().err


def test_inspect_names_the_factors_of_a_polynomial(xor, model, capsys) -> None:
    assert main(["train", xor, "--map", "polynomial:2", "-o", model]) == 0
    assert main(["inspect", model]) == 0
    assert "sqrt(2)*x1*x2" in capsys.readouterr().out
    assert main(["explain", model, "1, 1"]) == 0
    assert "sqrt(2)*x1*x2" in capsys.readouterr().out
