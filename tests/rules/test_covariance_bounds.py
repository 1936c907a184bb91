"""Theorems of the rules with a covariance, checked on drawn data."""

import math

import numpy as np
import pytest
from covariances import ALL, RULES, corrected_rows
from twin import separable_set

from hardlimit import rules

from ..rounding import near, roundings


def geometry_of(Z, t, u, gamma):
    spectrum = tuple(np.linalg.eigvalsh(Z @ Z.T).clip(0).tolist()) if len(Z) else ()
    radius = max(1.0, math.sqrt((Z * Z).sum(1).max()))
    return rules.Geometry(radius, gamma, spectrum=spectrum, spread=float(((Z @ u) ** 2).sum()))


@pytest.mark.parametrize("name", ["arow", "second-order-perceptron"])
def test_mistakes_stay_below_the_bound(name):
    rng = np.random.default_rng(11)
    nearest = 0.0
    for round_ in range(12):
        rows, u = separable_set(rng, 120, 6, 0.1)
        X = np.array(rows)
        y = (X @ u > 0).astype(int)
        gamma = abs(X @ u).min()
        rule = rules.get(name, covariance="full", **{next(iter(RULES[name])): 0.3 * (round_ + 1)})
        Z, t, clf, _ = corrected_rows(rule, X, y, fit_intercept=False)
        bound = rule.mistake_bound(geometry_of(Z[:, :-1], t, u, gamma))
        assert clf.n_mistakes_ <= bound.value
        nearest = max(nearest, clf.n_mistakes_ / bound.value)
    assert nearest > 0.02


def test_the_theorem_of_arow_at_every_moment():
    """M <= A sqrt(L + U) - U, of which the bound takes the worst U."""
    rng = np.random.default_rng(3)
    rows, u = separable_set(rng, 200, 5, 0.1)
    X = np.array(rows)
    y = (X @ u > 0).astype(int)
    gamma, rule = abs(X @ u).min(), rules.AROW(0.5, "full")
    for n in (5, 20, 80, 200):
        Z, t, clf, _ = corrected_rows(rule, X[:n], y[:n], fit_intercept=False)
        M, U = clf.n_mistakes_, clf.n_corrections_ - clf.n_mistakes_
        L = np.linalg.slogdet(np.eye(6) + Z.T @ Z / 0.5)[1]
        A = math.sqrt(0.5 + ((Z[:, :-1] @ u) ** 2).sum()) / gamma
        assert M <= A * math.sqrt(L + U) - U
        bound = rule.mistake_bound(geometry_of(Z[:, :-1], t, u, gamma)).value
        assert A * math.sqrt(L + U) - U <= bound * (1 + roundings(10_000))


def test_bounds_that_are_not_there_say_why():
    good = rules.Geometry(2.0, 0.5, spectrum=(3.0, 1.0), spread=2.0)
    assert rules.SecondOrderPerceptron(covariance="full").mistake_bound(good).value == (
        near(2 * math.sqrt(3 * (math.log(4) + math.log(2))), 20)
    )
    for rule in ALL:
        assert "separable" in rule.mistake_bound(rules.Geometry(2.0, 0.0)).reason
        assert rule.mistake_bound(rules.Geometry(2.0, 0.5)).value is None
        if rule.covariance == "diagonal":
            assert rule.mistake_bound(good).value is None
            assert rule.mistake_bound(good).reason
