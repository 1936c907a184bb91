"""Theorems, checked on drawn data."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin import separable_set

from hardlimit import LinearClassifier, rules

from ..rounding import near, roundings


def drawn(rng, gap=0.15, n_rows=80, n_columns=5):
    """Separable rows, their classes, and what is known of their geometry without a bias."""
    rows, w = separable_set(rng, n_rows, n_columns, gap)
    X = np.array(rows)
    geometry = rules.Geometry(
        radius=math.sqrt((X * X).sum(1).max()),
        gamma=gap,
        n_columns=n_columns,
        x_inf=float(np.abs(X).max()),
        gamma_1=gap / float(np.abs(w).sum()),
    )
    return X, (X @ w > 0).astype(int), geometry


# A rule that holds more than weights, or whose alpha must suit the examples, has tests of its own.
ADDITIVE = [name for name in rules.names() if rules.get(name).answers in ("tau", "shrink, tau")]


@pytest.mark.parametrize("name", ADDITIVE)
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_corrections_or_mistakes_stay_below_the_rules_own_bound(name, order):
    rng = np.random.default_rng(11)
    for _ in range(10):
        X, y, geometry = drawn(rng)
        bound = rules.get(name).mistake_bound(geometry)
        separated = LinearClassifier(name, order=order, fit_intercept=False).fit(X, y)
        assert separated.stop_reason_ == "separated"
        if bound.of == "mistakes":
            assert separated.n_mistakes_ <= bound.value
            continue
        clf = LinearClassifier(
            name, order=order, fit_intercept=False, until="margin", max_iter=10_000
        ).fit(X, y)
        assert clf.stop_reason_ == "margin_reached"
        assert separated.n_corrections_ <= clf.n_corrections_ <= bound.value


def test_a_hundred_separable_sets_all_end_separated_by_the_last_vector():
    rng = np.random.default_rng(0)
    for _ in range(100):
        rows, w = separable_set(rng, 500, 10, 0.02)
        X, y = np.array(rows), (np.array(rows) @ w > 0).astype(int)
        clf = LinearClassifier("perceptron", readout="last").fit(X, y)
        assert clf.stop_reason_ == "separated"
        assert clf.n_training_errors_ == 0
        assert (clf.predict(X) == y).all()


def test_novikoffs_inequalities_hold_at_every_moment():
    """||w||^2 <= k R^2, and ||w|| / k is never below gamma."""
    rng = np.random.default_rng(2)
    X = rng.integers(-3, 4, (40, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] >= X[:, 2]).astype(int)
    radius_squared = (X * X).sum(1).max() + 1
    # w = (2, 2, -2) with bias 1 has margins >= 1: a lower bound on gamma.
    gamma = 1 / math.sqrt(2 * 2 * 3 + 1)
    clf = LinearClassifier(order="cyclic", readout="last")
    for x, target in zip(X, y, strict=True):
        clf.partial_fit([x], [target], classes=[0, 1])
        k = clf.n_corrections_
        length = (clf.coef_**2).sum() + (clf.intercept_**2).sum()
        assert length <= k * radius_squared
        assert math.sqrt(length) / k >= gamma * (1 - roundings(1000))


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=9),
    st.sampled_from([-1, 1]),
    st.lists(st.integers(-4, 4), min_size=10, max_size=10),
    st.sampled_from([0.0, 0.1, 1.0, 2.0]),
)
@settings(max_examples=60, deadline=None)
def test_hard_pa_leaves_the_margin_one_bias_included(x, y, start, bias):
    hard = rules.PassiveAggressive(C=float("inf"))
    clf = LinearClassifier(hard, bias_feature=bias or 1.0, fit_intercept=bias != 0)
    clf.partial_fit([start[: len(x)]], [1], classes=[0, 1])
    before = clf.with_readout("last").decision_function([x])[0] * y
    clf.partial_fit([x], [(y + 1) // 2])
    after = clf.with_readout("last").decision_function([x])[0] * y
    if any(x) or bias:
        assert after == near(max(1.0, before), 100)


def test_hard_pa_leaves_the_margin_one_exactly_on_fractions():
    rule = rules.PassiveAggressive(C=float("inf"))
    for x in [(3, 4, 1), (1, 0, 0), (Fraction(1, 3), 2, -1)]:
        for margin in (Fraction(0), Fraction(-7, 2), Fraction(99, 100)):
            sqnorm = sum(v * v for v in x)
            tau = rule.tau(margin, sqnorm)
            assert margin + tau * sqnorm == 1


def test_pa_with_the_bias_outside_the_norm_would_pass_one():
    """x = (3, 4), C = 1e9: exactly 1, where the common slip gives 1.04."""
    clf = LinearClassifier(rules.PassiveAggressive(C=1e9), readout="last")
    clf.partial_fit([[3, 4]], [1], classes=[0, 1])
    assert clf.decision_function([[3, 4]])[0] == near(1.0, 10)


def test_the_averaged_vector_is_no_lottery_on_noisy_labels():
    """Over shuffling seeds the last vector's accuracy scatters; the mean's is higher and steady."""
    rng = np.random.default_rng(8)
    X, w = rng.normal(size=(600, 20)), rng.normal(size=20)
    y = (X @ w > 0).astype(int)
    noisy = np.where(rng.random(300) < 0.2, 1 - y[:300], y[:300])
    found = {"last": [], "averaged": []}
    for seed in range(20):
        clf = LinearClassifier(until=None, max_iter=5, random_state=seed).fit(X[:300], noisy)
        for readout, scores in found.items():
            scores.append(clf.with_readout(readout).score(X[300:], y[300:]))
    assert np.mean(found["averaged"]) > np.mean(found["last"]) + 0.05
    assert np.std(found["averaged"]) < np.std(found["last"]) / 2


def test_the_margin_perceptron_keeps_its_margin():
    rng = np.random.default_rng(4)
    rows, w = separable_set(rng, 100, 4, 0.1)
    X, y = np.array(rows), (np.array(rows) @ w > 0).astype(int)
    radius2 = (X * X).sum(1).max()
    for b in (0.0, 0.5, 5.0):
        clf = LinearClassifier(
            rules.MarginPerceptron(b), fit_intercept=False, until="margin", readout="last",
            max_iter=100_000,
        ).fit(X, y)  # fmt: skip
        assert clf.stop_reason_ == "margin_reached"
        margins = (2 * y - 1) * clf.decision_function(X)
        assert margins.min() >= b
        geometric = margins.min() / math.sqrt((clf.coef_**2).sum())
        assert geometric >= 0.1 * b / (2 * b + radius2)
