"""``trace --kernel``: XOR in the dual form, by hand."""

from __future__ import annotations

import json

import pytest

from hardlimit import KernelClassifier, kernels
from hardlimit.cli import main
from hardlimit.cli.spelling import parse_choice

XOR = "x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,-1\n"


@pytest.fixture
def xor(tmp_path):
    path = tmp_path / "xor.csv"
    path.write_text(XOR)
    return str(path)


def test_the_polynomial_separates_xor_in_fractions(xor, capsys) -> None:
    """(1 + <x, z>)^2 is 9 of a row with itself and else 1: each row corrects once."""
    assert main(["trace", xor, "--kernel", "polynomial:2", "--bias", "none"]) == 0
    out = capsys.readouterr().out
    assert "perceptron, dual form, polynomial:degree=2,c=1; one by one; exact fractions" in out
    assert "separated after" in out and "alpha1" in out


@pytest.mark.parametrize("text", ["polynomial:2", "polynomial:3,2", "rbf:0.5"])
def test_it_makes_the_corrections_of_the_classifier(text, xor, tmp_path, capsys) -> None:
    assert main(["trace", xor, "--kernel", text, "--bias", "none", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    kernel = parse_choice(text, kernels.KERNELS, "--kernel")
    clf = KernelClassifier(kernel, order="cyclic")
    clf.fit([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, -1])
    assert found["corrections"] == clf.n_corrections_


@pytest.mark.parametrize(
    "words",
    [("--rule", "relaxation"), ("--order", "batch"), ("--map", "cross"),
     ("--guard", "alpha-bound:2"), ("--start", "1,2,3"), ("--bounds",)],
)  # fmt: skip
def test_what_the_dual_form_has_not_is_refused(words, xor, capsys) -> None:
    assert main(["trace", xor, "--kernel", "rbf:1", *words]) == 2
    assert "--kernel traces the perceptron row by row" in capsys.readouterr().err
