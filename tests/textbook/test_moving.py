"""How weights move for each kind of answer: one correction at a time, by hand."""

import math
from dataclasses import dataclass
from fractions import Fraction

import pytest

from hardlimit import rules
from hardlimit.textbook.moving import Linked, MovedWeights, Multiplied, WithCovariance, make_weights

from ..rounding import near


@dataclass(frozen=True)
class Adding(rules.AdditiveRule):
    def tau(self, margin):
        return 2 - margin


@dataclass(frozen=True)
class Shrinking(rules.ShrinkingRule):
    def tau(self):
        return Fraction(1, 2), 3


@dataclass(frozen=True)
class Linking(rules.LinkedRule):
    def tau(self):
        return 0.5


@dataclass(frozen=True)
class Covarying(rules.CovarianceRule):
    covariance: str = "full"

    def tau(self, variance):
        return 1 / variance, 1 / (variance + 1)


@dataclass(frozen=True)
class Multiplying(rules.MultiplicativeRule):
    def tau(self, y):
        return Fraction(2) if y > 0 else Fraction(1, 2)


def scalars(**given):
    return {"margin": 0, "variance": 1, "y": 1, "weight": 1, **given}


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Adding(), MovedWeights),
        (Shrinking(), MovedWeights),
        (Linking(), Linked),
        (Covarying(), WithCovariance),
        (Multiplying(), Multiplied),
    ],
)
def test_each_answer_has_its_kind(rule, kind):
    assert type(make_weights(rule, (0, 0, 0))) is kind


def test_adding_multiplies_by_eta_and_says_what_alpha_grew_by():
    weights = make_weights(Adding(), (1, 1))
    assert weights.correct((3, -1), scalars(margin=-1), 2) == 6  # eta 2, tau 3
    assert weights.w == (1 + 18, 1 - 6)


def test_shrinking_comes_first():
    weights = make_weights(Shrinking(), (2, 4))
    assert weights.correct((1, 0), scalars(), 1) == 3
    assert weights.w == (1 + 3, 2)


def test_a_link_moves_theta():
    weights = make_weights(Linking(), (0.0, 2 * math.sinh(1.0)))
    assert weights.theta == near((0.0, 1.0), 20)
    assert weights.correct((2, -1), scalars(), 1) == 0.5
    assert weights.theta == near((1.0, 0.5), 20)
    assert weights.w == near((2 * math.sinh(1.0), 2 * math.sinh(0.5)), 20)


def test_a_full_covariance_by_hand():
    """S = I, z = (1, 1): S z = z, variance 2, w += z / 2, S -= z z' / 3."""
    weights = make_weights(Covarying(), (Fraction(0), Fraction(0)))
    z = (1, 1)
    assert weights.variance(z) == 2
    weights.correct(z, scalars(variance=Fraction(2)), 1)
    assert weights.w == (Fraction(1, 2), Fraction(1, 2))
    third = Fraction(1, 3)
    assert weights.S == [[[1 - third, -third], [-third, 1 - third]]]
    assert weights.variance(z) == Fraction(2, 3)


def test_a_diagonal_drops_what_lies_beside_it():
    weights = make_weights(Covarying("diagonal"), (Fraction(0), Fraction(0)))
    weights.correct((1, 1), scalars(variance=Fraction(2)), 1)
    assert weights.S == [[[Fraction(2, 3)]], [[Fraction(2, 3)]]]
    assert weights.variance((1, 1)) == Fraction(4, 3)


def test_a_full_covariance_of_two_classes_is_two_blocks():
    weights = make_weights(Covarying(), (0, 0, 0, 0), classes=2)
    assert [list(block) for block in weights.blocks] == [[0, 1], [2, 3]]
    assert weights.variance((1, 0, 0, 2)) == 5


@pytest.mark.parametrize(("y", "w"), [(1, (4, 1, 4, 5)), (-1, (Fraction(1, 4), 1, 1, 5))])
def test_factors_leave_absent_columns_and_the_threshold(y, w):
    """z = y x with x = (2, 0, 1) and the bias: w_j factor^x_j."""
    weights = make_weights(Multiplying(), (1, 1, 2, 5))
    z = tuple(y * x for x in (2, 0, 1, -1))
    assert weights.correct(z, scalars(y=y), 1) == 1
    assert weights.w == w


def test_rows_that_cannot_move_anything():
    assert MovedWeights(Adding(), (0,)).can_move((0,))
    assert not make_weights(Covarying(), (0, 0)).can_move((0, 0))
    weights = make_weights(Multiplying(), (0, 3, 7))
    assert not weights.can_move((5, 0, -1)) and weights.can_move((0, 1, -1))
