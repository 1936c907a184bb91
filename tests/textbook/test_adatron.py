"""The AdaTron finds the largest margin; the rule makes the same steps."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.svm import SVC, LinearSVC

from hardlimit import LinearClassifier, rules, textbook
from hardlimit.exceptions import InputError

from ..rounding import near
from .boards import W1, W2, exercise, modified_or


def drawn(rows=40, gap=0.2, seed=0):
    """Rows in the plane at least ``gap`` from a line through the origin."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(4 * rows, 2))
    u = np.array([0.6, -0.8])
    X = X[abs(X @ u) >= gap][:rows]
    return X, np.where(X @ u > 0, 1, -1)


def margin_of(w, X, y):
    return float((y * (X @ w)).min() / np.linalg.norm(w))


def test_by_hand_in_fractions():
    """The modified OR: the largest margin is (1, 1, -1) / sqrt 3 at distance 1 / sqrt 3."""
    steps, outcome = textbook.run(textbook.adatron(modified_or(), tol=Fraction(1, 10**6)))
    assert steps[0].alpha_after == (Fraction(1, 3), 0, 0, 0)
    assert outcome.reason == "margin_reached"
    # The margins are within tol = 1e-6, and the inverse of three rows is below 10.
    assert [float(v) for v in outcome.w] == pytest.approx([1, 1, -1], abs=1e-5)
    assert float(outcome.alpha[3]) == 0  # (1, 1) lies beyond the margin


def dual_value(alpha, examples, K):
    t, n = examples.targets, len(examples)
    quadratic = sum(alpha[i] * alpha[j] * t[i] * t[j] * K[i][j] for i in range(n) for j in range(n))
    return sum(alpha) - quadratic / 2


@pytest.mark.parametrize("eta", [Fraction(1, 4), 1, Fraction(7, 4)])
@pytest.mark.parametrize("C", [math.inf, Fraction(1, 2)])
def test_no_step_lowers_the_dual_and_a_mistake_raises_it(eta, C):
    """The lemma of the mistake bound, exactly."""
    ex = exercise(W1, W2)
    K = textbook.gram(ex)
    radius = max(K[i][i] for i in range(len(ex)))
    for step in textbook.adatron(ex, eta=eta, C=C, max_iter=2):
        before, after = (dual_value(a, ex, K) for a in (step.alpha_before, step.alpha_after))
        assert after >= before
        if step.margin <= 0 and math.inf == C:
            assert after - before >= eta * (2 - eta) / (2 * radius)
        assert all(0 <= a <= C for a in step.alpha_after)


def test_the_margin_of_a_support_vector_machine_without_its_bias():
    X, y = drawn()
    ex = textbook.examples(X, y, bias_feature=None, number=float)
    outcome = textbook.run(textbook.adatron(ex, tol=1e-6, max_iter=5000)).outcome
    svm = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, tol=1e-9, max_iter=10**6).fit(X, y)
    assert outcome.reason == "margin_reached"
    best = margin_of(svm.coef_[0], X, y)
    # Margins within tol = 1e-6 of 1 leave the distance within about as much: a hundred times that.
    assert margin_of(np.array(outcome.w), X, y) == pytest.approx(best, rel=1e-4)
    perceptron = textbook.run(textbook.incremental(ex)).outcome
    assert margin_of(np.array(perceptron.w), X, y) < 0.9 * best


def test_a_kernel_and_a_cap_are_the_soft_margin():
    """SVC has a bias of its own: the kernel takes the constant in, and SVC's is held by symmetry.

    Each row comes with its negative of the other class, so that the best bias is 0.
    """
    X, y = drawn(12, gap=0.0, seed=3)
    y[:3] = -y[:3]
    X, y = np.vstack([X, -X]), np.concatenate([y, -y])

    def kernel(a, b):
        return sum(p * q for p, q in zip(a, b, strict=True)) ** 3

    ex = textbook.examples(X, y, bias_feature=None, number=float)
    outcome = textbook.run(
        textbook.adatron(ex, C=0.7, kernel=kernel, tol=1e-7, max_iter=5000)
    ).outcome
    svm = SVC(C=0.7, kernel=lambda A, B: (A @ B.T) ** 3, tol=1e-9).fit(X, y)
    assert outcome.reason == "margin_reached"
    # SVC ends with gradients within tol = 1e-9; the bias is a mean of them.
    assert svm.intercept_[0] == pytest.approx(0, abs=1e-6)
    K = np.array(textbook.gram(ex, kernel))
    # Margins within tol = 1e-7; scores of a cubic kernel are hundreds of times as large.
    assert K @ (np.array(outcome.alpha) * y) == pytest.approx(
        svm.decision_function(X), rel=1e-4, abs=1e-5
    )


def test_inseparable_examples_diverge_without_a_cap():
    ex = textbook.examples([[1], [1]], [1, -1], bias_feature=None, number=float)
    free = textbook.run(textbook.adatron(ex, max_iter=50)).outcome
    assert free.reason == "max_iter" and max(free.alpha) > 40
    held = textbook.run(textbook.adatron(ex, C=2, max_iter=50)).outcome
    assert (held.reason, held.alpha) == ("margin_reached", (2, 2))


@pytest.mark.parametrize("rule", [{}, {"eta": 0.5}, {"eta": 1.5, "C": 0.3}])
def test_the_rule_makes_the_same_steps_in_the_primal(rule):
    X, y = drawn(25, gap=0.0, seed=1)
    y[:4] = -y[:4]
    ex = textbook.examples(X, y, number=float)
    dual = textbook.run(textbook.adatron(ex, **rule, max_iter=6))
    primal = textbook.run(textbook.incremental(ex, rules.AdaTron(**rule), until=None, max_iter=6))
    assert [s.corrected for s in primal.steps] == [s.corrected for s in dual.steps]
    assert primal.outcome.alpha == near(dual.outcome.alpha, 10_000)
    clf = LinearClassifier(
        rules.AdaTron(**rule), order="cyclic", readout="last", bias_feature=-1.0, until=None
    )
    clf.set_params(max_iter=6).fit(X, y)
    assert clf.n_corrections_ == dual.outcome.corrections
    assert clf.coef_[0] == near(np.array(dual.outcome.w)[:-1], 10_000)


def test_the_classifier_reaches_the_largest_margin_and_says_so():
    X, y = drawn()
    clf = LinearClassifier(
        "adatron", readout="last", until="margin", tol=1e-4, fit_intercept=False
    ).fit(X, y)
    svm = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, tol=1e-9, max_iter=10**6).fit(X, y)
    assert clf.stop_reason_ == "margin_reached"
    best = margin_of(svm.coef_[0], X, y)
    # Margins within tol = 1e-4 of 1 leave the distance within about as much: ten times that.
    assert margin_of(clf.coef_[0], X, y) == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize(
    ("bad", "message"),
    [({"eta": 2.0}, "eta=2.0, wanted a number > 0 and < 2"), ({"eta": 0.0}, "eta=0.0"),
     ({"C": 0.0}, "C=0.0, wanted a number > 0, inf allowed")],
)  # fmt: skip
def test_what_cannot_be(bad, message):
    with pytest.raises(InputError, match=message):
        rules.AdaTron(**bad)


def test_it_needs_to_know_its_examples_again():
    with pytest.raises(InputError, match="in a stream no example is known again; use fit"):
        LinearClassifier("adatron").partial_fit([[1.0]], [1], classes=[0, 1])
    with pytest.raises(InputError, match="multiclass='ovr'"):
        LinearClassifier("adatron").fit([[1.0], [2.0], [3.0]], [0, 1, 2])
    with pytest.raises(InputError, match="AlphaBound"):
        from hardlimit import guards

        LinearClassifier("adatron", guard=guards.LambdaTrick()).fit([[1.0], [2.0]], [0, 1])
