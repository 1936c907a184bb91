"""Soft confidence-weighted learning: the closed forms against optima of their objectives."""

import math

import numpy as np
import pytest
from covariances import blocks, learner
from scipy import optimize
from scipy.stats import norm

from hardlimit import rules
from hardlimit.exceptions import InputError

from ..rounding import printed, roundings


def divergence(w, S, old_w, old_S):
    inverse, moved = np.linalg.inv(old_S), w - old_w
    determinants = np.linalg.slogdet(old_S)[1] - np.linalg.slogdet(S)[1]
    return (determinants + np.trace(inverse @ S) - len(w) + moved @ inverse @ moved) / 2


def scw_case(name, C, seed):
    """A rule, an example of class +1 that violates, and what is known before it."""
    rng = np.random.default_rng(seed)
    rule = rules.get(name, C=C, eta=float(rng.uniform(0.55, 0.99)), covariance="full")
    x, w, root = rng.normal(size=2), rng.normal(size=2) * 0.1, rng.normal(size=(2, 2))
    S = root @ root.T + 0.3 * np.eye(2)
    if w @ x >= rule.required(x @ S @ x):
        w = -w
    return rule, x, w, S


SCW_CASES = [(n, C, s) for n in ("scw1", "scw2") for C in (0.02, 1.0, 100.0) for s in range(4)]


@pytest.mark.parametrize(("name", "C", "seed"), SCW_CASES)
def test_an_scw_step_is_the_optimum_along_its_two_numbers(name, C, seed):
    """For w + tau S x, S - beta S x x' S; the best tau of a beta is known, the beta is searched."""
    rule, x, old_w, old_S = scw_case(name, C, seed)
    m, v = old_w @ x, x @ old_S @ x

    def price(tau, beta):
        loss = max(0.0, rule.phi * math.sqrt(v - beta * v * v) - m - tau * v)
        kept = beta * v
        return (tau * tau * v - math.log1p(-kept) - kept) / 2 + C * (
            loss if name == "scw1" else loss * loss
        )

    def best_of(beta):
        lacking = max(0.0, rule.phi * math.sqrt(v - beta * v * v) - m)
        hard = min(C, lacking / v)
        return price(hard if name == "scw1" else 2 * C * lacking / (1 + 2 * C * v), beta)

    found = optimize.minimize_scalar(
        best_of, bounds=(0, (1 - 1e-12) / v), method="bounded", options={"xatol": 1e-13}
    )
    tau, beta = rule.tau(m, v)
    # minimize_scalar ends within xatol = 1e-13.
    assert price(tau, beta) == pytest.approx(found.fun, abs=1e-12)
    # The place of a minimum is known to the root of its value's rounding.
    assert beta == pytest.approx(found.x, rel=1e-5)
    if name == "scw1":
        assert (C < 1) <= (tau == C)  # the small C cuts


@pytest.mark.parametrize(("name", "C", "seed"), SCW_CASES)
def test_an_scw_step_is_the_optimum_over_all_normal_distributions(name, C, seed):
    rule, x, old_w, old_S = scw_case(name, C, seed)
    power = 1 if name == "scw1" else 2
    tau, beta = rule.tau(old_w @ x, x @ old_S @ x)
    w, S = old_w + tau * old_S @ x, old_S - beta * np.outer(old_S @ x, old_S @ x)

    def loss(w, S):
        return max(0.0, rule.phi * math.sqrt(x @ S @ x) - w @ x)

    def objective(w, S):
        return divergence(w, S, old_w, old_S) + C * loss(w, S) ** power

    def matrix(p):
        L = np.array([[math.exp(p[2]), 0.0], [p[3], math.exp(p[4])]])
        return L @ L.T

    def price(p):  # p[5] stands for the loss, which has a corner
        return divergence(p[:2], matrix(p), old_w, old_S) + C * p[5] ** power

    at_least_the_loss = [
        {"type": "ineq", "fun": lambda p: p[5]},
        {"type": "ineq",
         "fun": lambda p: p[5] + p[:2] @ x - rule.phi * math.sqrt(x @ matrix(p) @ x)},
    ]  # fmt: skip
    L = np.linalg.cholesky(old_S)
    start = np.array([*old_w, math.log(L[0, 0]), L[1, 0], math.log(L[1, 1]), loss(old_w, old_S)])
    found = optimize.minimize(
        price, start, method="SLSQP", constraints=at_least_the_loss,
        options={"ftol": 1e-15, "maxiter": 1000},
    )  # fmt: skip
    # The solver may fall short of the constraint by its tolerance: what it found is priced anew.
    assert objective(w, S) <= objective(found.x[:2], matrix(found.x)) + roundings(10_000)
    # SLSQP ends at ftol = 1e-15: places are known to the root of that, matrices less.
    assert w == pytest.approx(found.x[:2], abs=1e-4)
    # SLSQP ends at ftol = 1e-15: places are known to the root of that, matrices less.
    assert S == pytest.approx(matrix(found.x), rel=1e-4, abs=1e-4)


def test_a_step_of_scw_1_that_c_does_not_cut_ends_at_its_confidence():
    rng = np.random.default_rng(0)
    rule = rules.SCW1(C=float("inf"), eta=0.9, covariance="full")
    clf = learner(rule, fit_intercept=False)
    for _ in range(50):
        x, y = rng.normal(size=4), int(rng.integers(2))
        clf.partial_fit([x], [y], classes=[0, 1])
        margin = (2 * y - 1) * clf.decision_function([x])[0]
        assert margin >= rule.phi * math.sqrt(x @ blocks(clf)[0, :4, :4] @ x) - roundings(10**6)
    assert not rule.weighs
    with pytest.raises(InputError, match="0 or 1"):
        learner(rule).fit([[1.0], [2.0]], [0, 1], sample_weight=[1, 0.5])


def test_worked_examples_of_scw():
    first = rules.SCW1(covariance="full")
    tau, beta = first.tau(0, 1.0)
    assert (tau, beta) == printed((0.788386, 0.621552), 6)
    assert tau == printed(first.phi * 0.615181, 6)
    assert rules.SCW2(C=0.5).tau(0, 1.0)[0] == printed(0.474820, 6)


def test_phi_is_the_normal_quantile():
    for eta in (0.51, 0.7, 0.9, 0.99, 1 - 1e-9):
        # The last digits of phi are cut off, so that they are the same everywhere.
        assert rules.SCW1(eta=eta).phi == pytest.approx(norm.ppf(eta), rel=1e-11)


def test_quiet_rows_are_quiet_by_the_variance_at_the_start():
    """Far from the plane nothing is asked of S: a rule that counts sees only the near rows."""
    asked = []

    class Counting(rules.SCW1):
        def required(self, variance):
            asked.append(variance)
            return super().required(variance)

    clf = learner(Counting(), fit_intercept=False).partial_fit(np.eye(16), [1] * 16, classes=[0, 1])
    assert clf.n_corrections_ == 16
    asked.clear()
    clf.partial_fit([[10.0] * 16, [10.0] + [0.0] * 15], [1, 1])
    assert len(asked) == 3
    # The loop asks for a variance that is larger by 1e-9, so that rounding hides no row.
    assert asked[:2] == pytest.approx([1600.0, 100.0], rel=2e-9)
    assert asked[2] < 50
