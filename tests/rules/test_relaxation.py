"""Relaxation: where a step ends, and that it never leads away from a solution."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin import Twin, separable_set

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError

from ..rounding import near, roundings

FRACTIONS = st.fractions(-20, 20, max_denominator=12)


@given(FRACTIONS, st.fractions(Fraction(1, 9), 50, max_denominator=9), st.integers(1, 19))
@settings(max_examples=80, deadline=None)
def test_a_step_leaves_one_minus_eta_of_the_distance(margin, sqnorm, tenths):
    rule = rules.Relaxation(eta=Fraction(tenths, 10), b=Fraction(7, 3))
    after = margin + rule.tau(margin, sqnorm) * sqnorm
    assert after - rule.b == (1 - rule.eta) * (margin - rule.b)


def test_a_step_of_the_compiled_loop_does_too():
    X = np.array([[3.0, -1.0, 2.0], [1.0, 4.0, 0.0]])
    for eta in (0.3, 1.0, 1.7):
        clf = LinearClassifier(rules.Relaxation(eta, b=2.0), readout="last")
        clf.partial_fit(X[:1], [1], classes=[0, 1])
        before = -clf.decision_function(X[1:])[0]
        clf.partial_fit(X[1:], [0])
        after = -clf.decision_function(X[1:])[0]
        assert after - 2 == near((1 - eta) * (before - 2), 40)


def squared_distance(v, w):
    return sum((a - b) * (a - b) for a, b in zip(v, w, strict=True))


@given(st.integers(0, 10_000), st.sampled_from([1, 5, 10, 15, 19]))
@settings(max_examples=25, deadline=None)
def test_no_correction_leads_away_from_any_solution(seed, tenths):
    """Exactly: ||w - a||^2 falls by at least eta (2 - eta) (b - margin)^2 / ||x||^2."""
    rng = np.random.default_rng(seed)
    eta, b = Fraction(tenths, 10), Fraction(2)
    rows = [[int(v) for v in row] for row in rng.integers(-5, 6, (12, 4))]
    solution = [int(v) for v in rng.integers(-3, 4, 4)]
    rows = [row for row in rows if sum(map(int.__mul__, row, solution)) != 0]
    targets = [int(sum(map(int.__mul__, row, solution)) > 0) for row in rows]
    solutions = [[2 * f * v for v in solution] for f in (1, 3)]  # margins of at least 2
    rule = rules.Relaxation(eta, b)
    twin = Twin(rule, "single", 4, 1, 0)
    for _ in range(4):
        for row, target in zip(rows, targets, strict=True):
            before = list(twin.w[0])
            margin = (1 if target else -1) * sum(map(Fraction.__mul__, map(Fraction, row), before))
            twin.present([Fraction(v) for v in row], target)
            gained = eta * (2 - eta) * max(b - margin, 0) ** 2 / sum(v * v for v in row)
            for a in solutions:
                a = [*a, 0]
                assert squared_distance(twin.w[0], a) <= squared_distance(before, a) - gained


@pytest.mark.parametrize("eta", [0.2, 1.0, 1.8])
def test_nor_does_one_of_the_compiled_loop(eta):
    rng = np.random.default_rng(3)
    rows, w = separable_set(rng, 60, 6, 0.1)
    X, y = np.array(rows), (np.array(rows) @ w > 0).astype(int)
    solutions = [w * f for f in (10.0, 11.0, 40.0)]  # margins of at least 1
    clf = LinearClassifier(rules.Relaxation(eta), fit_intercept=False, readout="last")
    distances = [[(a * a).sum() for a in solutions]]
    for _ in range(5):
        for x, target in zip(X, y, strict=True):
            clf.partial_fit([x], [target], classes=[0, 1])
            distances.append([((clf.coef_[0] - a) ** 2).sum() for a in solutions])
    assert (np.diff(distances, axis=0) <= 100 * roundings(1000)).all()
    assert (np.array(distances)[-1] < np.array(distances)[0]).all()


def test_with_eta_and_b_of_one_it_is_hard_passive_aggressive():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(50, 7)), rng.integers(0, 3, 50)
    for multiclass in ("coupled", "ovr"):
        a, b = (
            LinearClassifier(rule, max_iter=4, until=None, multiclass=multiclass).fit(X, y)
            for rule in (rules.Relaxation(), rules.PassiveAggressive(C=float("inf")))
        )
        assert np.array_equal(a.coef_, b.coef_)


@pytest.mark.parametrize("eta", [0.5, 1.0])
def test_waiting_for_all_margins_to_pass_b_is_waiting_for_ever(eta):
    """Under-relaxation comes near b from below, and near is what a tolerance is for."""
    X, y = [[1.0], [-2.0]], [1, 0]
    endless = LinearClassifier(rules.Relaxation(eta), fit_intercept=False, max_iter=30, until=None)
    endless.fit(X, y)
    assert endless.n_corrections_ >= 30
    near = LinearClassifier(rules.Relaxation(eta), fit_intercept=False, until="margin", tol=0.01)
    assert near.fit(X, y).stop_reason_ == "margin_reached"
    separated = LinearClassifier(rules.Relaxation(eta), fit_intercept=False).fit(X, y)
    assert (separated.stop_reason_, separated.n_mistakes_) == ("separated", 1)


@pytest.mark.parametrize("eta", [0.1, 0.5, 1.0, 1.5, 1.9])
def test_mistakes_stay_below_the_bound_for_every_eta(eta):
    rng = np.random.default_rng(5)
    for _ in range(5):
        rows, w = separable_set(rng, 60, 4, 0.1)
        X, y = np.array(rows), (np.array(rows) @ w > 0).astype(int)
        radius = np.sqrt((X * X).sum(1).max())
        clf = LinearClassifier(rules.Relaxation(eta, b=3.0), fit_intercept=False).fit(X, y)
        assert clf.stop_reason_ == "separated"
        bound = rules.Relaxation(eta, b=3.0).mistake_bound(rules.Geometry(radius, 0.1))
        assert clf.n_mistakes_ <= bound.value
        assert bound.of == "mistakes"


@pytest.mark.parametrize("eta", [0.0, 2.0, 2.5, float("inf")])
def test_an_eta_that_leads_away_is_refused(eta):
    with pytest.raises(InputError, match="wanted a number > 0 and < 2"):
        rules.Relaxation(eta=eta)
