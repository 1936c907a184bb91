"""The shifting perceptron: what it forgets, and what it keeps."""

import numpy as np
import pytest
from twin import separable_set

from hardlimit import LinearClassifier, rules

from ..rounding import near, within


def naive(X, y, lam, epochs):
    w, k, mistakes = np.zeros(X.shape[1]), 0, []
    for _ in range(epochs):
        for x, target in zip(X, 2 * y - 1, strict=True):
            mistakes.append(target * (x * w).sum() <= 0)
            if mistakes[-1]:
                w = (1 - lam / (lam + k)) * w + target * x
                k += 1
    return w, mistakes


@pytest.mark.parametrize("lam", [0.05, 1.0, 7.0])
def test_the_compiled_loop_is_the_papers(lam):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 6)), rng.integers(0, 2, 200)
    clf = LinearClassifier(
        rules.ShiftingPerceptron(lam), order="cyclic", fit_intercept=False, until=None, max_iter=6
    ).fit(X, y)
    w, mistakes = naive(X, y, lam, 6)
    assert clf.with_readout("last").coef_[0] == near(w, 20_000)
    assert clf.n_mistakes_ == clf.n_corrections_ == sum(mistakes)


@pytest.mark.parametrize("lam", [0.01, 0.5, 1.0, 5.0, 40.0])
def test_the_bound_and_the_two_inequalities_behind_it(lam):
    rng = np.random.default_rng(1)
    rule = rules.ShiftingPerceptron(lam)
    for _ in range(5):
        rows, u = separable_set(rng, 60, 5, 0.1)
        X, y = np.array(rows), (np.array(rows) @ u > 0).astype(int)
        geometry = rules.Geometry(float(np.linalg.norm(X, axis=1).max()), 0.1)
        clf = LinearClassifier(rule, fit_intercept=False, order="cyclic", readout="last")
        for _ in range(3):
            for x, target in zip(X, y, strict=True):
                k = clf.partial_fit([x], [target], classes=[0, 1]).n_corrections_
                w = clf.coef_[0]
                slack = 1 + 1e-12
                assert (w @ u) * slack >= geometry.gamma * (k + lam) / (1 + lam) * (k > 0)
                grown = geometry.radius**2 * (k + 2 * lam) / (1 + 2 * lam)
                assert w @ w <= grown * slack
        fitted = LinearClassifier(rule, fit_intercept=False).fit(X, y)
        assert fitted.stop_reason_ == "separated"
        assert fitted.n_mistakes_ <= rule.mistake_bound(geometry).value


def test_near_zero_it_is_the_perceptron():
    geometry = rules.Geometry(2.0, 0.5)
    plain = rules.Perceptron().mistake_bound(geometry).value
    # lam = 1e-9 moves the bound by about as much.
    assert rules.ShiftingPerceptron(1e-9).mistake_bound(geometry).value == pytest.approx(plain)
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 5)), rng.integers(0, 3, 80)
    a, b = (
        LinearClassifier(rule, until=None, max_iter=3).fit(X, y)
        for rule in (rules.ShiftingPerceptron(1e-12), rules.Perceptron())
    )
    # Each correction makes the weights smaller by lam of them, at most.
    assert a.coef_ == within(b.coef_, b.n_corrections_ * 1e-12 * np.abs(b.coef_).max())


def test_it_follows_a_concept_that_turns_round():
    """After the turn it errs less often than the perceptron, which has to unlearn all."""
    after = {rules.Perceptron(): 0, rules.ShiftingPerceptron(5.0): 0}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        w, X = rng.normal(size=10), rng.normal(size=(5000, 10))
        y = (X @ w > 0).astype(int)
        y[4600:] = 1 - y[4600:]
        for rule in after:
            clf = LinearClassifier(rule).partial_fit(X[:4600], y[:4600], classes=[0, 1])
            before = clf.n_mistakes_
            after[rule] += clf.partial_fit(X[4600:], y[4600:]).n_mistakes_ - before
    assert after[rules.ShiftingPerceptron(5.0)] < 0.85 * after[rules.Perceptron()]
