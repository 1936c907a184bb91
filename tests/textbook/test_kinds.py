"""Rules that do more than add: what each kind of answer does to the weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import pytest

from hardlimit import rules, textbook
from hardlimit.exceptions import InputError

from ..rounding import near
from .boards import W1, W3, exercise, modified_or, vector


@dataclass(frozen=True)
class Ridge(rules.Rule):
    """AROW: margin < 1 corrects by beta = 1 / (variance + r)."""

    r: float = 1
    covariance: str = "diagonal"
    apart: bool = False
    required = 1
    equality_violates = False
    answers = "tau, beta"
    initial_variance = 1

    def tau(self, margin, variance):
        beta = 1 / (variance + self.r)
        return (1 - margin) * beta, beta


@dataclass(frozen=True)
class SecondOrder(Ridge):
    """Moves on mistakes; the diagonal column by column."""

    apart: bool = True
    required = 0
    equality_violates = True

    def tau(self, margin, variance):
        beta = 1 / (1 + variance)
        return (1 - margin) * beta, beta


@dataclass(frozen=True)
class Shifting(rules.Rule):
    """w <- step / (lam + step) w + y x."""

    lam: float = 1
    answers = "shrink, tau"

    def tau(self, step):
        return step / (self.lam + step), 1


@dataclass(frozen=True)
class Link(rules.Rule):
    alpha: float = 2
    answers = "tau, linked"
    exact = False

    def tau(self):
        return math.log(self.alpha)


@dataclass(frozen=True)
class Factor(rules.Rule):
    alpha: float = 2
    answers = "factor"

    def initial_weights(self, n_columns, bias):
        return 1.0, -float(n_columns) / float(bias)

    def tau(self, y):
        return self.alpha if y > 0 else 1 / self.alpha


def taught(X, y, rule, **settings):
    ex = textbook.examples(X, y, bias_feature=settings.pop("bias_feature", 1))
    return textbook.run(textbook.incremental(ex, rule, until=None, **settings))


def test_a_variance_a_column():
    """r = 2, bias feature 1: S = (1/2, 7/8, 7/8) after the first example."""
    steps, _ = taught([[2, 1], [0, 2]], [1, -1], Ridge(r=2), max_iter=1)
    assert steps[0].w_after == vector("1/4 1/8 1/8")
    assert steps[1].margin == Fraction(-3, 8)
    assert steps[1].tau == Fraction(11, 51)
    assert steps[1].w_after == vector("1/4 -103/408 -13/204")


def test_the_matrix_is_ridge_regression():
    """w = (r I + sum z z')^-1 sum z over the corrections, in whatever order they come."""
    steps, outcome = taught(
        [[2, 1], [0, 2], [1, 1]], [1, -1, -1], Ridge(r=3, covariance="full"), max_iter=2
    )
    corrected = [s.z for s in steps if s.corrected]
    left = [
        3 * wi
        + sum(z[i] * sum(a * b for a, b in zip(z, outcome.w, strict=True)) for z in corrected)
        for i, wi in enumerate(outcome.w)
    ]
    assert left == [sum(z[i] for z in corrected) for i in range(3)]


def test_columns_by_themselves():
    steps, _ = taught([[1, 1], [1, 0], [0, 1]], [1, -1, 1], SecondOrder(), max_iter=1)
    assert steps[0].w_after == vector("1/2 1/2 1/2")
    assert steps[1].w_after == vector("0 1/2 0")
    assert not steps[2].corrected
    steps, _ = taught([[1, 1]], [1], SecondOrder(covariance="full"), max_iter=1)
    assert steps[0].w_after == vector("1/4 1/4 1/4")


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_coupled_classes_keep_a_covariance_each(covariance):
    """Two of them: both rows move by the same, and v counts both."""
    X = [[2, 1], [0, 2]]
    run = textbook.coupled(
        X, [1, 0], Ridge(r=2, covariance=covariance), bias_feature=1, until=None, max_iter=1
    )
    steps = textbook.run(run).steps
    low, high = textbook.rows_of_classes(steps[0].w_after, 2)
    assert high == tuple(-v for v in low) == vector("1/7 1/14 1/14")  # v = 12, r = 2


def test_shrinking():
    steps, _ = taught([[1], [1]], [1, -1], Shifting(), max_iter=1, bias_feature=None)
    assert [s.w_after for s in steps] == [(1,), (Fraction(2, 3) - 1,)]
    with pytest.raises(InputError, match="no batch"):
        next(textbook.batch(modified_or(), Shifting()))


def test_the_link_is_balanced_winnow():
    ex = exercise(W1, W3, number=float)
    winnow = textbook.run(textbook.balanced_winnow(ex, alpha=1.05, max_iter=4)).steps
    linked = textbook.run(textbook.incremental(ex, Link(1.05), until=None, max_iter=4)).steps
    assert [s.corrected for s in winnow] == [s.corrected for s in linked]
    for a, b in zip(winnow, linked, strict=True):
        assert list(a.w_after) == near(list(b.w_after), 1000)


def test_factors():
    """The first column of four, threshold 4."""
    X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0]]
    steps, outcome = taught(X, [1, 1, -1, 1], Factor(), max_iter=2, bias_feature=-1)
    expected = ["2 2 1 1 4", "4 4 1 1 4", "4 2 1/2 1 4", "8 2 1/2 1 4"]
    assert [s.w_after for s in steps[:4]] == [vector(w) for w in expected]
    assert outcome.w == vector(expected[-1]) and not outcome.wrong
