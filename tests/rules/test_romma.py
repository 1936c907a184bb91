"""ROMMA's steps against their problem: min ||v|| with <v, w> >= ||w||^2 and y <v, x> >= 1."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from twin import largest_margin, separable_set

from hardlimit import LinearClassifier, rules

from ..rounding import near, roundings

BOTH = [rules.ROMMA(), rules.AggressiveROMMA()]


def step(rule, w, z):
    """The rule's new vector."""
    margin, sqnorm, wsq = (sum(map(lambda a, b: a * b, *p)) for p in ((w, z), (z, z), (w, w)))
    shrink, tau = rule.tau(margin=margin, sqnorm=sqnorm, wsq=wsq)
    return [shrink * a + tau * b for a, b in zip(w, z, strict=True)]


@pytest.mark.parametrize("rule", BOTH, ids=lambda rule: type(rule).__name__)
def test_the_closed_form_is_the_numerical_optimum(rule):
    rng = np.random.default_rng(0)
    checked = 0
    while checked < 60:
        w = rng.normal(size=4) * 10.0 ** rng.uniform(-1, 1)
        z = rng.normal(size=4)
        if not w @ z < (1 if rule.required else 0):
            continue
        checked += 1
        found = np.array(step(rule, w, z))
        best = minimize(
            lambda v: v @ v,
            found + rng.normal(size=4),
            jac=lambda v: 2 * v,
            constraints=[
                {"type": "ineq", "fun": lambda v, w=w: v @ w - w @ w, "jac": lambda v, w=w: w},
                {"type": "ineq", "fun": lambda v, z=z: v @ z - 1, "jac": lambda v, z=z: z},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert found @ w >= w @ w * (1 - roundings(10_000))
        assert found @ z >= 1 - roundings(10_000)
        # SLSQP ends a millionth above the least, at most.
        assert found @ found <= best.fun * (1 + 1e-6)


@given(st.lists(st.integers(-9, 9), min_size=6, max_size=6), st.sampled_from(BOTH))
@settings(max_examples=150, deadline=None)
def test_the_step_is_the_shortest_of_the_candidates_exactly(numbers, rule):
    """The optimum lies on one constraint or on both; w itself does not serve x."""
    w, z = [Fraction(v, 4) for v in numbers[:3]], [Fraction(v, 2) for v in numbers[3:]]
    margin, sqnorm, wsq = (sum(map(lambda a, b: a * b, *p)) for p in ((w, z), (z, z), (w, w)))
    assume(sqnorm > 0)
    assume(margin < 1 if rule.required else margin <= 0)
    assume(wsq == 0 or sqnorm * wsq > margin * margin or margin > 0)
    v = step(rule, w, z)
    assert sum(a * b for a, b in zip(v, w, strict=True)) >= wsq
    assert sum(a * b for a, b in zip(v, z, strict=True)) == 1
    length = sum(a * a for a in v)
    alone = [a / sqnorm for a in z]
    if sum(a * b for a, b in zip(alone, w, strict=True)) >= wsq:
        assert v == alone
    else:  # then both constraints hold with equality, and v lies in the plane of w and z
        assert sum(a * b for a, b in zip(v, w, strict=True)) == wsq
        assert length > wsq


def test_without_the_first_branch_the_vector_would_be_longer():
    w, z = [Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(1, 2)]
    lengths, margin, wsq = Fraction(5, 16), Fraction(1, 2), Fraction(1, 4)
    slip = [
        ((lengths - margin) * a + wsq * (1 - margin) * b) / (lengths - margin * margin)
        for a, b in zip(w, z, strict=True)
    ]
    assert slip == [Fraction(1, 2), 1]
    right = step(rules.AggressiveROMMA(), w, z)
    assert sum(a * a for a in right) == Fraction(4, 5) < sum(a * a for a in slip)


@pytest.mark.parametrize("rule", BOTH, ids=lambda rule: type(rule).__name__)
def test_w_grows_towards_the_largest_margin_and_never_beyond(rule):
    rng = np.random.default_rng(1)
    rows, u = separable_set(rng, 40, 4, 0.1)
    X, y = np.array(rows), (np.array(rows) @ u > 0).astype(int)
    z = X * (2 * y - 1)[:, None]
    gamma = largest_margin(z)
    assert gamma >= 0.1
    clf = LinearClassifier(rule, fit_intercept=False, readout="last")
    lengths = [0.0]
    for _ in range(300):
        for x, target in zip(X, y, strict=True):
            clf.partial_fit([x], [target], classes=[0, 1])
        lengths.append(float(np.linalg.norm(clf.coef_)))
    assert (np.diff(lengths) >= -100 * roundings(1000)).all()
    assert lengths[-1] <= 1 / gamma * (1 + roundings(10_000))
    margin = (z @ clf.coef_[0]).min() / lengths[-1]
    assert margin > (0.99 * gamma if rule.required else 0)


@pytest.mark.parametrize("rule", BOTH, ids=lambda rule: type(rule).__name__)
def test_contradictions_leave_w_as_it_is(rule):
    """No short vector serves x and -x; rounding must not make a very long one of it."""
    clf = LinearClassifier(rule, fit_intercept=False, until=None, max_iter=5, order="cyclic")
    clf.fit([[0.3, 0.1, 0.7]] * 2, [1, 0])
    assert np.linalg.norm(clf.with_readout("last").coef_) == near(
        1 / np.linalg.norm([0.3, 0.1, 0.7]), 100
    )
    assert clf.n_mistakes_ >= 5


def test_on_noisy_rows_the_norm_stays_that_of_the_weights():
    """Kept by its short form alone, the norm drifts off: 346 corrections, and weights turned."""
    r = np.random.RandomState(2)
    X = r.randn(150, 6) * r.gamma(2, 1, 6)
    W = r.randn(2, 7)
    y = (np.c_[X, np.ones(150)] @ W.T).argmax(1)
    wrong = r.rand(150) < 0.15
    y[wrong] = r.randint(2, size=wrong.sum())
    settings = {"order": "cyclic", "until": None, "max_iter": 10, "readout": "last"}
    clf = LinearClassifier("romma", **settings).fit(X, y)
    assert clf.n_corrections_ == 389
    [(length, _, _)] = clf.fitted.state.state.lengths
    w = np.append(clf.coef_, clf.intercept_)
    assert length == near(w @ w, 100_000)
