"""The compiled loops against the slow twin: every rule, every scheme."""

from fractions import Fraction

import numpy as np
import pytest
from twin import Twin, dot

from hardlimit import LinearClassifier, readouts, rules

from ..rounding import near

SCHEMES = [("coupled", 2, "single"), ("coupled", 4, "coupled"), ("ovr", 4, "independent")]
NAMES = [name for name in rules.names() if rules.get(name).answers in Twin.ANSWERS]
AVERAGED = [n for n in NAMES if not readouts.reason_against("averaged", rules.get(n), "online")]


def compared(found, expected, rule):
    """Equal to the last bit, or to the rounding of lazy scales after some hundred corrections."""
    if rule.answers == "shrink, tau":
        scale = np.abs(expected).max()
        assert found == near(expected, 20_000, size=scale)
    elif rule.answers == "tau, linked":  # another sinh
        assert found == near(expected, 60, size=0)
    else:
        assert np.asarray(found).tolist() == np.asarray(expected).tolist()


def stands_alone(rule, scheme):
    return scheme == "coupled" and rule.alone


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bias", [1.0, 0.0])
def test_every_rule_in_every_scheme(name, multiclass, n_classes, scheme, bias):
    rng = np.random.default_rng(7)
    X = np.where(rng.random((40, 11)) < 0.6, rng.normal(size=(40, 11)), 0.0)
    X[5] = 0
    y = rng.integers(0, n_classes, 40)
    rule = rules.get(name)
    if stands_alone(rule, scheme):
        pytest.skip(rule.alone)
    weights = rng.choice([0.5, 1.0, 2.0] if rule.weighs else [0.0, 1.0, 1.0], 40)
    clf = LinearClassifier(
        rule, order="cyclic", max_iter=3, until=None, multiclass=multiclass, readout="last",
        fit_intercept=bias != 0,
    ).fit(X, y, sample_weight=weights)  # fmt: skip
    twin = Twin(rule, scheme, 11, 1 if n_classes == 2 else n_classes, bias)
    twin.learn(X.tolist(), y, 3, weights.tolist())
    compared(clf.coef_, [w[:-1] for w in twin.w], rule)
    compared(clf.intercept_, [w[-1] * bias for w in twin.w], rule)
    assert clf.n_corrections_ == sum(twin.corrections)
    assert clf.n_mistakes_ == twin.mistakes


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
@pytest.mark.parametrize("name", AVERAGED)
def test_averages_are_the_naive_sums(name, multiclass, n_classes, scheme):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(32, 6)), rng.integers(0, n_classes, 32)
    n = 32 * 4
    rule = rules.get(name)
    if stands_alone(rule, scheme):
        pytest.skip(rule.alone)
    twin = Twin(rule, scheme, 6, 1 if n_classes == 2 else n_classes, 1).learn(X.tolist(), y, 4)
    expected = {
        "post": (twin.total_after, n),
        "pre": (twin.total_before, n),
        "ciml": (twin.total_after, n + 1),
    }
    for averaging, (total, divisor) in expected.items():
        clf = LinearClassifier(
            rule, order="cyclic", max_iter=4, until=None, multiclass=multiclass,
            averaging=averaging,
        ).fit(X, y)  # fmt: skip
        mean = np.array(total)[:, :-1] / divisor
        # Both are sums of 128 vectors that round differently.
        assert clf.coef_ == near(mean, 20_000)


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
def test_averages_are_the_naive_sums_exactly_on_integers(multiclass, n_classes, scheme):
    rng = np.random.default_rng(1)
    X, y = rng.integers(-5, 6, (32, 6)), rng.integers(0, n_classes, 32)
    n = 32 * 4
    twin = Twin(rules.Perceptron(), scheme, 6, 1 if n_classes == 2 else n_classes, 1)
    twin.learn(X.tolist(), y, 4)
    expected = {
        "post": (twin.total_after, n),
        "pre": (twin.total_before, n),
        "ciml": (twin.total_after, n + 1),
    }
    for averaging, (total, divisor) in expected.items():
        clf = LinearClassifier(
            order="cyclic", max_iter=4, until=None, multiclass=multiclass, averaging=averaging
        ).fit(X, y)
        # Sums of integers are exact; only the division rounds, where n is no power of two.
        state = clf.fitted.state.state
        w, u = state.array("w"), state.array("u")
        lazy = (n + (averaging != "pre")) * w - u
        assert lazy.T.tolist() == total
        scaled = [[Fraction(v, divisor) for v in row[:-1]] for row in total]
        assert clf.coef_ == near(np.array(scaled, float), 1000)


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
# With the smaller one the scale folds sooner; the larger one changes no branch.
@pytest.mark.parametrize("lam", [0.01, pytest.param(30, marks=pytest.mark.slow)])
def test_lazy_scales_are_folded_without_a_trace(lam, multiclass, n_classes, scheme):
    """More corrections than the compiled loop lets pass before it folds its scale into v and u."""
    rng, epochs = np.random.default_rng(2), 40
    X, y = rng.normal(size=(1500, 3)), rng.integers(0, n_classes, 1500)
    rule = rules.ShiftingPerceptron(lam)
    clf = LinearClassifier(rule, order="cyclic", max_iter=epochs, until=None, multiclass=multiclass)
    clf.fit(X, y)
    assert clf.n_corrections_ > (1 << 14) * (4 if scheme == "independent" else 1)
    twin = Twin(rule, scheme, 3, 1 if n_classes == 2 else n_classes, 1).learn(X.tolist(), y, epochs)
    assert clf.n_corrections_ == sum(twin.corrections)
    mean = np.array(twin.total_after)[:, :-1] / (epochs * 1500)
    assert clf.with_readout("last").coef_ == near(np.array(twin.w)[:, :-1], 20_000)
    # The mean is of 60,000 presentations of weights that are as long as the longest row.
    assert clf.coef_ == near(mean, epochs * 1500 * 20, size=np.abs(X).max())


def test_lazy_scales_are_folded_after_16384_shrinks():
    """The documented moment is part of the result: the same bits everywhere and for ever."""
    rng, lam, epochs = np.random.default_rng(3), 0.01, 40
    X, y = rng.normal(size=(1000, 2)), rng.integers(0, 2, 1000)
    v, u, shrinkage, clock, clock_at, shrinks, corrections = [0.0] * 3, [0.0] * 3, 1.0, 0.0, 0, 0, 0
    for shown in range(epochs * len(X)):
        x, sign = X[shown % len(X)].tolist(), 1.0 if y[shown % len(X)] else -1.0
        if sign * dot(v, x, 1.0) * shrinkage > 0:
            continue
        clock += shrinkage * (shown + 1 - clock_at)
        clock_at = shown + 1
        if corrections:
            shrinkage *= corrections / (lam + corrections)
            shrinks += 1
            if shrinks == 16384:
                u = [a - clock * b for a, b in zip(u, v, strict=True)]
                v = [shrinkage * b for b in v]
                shrinkage, clock, shrinks = 1.0, 0.0, 0
        tau = 1.0 / shrinkage * sign
        v = [a + tau * b for a, b in zip(v, [*x, 1.0], strict=True)]
        u = [a + clock * tau * b for a, b in zip(u, [*x, 1.0], strict=True)]
        corrections += 1
    assert corrections > 16384 + 1000
    rule = rules.ShiftingPerceptron(lam)
    clf = LinearClassifier(rule, order="cyclic", max_iter=epochs, until=None).fit(X, y)
    state = clf.fitted.state.state
    assert state.array("w").ravel().tolist() == v and state.array("u").ravel().tolist() == u


def test_a_shrink_to_nothing_leaves_the_average_right():
    """Rows that grow shorter make aggressive ROMMA begin anew each time: w <- y x / ||x||^2."""
    X = np.array([[8.0, 0.0], [4.0, 3.0], [2.0, -1.0], [1.0, 0.5], [0.5, -0.125]])
    rule = rules.AggressiveROMMA()
    clf = LinearClassifier(rule, order="cyclic", max_iter=1, until=None, fit_intercept=False)
    clf.fit(np.append(X, [[0.0, 0.0]], 0), [1, 1, 1, 1, 1, 0])
    twin = Twin(rule, "single", 2, 1, 0).learn(X.tolist(), [1] * 5)
    assert clf.n_corrections_ == twin.corrections[0] == 5
    total = [a + b for a, b in zip(twin.total_after[0], twin.w[0], strict=True)][:-1]
    assert clf.coef_[0] == near(np.array(total) / 6, 100)


def test_post_and_ciml_point_the_same_way_and_pre_is_post_less_the_last():
    rng = np.random.default_rng(5)
    X, y = rng.integers(-5, 6, (50, 4)), rng.integers(0, 2, 50)
    fits = {
        a: LinearClassifier(order="cyclic", max_iter=2, until=None, averaging=a).fit(X, y)
        for a in ("post", "pre", "ciml")
    }
    post, pre, ciml = (fits[a].coef_ for a in ("post", "pre", "ciml"))
    assert post * 100 == near(ciml * 101, 10)
    assert post * 100 - pre * 100 == near(fits["post"].with_readout("last").coef_, 200)
