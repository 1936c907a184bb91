"""The box constraint against a run written out, in exact numbers."""

from fractions import Fraction

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, guards, load
from hardlimit.exceptions import InputError

from ..rounding import near

ONLINE = {"order": "cyclic", "until": None, "readout": "last", "fit_intercept": False}


def drawn(n=20):
    rng = np.random.default_rng(9)
    return rng.integers(-3, 4, (n, 4)).astype(float), rng.integers(0, 2, n)


def relaxed(X, y, C, epochs):
    """Relaxation with eta = 1 and b = 1: ``tau = (1 - margin) / ||x||^2``, up to C for each row."""
    rows = [[Fraction(int(v)) * (2 * int(t) - 1) for v in row] for row, t in zip(X, y, strict=True)]
    w, alpha, corrections = [Fraction(0)] * len(rows[0]), [Fraction(0)] * len(rows), 0
    for _ in range(epochs):
        for i, z in enumerate(rows):
            margin = sum(a * b for a, b in zip(w, z, strict=True))
            if margin > 1 or alpha[i] >= C or not any(z):
                continue
            tau = (1 - margin) / sum(v * v for v in z)
            w = [a + tau * b for a, b in zip(w, z, strict=True)]
            alpha[i] += tau
            corrections += 1
    return [float(v) for v in w], corrections


@pytest.mark.parametrize("C", [0.06, 0.26, 1.1, 50.0])
def test_steps_of_an_example_stay_in_the_box(C):
    X, y = drawn()
    clf = LinearClassifier("relaxation", guard=guards.BoxConstraint(C), max_iter=4, **ONLINE)
    clf.fit(X, y)
    w, corrections = relaxed(X, y, Fraction(C), 4)
    assert int(clf.n_corrections_) == corrections
    assert clf.coef_[0] == near(w, 5000)


def test_of_the_perceptron_it_is_the_alpha_bound():
    X, y = drawn()
    box, bound = (
        LinearClassifier("perceptron", guard=guard, max_iter=9, **ONLINE).fit(X, y)
        for guard in (guards.BoxConstraint(3), guards.AlphaBound(3))
    )
    assert (box.coef_ == bound.coef_).all()
    weighted = LinearClassifier("perceptron", guard=guards.BoxConstraint(3), max_iter=9, **ONLINE)
    assert weighted.fit(X, y, sample_weight=np.full(20, 3.0)).n_corrections_ <= 20


def test_with_a_kernel_it_is_the_primals():
    X, y = drawn()
    settings = {**ONLINE, "max_iter": 5, "guard": guards.BoxConstraint(0.25)}
    primal = LinearClassifier("passive-aggressive", **settings).fit(X, y)
    dual = KernelClassifier("linear", rule="passive-aggressive", **settings).fit(X, y)
    expected = near(primal.decision_function(X), 5000)
    assert dual.decision_function(X) == expected


def test_it_is_saved_and_searched(tmp_path):
    X, y = drawn()
    clf = LinearClassifier("passive-aggressive", guard=guards.BoxConstraint(0.5)).fit(X, y)
    clf.save(tmp_path / "m")
    assert guards.resolve(load(tmp_path / "m").guard) == (guards.BoxConstraint(0.5),)
    assert clf.set_params(guard__C=2.0).guard == guards.BoxConstraint(2.0)


def test_a_stream_knows_no_example_again():
    with pytest.raises(InputError, match="every example is new"):
        LinearClassifier(guard="box-constraint").partial_fit(*drawn())


@pytest.mark.parametrize("C", [0, -1, float("nan"), float("inf"), "1"])
def test_range(C):
    with pytest.raises(InputError, match="BoxConstraint: got C="):
        guards.BoxConstraint(C)
