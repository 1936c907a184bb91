"""What the proofs promise, by hand on the modified OR; and r(k) of relaxation in the table."""

import csv
import io
import itertools
import math

import pytest

from hardlimit import rules, textbook
from hardlimit.cli import main
from hardlimit.exceptions import InputError

from ..rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])
EX = textbook.examples(*OR)
RELAXATION = rules.Relaxation(eta=1.5, b=1)


def test_the_three_forms_by_hand():
    """gamma = 1, beta^2 = 3, |a|^2 = 3: alpha = 3; (9+9+9)/3, 3*3, 12*3; and (4+4+16)/3."""
    found = textbook.convergence(EX, (1, 1, -1))
    assert (found.gamma, found.beta_squared) == (1, 3)
    assert (found.from_start, found.max_form, found.sum_form) == (9, 9, 36)
    assert textbook.convergence(EX, (1, 1, -1), w=(1, 1, 1)).from_start == 8


@pytest.mark.parametrize("separator", [(1, 1, -1), (2, 3, -2), (5, 5, -3)])
def test_no_run_makes_more_corrections_than_k0(separator):
    for start in itertools.product((-4, 0, 3), repeat=3):
        made = textbook.trace(*OR, w=start).outcome.corrections
        assert made <= textbook.convergence(EX, separator, start).from_start


def test_what_separates_not_is_refused():
    with pytest.raises(InputError, match="must separate the examples.* the margin 0"):
        textbook.convergence(EX, (1, 1, 0))


def test_r_is_the_distance_to_the_plane_of_the_row():
    """The first row: (b - 0) / sqrt 3; a correction of eta 1.5 leaves half of it behind."""
    table = textbook.trace(*OR, RELAXATION)
    rows = list(csv.DictReader(io.StringIO(table.csv())))
    assert float(rows[0]["r"]) == near(1 / math.sqrt(3), 20)
    for row, step in zip(rows, table.steps, strict=True):
        assert bool(row["r"]) == step.corrected
        if step.corrected:
            moved = math.sqrt(sum(float(v) ** 2 for v in step.delta))
            assert 1.5 * float(row["r"]) == near(moved, 20)


def test_other_rules_have_no_such_column():
    assert ",r," not in textbook.trace(*OR).csv()


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x1,x2,t\n-1,-1,-1\n1,-1,1\n-1,1,1\n1,1,1\n")
    return str(path)


def test_the_command_prints_them(points, capsys):
    assert main(["trace", points, "--bounds"]) == 0
    out = capsys.readouterr().out
    assert "  sum form         36  sum |x|^2 |a|^2 / gamma^2\n  made              3" in out
    assert main(["trace", points, "--bounds", "--epochs", "1"]) == 0
    assert main(["trace", points, "--bounds", "--start", "1,1,1"]) == 0
    assert "  from a(1)         8" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [("--order", "batch"), ("--rule", "relaxation"), ("--schedule", "constant:0.5"),
     ("--format", "csv"), ("--guard", "alpha-bound:2")],
)  # fmt: skip
def test_the_command_refuses_what_the_proofs_are_not_about(points, words, capsys):
    assert main(["trace", points, "--bounds", *words]) == 2
    assert "--bounds" in capsys.readouterr().err
