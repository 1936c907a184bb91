"""What the budgets promise, on the slow and obvious runs of the textbook."""

import math
from fractions import Fraction

import numpy as np
import pytest

from hardlimit import budgets, textbook
from hardlimit.exceptions import InputError, KindError
from hardlimit.textbook.forgetting import shrink

from ..rounding import roundings, within
from .boards import ALL, dot, drawn, examples, rbf, squared

SIZED = [name for name, budget in ALL.items() if hasattr(budget, "size")]


def whole(n=40, seed=1):
    """Integer rows, exact in Fractions and ints."""
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, (n, 2)), rng.choice([-1, 1], n)


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_budget_is_never_exceeded(name, size):
    ex = examples(*drawn(noise=0.2))
    run = textbook.run(
        textbook.budgeted(ex, type(ALL[name])(size), kernel=rbf, max_iter=4, until=None)
    )
    assert max(len(step.held) for step in run.steps) == size
    assert run.outcome.corrections >= size


@pytest.mark.parametrize("name", SIZED)
def test_a_large_budget_is_none(name):
    X, y = drawn()
    ex = examples(X, y)
    free = textbook.run(textbook.dual(ex, kernel=rbf))
    held = textbook.run(
        textbook.budgeted(ex, type(ALL[name])(free.outcome.corrections), kernel=rbf)
    )
    assert [s.corrected for s in held.steps] == [s.corrected for s in free.steps]
    assert held.outcome.alpha == free.outcome.alpha
    assert held.outcome.reason == free.outcome.reason == "separated"


def test_by_hand():
    """One column, targets in turn: what each holds after each mistake."""
    ex = textbook.examples([[1], [2], [3], [4]], [1, -1, 1, -1], bias_feature=None, number=int)

    def held(budget):
        steps = textbook.budgeted(ex, budget, max_iter=1)
        return [step.held for step in steps]

    first, second = ((0, 1),), ((0, 1), (1, -1))
    assert held(budgets.RemoveOldest(2)) == [
        first, second, ((1, -1), (2, 1)), ((2, 1), (3, -1)),
    ]  # fmt: skip
    assert held(budgets.Stoptron(2)) == [first, second, second, second]


def test_random_removal_makes_every_draw_alike():
    """Which of three entries goes: as often each, over many seeds."""
    ex = textbook.examples([[1], [2], [3], [4]], [1, -1, 1, -1], bias_feature=None, number=int)
    gone = [0, 0, 0]
    for seed in range(600):
        steps = textbook.budgeted(ex, budgets.RandomRemoval(3), max_iter=1, seed=seed)
        gone[textbook.run(steps).steps[-1].told] += 1
    assert min(gone) > 160 and sum(gone) == 600


# The Forgetron


def test_the_forgetron_shrinks_as_little_as_it_may():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        s, f, c = rng.random(), rng.normal(), -rng.random()
        phi = shrink(s, f, c)
        damage = s * s * phi * phi + 2 * s * phi - 2 * s * f * phi * phi + c
        assert 0 < phi <= 1 and damage <= 20 * roundings(20)
        if phi < 1:  # and there is none larger close by
            assert damage == within(0, 20 * roundings(20))


@pytest.mark.parametrize("size", [1, 3, 20])
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_forgetrons_invariant(size, noise):
    """Q <= 15/32 M after every mistake: what its bound is made of."""
    ex = examples(*drawn(120, noise=noise))
    told = [
        step.told
        for step in textbook.budgeted(
            ex, budgets.Forgetron(size), kernel=rbf, max_iter=4, until=None
        )
        if step.corrected
    ]
    assert [t.mistakes for t in told] == list(range(1, len(told) + 1))
    assert all(t.damage <= 15 / 32 * t.mistakes + roundings(10_000) for t in told)
    assert any(t.phi < 1 for t in told)
    assert all(t.phi > 0 for t in told)


def test_the_forgetrons_bound():
    """M <= 2 ||u||^2 + 4 sum loss, for u short enough: here one that has no loss."""
    size = 600
    longest = math.sqrt((size + 1) / math.log(size + 1)) / 4
    rng = np.random.default_rng(2)
    X = rng.normal(scale=0.1, size=(300, 2)) + np.repeat([[0, 0], [6, 6]], 150, axis=0)
    y = np.repeat([-1, 1], 150)
    mixed = rng.permutation(300)
    X, y = X[mixed], y[mixed]
    ex = examples(X, y)
    K = np.array(textbook.gram(ex, rbf))
    centres = [int(np.flatnonzero(y == label)[0]) for label in (-1, 1)]
    coefficient = np.zeros(300)
    coefficient[centres] = (-1.3, 1.3)
    length = coefficient @ K @ coefficient
    loss = np.maximum(0, 1 - y * (K @ coefficient)).sum()
    assert math.sqrt(length) <= longest
    run = textbook.run(textbook.budgeted(ex, budgets.Forgetron(size), kernel=rbf, max_iter=1))
    assert 0 < run.outcome.corrections <= 2 * length + 4 * loss


def test_the_forgetron_refuses_fractions():
    ex = examples(*whole(), number=textbook.exact)
    with pytest.raises(InputError, match="number=float"):
        textbook.run(textbook.budgeted(ex, budgets.Forgetron(3)))


# The Projectrons


def distance(alpha, ex, K, supports, i):
    """Squared distance of example i from the span of the supports."""
    S = list(supports)
    block, k = K[np.ix_(S, S)], K[S, i]
    return float(K[i, i] - k @ np.linalg.solve(block, k)) if S else float(K[i, i])


@pytest.mark.parametrize("eta", [0.02, 0.3])
def test_the_projectron_projects_what_is_near_and_keeps_the_rest(eta):
    ex = examples(*drawn(80, noise=0.1))
    K = np.array(textbook.gram(ex, rbf))
    supports, projected = [], 0
    for step in textbook.budgeted(ex, budgets.Projectron(eta), kernel=rbf, max_iter=2, until=None):
        if step.corrected:
            delta = distance(None, ex, K, supports, step.example)
            # A distance is the root of a difference, which is exact to about 1e-13 of its terms.
            assert step.told.delta == pytest.approx(max(0, delta), abs=1e-6)
            assert step.told.projected == (step.told.delta <= eta)
            projected += step.told.projected
        supports = [example for example, _ in step.held]
        assert len(supports) == len(set(supports))
    assert projected > 3
    assert len(supports) < 40


def test_the_projection_is_the_nearest_combination():
    """What is lost by a projection is orthogonal to every support."""
    ex = examples(*drawn(60, noise=0.2))
    K = np.array(textbook.gram(ex, rbf))
    before = ()
    for step in textbook.budgeted(ex, budgets.Projectron(0.2), kernel=rbf, max_iter=1):
        if step.corrected and step.told.projected:
            S = [example for example, _ in before]
            rest = K[step.example, S] - np.array(step.told.d) @ K[np.ix_(S, S)]
            # The solve leaves roundings times the condition of the supports' matrix.
            assert rest == pytest.approx(np.zeros(len(S)), abs=1e-8)
        before = step.held


def test_with_eta_0_it_is_the_perceptron_exactly():
    """In Fractions: the same margins, of at most as many supports as the space has dimensions."""
    X, y = whole()
    ex = examples(X, y, number=textbook.exact)
    free = textbook.run(textbook.dual(ex, kernel=squared, max_iter=3))
    run = textbook.run(textbook.budgeted(ex, budgets.Projectron(0), kernel=squared, max_iter=3))
    assert [s.margin for s in run.steps] == [s.margin for s in free.steps]
    assert run.outcome.corrections == free.outcome.corrections > 30
    assert len(run.steps[-1].held) == 6  # 1, x, y, xx, xy, yy
    assert all(isinstance(c, Fraction) for _, c in run.steps[-1].held)


def test_the_projectrons_bound():
    """Theorem 1, with u of two bumps; the loss makes the bound larger, not void."""
    eta = 0.005
    rng = np.random.default_rng(2)
    X = rng.normal(scale=0.3, size=(300, 2)) + np.repeat([[0, 0], [6, 6]], 150, axis=0)
    y = np.repeat([-1, 1], 150)
    mixed = rng.permutation(300)
    ex = examples(X[mixed], y[mixed])
    K = np.array(textbook.gram(ex, rbf))
    coefficient = np.zeros(300)
    for label in (-1, 1):
        coefficient[int(np.flatnonzero(y[mixed] == label)[0])] = 1.3 * label
    length = coefficient @ K @ coefficient
    loss = np.maximum(0, 1 - y[mixed] * (K @ coefficient)).sum()
    assert math.sqrt(length) < 1 / (2 * math.sqrt(eta))
    bound = (length + 2 * loss) / (1 - 2 * math.sqrt(eta * length))
    for budget in (budgets.Projectron(eta), budgets.ProjectronPlusPlus(eta)):
        steps = textbook.run(textbook.budgeted(ex, budget, kernel=rbf, max_iter=1)).steps
        assert 0 < sum(step.margin <= 0 for step in steps) <= bound


def test_projectron_plus_plus_adds_no_support_for_a_margin_and_makes_fewer_mistakes():
    ex = examples(*drawn(300, seed=5))
    mistakes, before = {}, ()
    for budget in (budgets.Projectron(0.1), budgets.ProjectronPlusPlus(0.1)):
        steps = textbook.run(textbook.budgeted(ex, budget, kernel=rbf, max_iter=1)).steps
        mistakes[type(budget)] = sum(step.margin <= 0 for step in steps)
        for step in steps:
            if step.corrected and step.margin > 0:
                assert len(step.held) == len(before) and 0 < step.told.tau <= 1
            before = step.held
    assert mistakes[budgets.ProjectronPlusPlus] < mistakes[budgets.Projectron]


def test_a_budget_of_another_kind_is_refused():
    with pytest.raises(KindError, match="wanted None, an object such as budgets"):
        next(textbook.budgeted(examples(*drawn()), 5))
    assert dot((1, 2), (3, 4)) == 11
