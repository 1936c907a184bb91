"""Balanced Winnow: what its link stands for, its bound, and weights beyond every range."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError

from ..rounding import near


def multiplying(X, y, alpha, epochs):
    """The usual form: two vectors of factors; exact where alpha is a fraction and X whole."""
    plus, minus = [Fraction(1)] * len(X[0]), [Fraction(1)] * len(X[0])
    mistakes = []
    for _ in range(epochs):
        for i, (x, t) in enumerate(zip(X, y, strict=True)):
            s = 1 if t else -1
            score = sum((p - m) * v for p, m, v in zip(plus, minus, x, strict=True))
            if s * score <= 0:
                mistakes.append(i)
                plus = [p * alpha ** (s * v) for p, v in zip(plus, x, strict=True)]
                minus = [m * alpha ** (-s * v) for m, v in zip(minus, x, strict=True)]
    return plus, minus, mistakes


def fit(X, y, alpha=2.0, **settings):
    settings = {"order": "cyclic", "fit_intercept": False, "readout": "last"} | settings
    return LinearClassifier(rules.BalancedWinnow(alpha), **settings).fit(X, y)


def whole(X):
    return [[int(v) for v in x] for x in X]


def test_the_weight_is_two_sinh_theta_and_the_two_vectors_stay_inverse():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-9, 10, (30, 4)), rng.integers(0, 2, 30)
    clf = fit(X, y, until=None, max_iter=4)
    plus, minus, mistakes = multiplying(whole(X), y, Fraction(2), 4)
    assert all(p * m == 1 for p, m in zip(plus, minus, strict=True))
    assert clf.n_mistakes_ == clf.n_corrections_ == len(mistakes)
    expected = [float(p - m) for p, m in zip(plus, minus, strict=True)]
    assert clf.coef_[0] == near(expected, 5000)
    theta = clf.fitted.state.state.array("theta")[:-1, 0]
    assert clf.coef_[0] == near([2 * math.sinh(v) for v in theta], 60, size=0)
    assert np.exp(theta) == near([float(p) for p in plus], 5000, size=0)


@pytest.mark.parametrize(("powers", "off"), [((0, 1), 2.0), ((1, 6), 2.5), ((60, 500), 1.1)])
def test_the_exponential_is_exact_to_a_few_units_in_the_last_place(powers, off):
    """Where its series is least exact: between two powers of two, ln 2 / 2 away from both."""
    rng = np.random.default_rng(0)
    theta = rng.integers(*powers, 1500) * math.log(2)
    theta += rng.uniform(0.33, 0.3465, 1500) * rng.choice([-1, 1], 1500)
    rows = np.array([theta, -theta]) / math.log(2)
    clf = fit(rows, [1, 0], until=None, max_iter=1)
    state = clf.fitted.state.state
    weights = zip(*(state.array(name)[:-1, 0].tolist() for name in ("theta", "w")), strict=True)
    with localcontext(prec=50):
        for theta, weight in weights:
            exact = Decimal(theta).exp() - Decimal(-theta).exp()
            assert abs(Decimal(weight) - exact) < Decimal(off * math.ulp(float(exact)))


@pytest.mark.parametrize("size", [1, 10, 860, 1000, 1030, 1100, 1150, 2000, 30_000])
def test_large_features_make_large_thetas_and_no_infinities(size):
    """The modified OR, its features times `size`: theta goes up to 2 size ln 2 and comes back."""
    X, y = np.array([[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1]]) * size, [0, 1, 1, 1]
    clf = fit(X, y)
    plus, minus, mistakes = multiplying(whole(X), y, Fraction(2), 2)
    assert clf.stop_reason_ == "separated"
    assert clf.n_mistakes_ == len(mistakes) == 3
    assert (clf.predict(X) == y).all()
    assert np.isfinite(clf.coef_).all()
    theta = clf.fitted.state.state.array("theta")[:-1, 0]
    assert theta / math.log(2) == near([size, size, -size], 5000, size=0)


def test_weights_that_were_out_of_sight_come_back():
    """A large theta hides small ones, and hides them no longer when it is gone."""
    X = [[3000, 0], [0, 1], [-3000, 0], [0, 2], [0, -1]]
    y = [1, 1, 1, 1, 0]
    clf = LinearClassifier(rules.BalancedWinnow(2.0), fit_intercept=False, readout="last")
    clf.partial_fit(X[:2], y[:2], classes=[0, 1])
    assert clf.fitted.state.state.common > 2000
    assert clf.coef_[0].tolist() == [1.0, 0.0]  # e^-2079 times 3/2
    clf.partial_fit(X[2:3], y[2:3])
    assert clf.fitted.state.state.common == 0
    assert clf.coef_[0] == near([0.0, 1.5], 40)
    assert clf.partial_fit(X[3:], y[3:]).n_mistakes_ == 3


def test_drawn_features_of_a_thousand_learn_as_exact_factors_do():
    rng = np.random.default_rng(4)
    for _ in range(5):
        X = rng.integers(-1000, 1001, (20, 6))
        y = rng.integers(0, 2, 20)
        clf = fit(X, y, until=None, max_iter=3)
        _, _, mistakes = multiplying(whole(X), y, Fraction(2), 3)
        assert clf.n_mistakes_ == len(mistakes)
        assert np.isfinite(clf.coef_).all()


@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_a_common_factor_is_kept_in_a_stream_and_over_many_classes(multiclass):
    rng = np.random.default_rng(5)
    X, y = rng.integers(-900, 901, (40, 5)).astype(float), rng.integers(0, 3, 40)
    whole_fit = LinearClassifier(
        "balanced-winnow", multiclass=multiclass, order="cyclic", until=None, max_iter=1
    ).fit(X, y)
    stream = LinearClassifier("balanced-winnow", multiclass=multiclass)
    for x, target in zip(X, y, strict=True):
        stream.partial_fit([x], [target], classes=[0, 1, 2])
    assert whole_fit.fitted.state.state.common > 600
    assert np.array_equal(whole_fit.coef_, stream.coef_)
    assert np.isfinite(stream.coef_).all()


def sparse_concept(rng, n_columns, gap):
    """Columns of +-1 of which three vote; rows where the vote is clear."""
    X = rng.choice([-1.0, 1.0], (400, n_columns))
    scores = X[:, :3].sum(1) / 3
    keep = np.abs(scores) >= gap
    return X[keep], (scores[keep] > 0).astype(int)


@pytest.mark.parametrize("n_columns", [10, 100])
@pytest.mark.parametrize("share", [0.5, 1.0, 1.8])
def test_mistakes_stay_below_the_bound(n_columns, share):
    """alpha = exp(share gamma_1 / X^2): the best is near share 1, and 2 is the limit."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        X, y = sparse_concept(rng, n_columns, 1 / 3)
        geometry = rules.Geometry(
            math.sqrt(n_columns), 1 / 3 * math.sqrt(3), n_columns, x_inf=1.0, gamma_1=1 / 3
        )
        rule = rules.BalancedWinnow(math.exp(share / 3))
        clf = fit(X, y, alpha=rule.alpha, order="shuffled")
        assert clf.stop_reason_ == "separated"
        bound = rule.mistake_bound(geometry)
        assert clf.n_mistakes_ <= bound.value
        if share == 1.0:
            assert bound.value <= 2.1 * math.log(2 * n_columns) * 9


def test_the_bound_grows_with_the_logarithm_of_the_columns():
    rule = rules.BalancedWinnow(1.3)
    few, many = (
        rule.mistake_bound(rules.Geometry(1, 0.2, n, x_inf=1.0, gamma_1=0.2)).value
        for n in (10, 10_000)
    )
    assert many / few == near(math.log(20_000) / math.log(20), 40)


def test_no_bound_is_a_reason():
    geometry = rules.Geometry(1.0, 0.1)
    assert "gamma_1" in rules.BalancedWinnow().mistake_bound(geometry).reason
    small = rules.Geometry(1.0, 0.1, 5, x_inf=1.0, gamma_1=0.1)
    refused = rules.BalancedWinnow(2.0).mistake_bound(small)
    assert refused.value is None
    assert "too large" in refused.reason
    assert rules.BalancedWinnow(math.exp(0.199)).mistake_bound(small).value > 0
    huge = rules.Geometry(1e6, 0.1, 5, x_inf=1e6, gamma_1=0.1)
    assert rules.BalancedWinnow(2.0).mistake_bound(huge).value is None


@pytest.mark.parametrize("alpha", [1.0, 0.5, float("inf")])
def test_an_alpha_that_does_not_multiply_up_is_refused(alpha):
    with pytest.raises(InputError, match="wanted a number > 1"):
        rules.BalancedWinnow(alpha)


def test_the_exponential_is_within_a_unit_in_the_last_place_and_its_bits_stay():
    """Weights of rows of one column: w = 2 sinh(ln 2 * x) after one correction."""
    for x in [1.0, 3.0, 0.72, -2.5, 40.25, -333.3]:
        weight = fit([[x], [-x]], [1, 0]).coef_[0, 0]
        theta = Decimal(2).ln() * Decimal(x)
        assert weight == near(float(theta.exp() - (-theta).exp()), 2000)
    assert [fit([[x], [-x]], [1, 0]).coef_[0, 0].hex() for x in (3.0, 0.72, 40.25)] == [
        "0x1.f7ffffffffffep+2",
        "0x1.0a42fbdd29e08p+0",
        "0x1.306fe0a31b718p+40",
    ]
