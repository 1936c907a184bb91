"""What a budget holds, step by step by hand."""

from fractions import Fraction

import pytest

from hardlimit import budgets, textbook
from hardlimit.exceptions import InputError, KindError
from hardlimit.textbook.forgetting import shrink

from ..rounding import roundings

POINTS = [[1], [2], [3], [4]]


def taught(budget, y=(1, -1, 1, -1), number=int, **settings):
    ex = textbook.examples(POINTS, list(y), bias_feature=None, number=number)
    return textbook.run(textbook.budgeted(ex, budget, max_iter=1, until=None, **settings))


def test_the_oldest_leaves():
    """Margins: 0, -2, 3 (1 - 2) = -3, then with 2 and 3 held -4 (-2 + 3) = -4."""
    steps, _ = taught(budgets.RemoveOldest(2))
    assert [s.margin for s in steps] == [0, -2, -3, -4]
    assert [s.held for s in steps] == [
        ((0, 1),),
        ((0, 1), (1, -1)),
        ((1, -1), (2, 1)),
        ((2, 1), (3, -1)),
    ]
    assert [s.told for s in steps] == [None, None, 0, 1]


def test_a_budget_that_is_spent_learns_no_more():
    steps, outcome = taught(budgets.Stoptron(2))
    assert [s.corrected for s in steps] == [True, True, False, False]
    assert outcome.counts == (1, 1, 0, 0) and outcome.alpha == (1, 1, 0, 0)


def test_one_of_all_leaves_by_lot_and_the_lot_repeats():
    budget = budgets.RandomRemoval(2)
    first = taught(budget, seed=5)
    assert first == taught(budget, seed=5)
    assert all(len(s.held) <= 2 for s in first.steps)
    lots = {tuple(s.told for s in taught(budget, seed=seed).steps) for seed in range(12)}
    assert len(lots) > 1, "another seed, another lot"


@pytest.mark.parametrize("make", [budgets.RemoveOldest, budgets.Stoptron, budgets.RandomRemoval])
def test_a_budget_that_is_never_full_is_the_dual_perceptron(make):
    ex = textbook.examples(POINTS, [1, -1, 1, -1], bias_feature=2)
    free = textbook.run(textbook.dual(ex, max_iter=3)).steps
    held = textbook.run(textbook.budgeted(ex, make(99), max_iter=3)).steps
    assert [s.margin for s in held] == [s.margin for s in free]
    assert [s.corrected for s in held] == [s.corrected for s in free]


def test_the_projectron_moves_what_it_can_express():
    """Rows on one line: every mistake after the first is a multiple of it."""
    steps, _ = taught(budgets.Projectron(0.1), number=textbook.exact)
    assert [len(s.held) for s in steps] == [1, 1, 1, 1]
    assert [s.told.delta for s in steps[1:]] == [0, 0, 0]
    # margin -2 at x = 2: projected on x = 1 with d = 2, so that the coefficient falls by 2
    assert steps[1].told.d == (2,) and steps[1].held == ((0, -1),)


def test_the_projectron_adds_what_it_cannot():
    ex = textbook.examples([[1, 0], [0, 1]], [1, 1], bias_feature=None)
    steps, _ = textbook.run(textbook.budgeted(ex, budgets.Projectron(0.5), max_iter=1, until=None))
    assert [len(s.held) for s in steps] == [1, 2]
    assert steps[1].told.delta == 1 and not steps[1].told.projected


@pytest.mark.parametrize(
    ("s", "f", "c"), [(1.0, 0.5, -0.1), (2.0, -1.0, -0.4), (0.7, 3.0, -0.2), (1.0, 0.5, -9.0)]
)
def test_the_forgetron_shrinks_as_little_as_is_allowed(s, f, c):
    """phi is the largest number up to 1 with (s^2 - 2 s f) phi^2 + 2 s phi + c <= 0."""

    def damage(phi):
        return (s * s - 2 * s * f) * phi * phi + 2 * s * phi + c

    phi = shrink(s, f, c)
    assert 0 < phi <= 1 and damage(phi) <= 20 * roundings(20)
    grid = [k / 4000 for k in range(1, 4001)]
    # Beyond phi by more than rounding can move the root of the parabola.
    assert not any(damage(x) <= -1e-9 for x in grid if x > phi + 1e-3)


def test_the_forgetron_takes_roots():
    with pytest.raises(InputError) as caught:
        taught(budgets.Forgetron(50), number=textbook.exact)
    assert caught.value.topic == "no-fractions"
    steps, _ = taught(budgets.Forgetron(50), number=float)
    assert steps[-1].told.mistakes == sum(s.corrected for s in steps)


@pytest.mark.parametrize("budget", [None, 3, "remove-newest"])
def test_what_is_no_budget_is_refused(budget):
    with pytest.raises((InputError, KindError)):
        taught(budget)


def test_a_budget_may_be_named():
    ex = textbook.examples(POINTS, [1, -1, 1, -1], bias_feature=None, number=int)
    named = textbook.run(textbook.budgeted(ex, "remove-oldest", max_iter=1))
    assert named == textbook.run(textbook.budgeted(ex, budgets.RemoveOldest(), max_iter=1))


def test_coefficients_are_in_the_numbers_of_the_run():
    steps, _ = taught(budgets.RemoveOldest(2), number=textbook.exact)
    assert all(isinstance(c, Fraction) for s in steps for _, c in s.held)
