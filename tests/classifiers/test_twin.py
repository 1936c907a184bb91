"""The compiled loops against the slow twin: every rule, every scheme, bit for bit."""

from fractions import Fraction

import numpy as np
import pytest
from twin import Twin

from hardlimit import LinearClassifier, rules

SCHEMES = [("coupled", 2, "single"), ("coupled", 4, "coupled"), ("ovr", 4, "independent")]


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("bias", [1.0, 0.0])
def test_every_rule_in_every_scheme(name, multiclass, n_classes, scheme, bias):
    rng = np.random.default_rng(7)
    X = np.where(rng.random((40, 11)) < 0.6, rng.normal(size=(40, 11)), 0.0)
    X[5] = 0
    y = rng.integers(0, n_classes, 40)
    weights = rng.choice([0.5, 1.0, 2.0], 40)
    rule = rules.get(name)
    clf = LinearClassifier(
        rule, order="cyclic", max_iter=3, until=None, multiclass=multiclass, readout="last",
        fit_intercept=bias != 0,
    ).fit(X, y, sample_weight=weights)  # fmt: skip
    twin = Twin(rule, scheme, 11, 1 if n_classes == 2 else n_classes, bias)
    for _ in range(3):
        for x, target, weight in zip(X.tolist(), y, weights.tolist(), strict=True):
            twin.present(x, target, weight)
    assert clf.coef_.tolist() == [w[:-1] for w in twin.w]
    assert clf.intercept_.tolist() == [w[-1] * bias for w in twin.w]
    assert clf.n_corrections_ == sum(twin.corrections)
    assert clf.n_mistakes_ == twin.mistakes


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
def test_averages_are_the_naive_sums_on_integers(multiclass, n_classes, scheme):
    rng = np.random.default_rng(1)
    X, y = rng.integers(-5, 6, (32, 6)), rng.integers(0, n_classes, 32)
    n = 32 * 4
    twin = Twin(rules.Perceptron(), scheme, 6, 1 if n_classes == 2 else n_classes, 1)
    for _ in range(4):
        for x, target in zip(X.tolist(), y, strict=True):
            twin.present(x, target)
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
        state = clf._state.state
        w, u = state.array("w"), state.array("u")
        lazy = (n + (averaging != "pre")) * w - u
        assert lazy.T.tolist() == total
        scaled = [[Fraction(v, divisor) for v in row[:-1]] for row in total]
        assert clf.coef_ == pytest.approx(np.array(scaled, float), abs=1e-12)


def test_post_and_ciml_point_the_same_way_and_pre_is_post_less_the_last():
    rng = np.random.default_rng(5)
    X, y = rng.integers(-5, 6, (50, 4)), rng.integers(0, 2, 50)
    fits = {
        a: LinearClassifier(order="cyclic", max_iter=2, until=None, averaging=a).fit(X, y)
        for a in ("post", "pre", "ciml")
    }
    post, pre, ciml = (fits[a].coef_ for a in ("post", "pre", "ciml"))
    assert post * 100 == pytest.approx(ciml * 101)
    assert post * 100 - pre * 100 == pytest.approx(fits["post"].with_readout("last").coef_)
