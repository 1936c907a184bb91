"""A published run on real data: Raschka's perceptron on two classes of iris."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from fractions import Fraction

import pytest

from hardlimit import rules, textbook

from ..rounding import printed
from .boards import vector


@dataclass(frozen=True)
class ZeroIsPlus(rules.Rule):
    """Its sign(0) is +1: a score of 0 is right for t = +1, and a mistake for t = -1.

    The published step is eta (t - p) x = 2 eta t x.
    """

    eta: float = 0.1

    def required(self, y):
        return 0 if y < 0 else Fraction(-1, 10**9)

    def tau(self):
        return 2 * self.eta


@pytest.fixture
def setosa_or_versicolor(data_folder):
    path = data_folder / "uci" / "iris.csv"
    if not path.is_file():
        pytest.skip(f"no {path}")
    with path.open(newline="") as file:
        rows = [row for row in csv.reader(file) if row][:100]
    return textbook.examples(
        [[row[0], row[2]] for row in rows], [row[4] for row in rows], bias_feature=1
    )


def test_the_published_errors_of_each_epoch(setosa_or_versicolor):
    run = textbook.incremental(setosa_or_versicolor, ZeroIsPlus(), until=None, max_iter=10)
    steps, outcome = textbook.run(run)
    errors = [sum(s.corrected for s in steps if s.epoch == e) for e in range(1, 11)]
    assert errors == [2, 2, 3, 2, 1, 0, 0, 0, 0, 0]
    assert outcome.w == vector("-17/25 91/50 -2/5")


def test_the_bracket_of_the_best_margin(data_folder):
    """MinOver on setosa against the rest: ||w||/t above gamma, the margin below it."""
    path = data_folder / "uci" / "iris.csv"
    if not path.is_file():
        pytest.skip(f"no {path}")
    with path.open(newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    plain = [[*map(float, row[:4]), 1.0] for row in rows]
    unit = [[v / math.sqrt(sum(u * u for u in row)) for v in row] for row in plain]
    labels = [1 if row[4] == "Iris-setosa" else -1 for row in rows]
    ex = textbook.examples(unit, labels, bias_feature=None, number=float)
    gamma = 0.123475
    best = rules.MarginPerceptron(b=1e9)
    expected = {10: (0.822, 1.058), 100: (0.913, 1.0057)}
    for s in textbook.minover(ex, best, max_iter=100):
        if s.step in expected:
            length = math.sqrt(sum(v * v for v in s.w_after))
            least = min(sum(a * b for a, b in zip(s.w_after, z, strict=True)) for z in ex.signed)
            below, above = expected[s.step]
            assert least / length / gamma == printed(below, 3)
            assert length / s.step / gamma == printed(above, 3)
