"""Rules that promise a margin: ALMA, dynamic margin, uneven margins."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from twin import largest_margin, separable_set

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError

from ..rounding import roundings


def separable(seed, n_rows=60, n_columns=5, gap=0.1):
    rng = np.random.default_rng(seed)
    rows, w = separable_set(rng, n_rows, n_columns, gap)
    X = np.array(rows)
    return X, (X @ w > 0).astype(int)


def signed(X, y):
    return X * (2 * np.asarray(y) - 1)[:, None]


def through_the_origin(rule, X, y, **settings):
    clf = LinearClassifier(
        rule, fit_intercept=False, until="margin", readout="last", max_iter=100_000, **settings
    ).fit(X, y)
    assert clf.stop_reason_ == "margin_reached"
    return clf


# ALMA


@pytest.mark.parametrize("multiclass", ["coupled", "ovr"])
def test_alma_stays_in_the_unit_ball_on_sparse_noise(multiclass):
    """All of w is projected, not only the columns of the row at hand."""
    rng = np.random.default_rng(1)
    X = sparse.random(300, 200, 0.03, "csr", random_state=1)
    y = rng.integers(0, 4, 300)
    clf = LinearClassifier("alma", multiclass=multiclass, readout="last")
    for i in range(300):
        clf.partial_fit(X[i], y[i : i + 1], classes=[0, 1, 2, 3])
        lengths = (clf.coef_**2).sum(1) + clf.intercept_**2
        assert (lengths.sum() if multiclass == "coupled" else lengths.max()) <= 1 + roundings(100)


@pytest.mark.parametrize("alpha", [0.9, 0.5, 0.2])
def test_alma_reaches_its_share_of_the_largest_margin(alpha):
    for seed in range(4):
        X, y = separable(seed)
        rule = rules.ALMA(alpha)
        clf = through_the_origin(rule, X, y)
        z = signed(X, y)
        directions = z / np.linalg.norm(z, axis=1)[:, None]
        gamma = largest_margin(directions)
        reached = (directions @ clf.coef_[0]).min() / np.linalg.norm(clf.coef_)
        assert reached >= (1 - alpha) * gamma
        assert clf.n_corrections_ <= 2 / gamma**2 * (2 / alpha - 1) ** 2 + 8 / alpha - 4
        geometry = rules.Geometry(np.linalg.norm(z, axis=1).max(), largest_margin(z))
        assert clf.n_corrections_ <= rule.mistake_bound(geometry).value


def test_alma_looks_at_directions_only():
    X, y = separable(7)
    lengths = 2.0 ** np.random.default_rng(0).integers(-5, 6, len(X))[:, None]
    a, b = (
        LinearClassifier("alma", fit_intercept=False, until=None, max_iter=3).fit(rows, y)
        for rows in (X, X * lengths)
    )
    assert np.array_equal(a.coef_, b.coef_)


def test_alma_has_its_theorem_for_the_papers_constants_only():
    geometry = rules.Geometry(1.0, 0.5)
    assert rules.ALMA(1.0).mistake_bound(geometry).value == 2 / 0.25 + 4
    other = rules.ALMA(0.5, B=1.0).mistake_bound(geometry)
    assert other.value is None
    assert "B and C" in other.reason
    paper = rules.ALMA(0.5, B=math.sqrt(8) / 0.5, C=math.sqrt(2))
    assert paper.compiled_parameters() == rules.ALMA(0.5).compiled_parameters()


# Dynamic margin


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_dynamic_margin_proves_its_margin_exactly_on_integers(epsilon):
    """k <z, w> > (1 - epsilon) <w, w> for all rows, in whole numbers."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.integers(-6, 7, (50, 4))
        y = (X @ [2, -1, 3, 1] > 2).astype(int)
        rule = rules.DynamicMargin(float(epsilon))
        clf = LinearClassifier(rule, until="margin", readout="last", max_iter=10**6).fit(X, y)
        assert clf.stop_reason_ == "margin_reached"
        w = [int(v) for v in [*clf.coef_[0], clf.intercept_[0]]]
        assert w == [*clf.coef_[0], clf.intercept_[0]]
        z = [[int(v) * (2 * int(t) - 1) for v in [*x, 1]] for x, t in zip(X, y, strict=True)]
        wsq, k = sum(v * v for v in w), clf.n_corrections_
        margins = [sum(map(int.__mul__, row, w)) for row in z]
        assert all(k * margin > (1 - epsilon) * wsq for margin in margins)
        gamma = largest_margin(np.array(z, float))
        assert math.sqrt(wsq) / k >= gamma * (1 - roundings(10_000))
        assert min(margins) / math.sqrt(wsq) >= float(1 - epsilon) * gamma


@pytest.mark.parametrize("epsilon", [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0])
def test_dynamic_margins_bound_and_the_growth_that_it_rests_on(epsilon):
    p = 2 * (1 - epsilon)
    q = max(p, 1.5)
    for seed in range(3):
        X, y = separable(seed)
        geometry = rules.Geometry(float(np.linalg.norm(X, axis=1).max()), 0.1)
        rule = rules.DynamicMargin(epsilon)
        clf = through_the_origin(rule, X, y)
        k, wsq = clf.n_corrections_, float((clf.coef_**2).sum())
        assert k <= rule.mistake_bound(geometry).value
        assert wsq <= geometry.radius**2 * k**q * q / (q - 1)
        if p < 1:
            assert wsq <= geometry.radius**2 * k / (1 - p)
        assert wsq >= (k * geometry.gamma) ** 2 * (1 - roundings(10_000))


def test_dynamic_margin_with_epsilon_one_is_the_perceptron():
    rng = np.random.default_rng(2)
    X, y = rng.integers(-4, 5, (60, 6)), rng.integers(0, 3, 60)
    a, b = (
        LinearClassifier(rule, max_iter=5, until=None).fit(X, y)
        for rule in (rules.DynamicMargin(1.0), rules.Perceptron())
    )
    assert np.array_equal(a.coef_, b.coef_)


# Uneven margins


def rows_of_products(gram):
    """Rows with these inner products, by Cholesky's method without BLAS: the same everywhere."""
    n = len(gram)
    rows = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            known = math.fsum(rows[i, k] * rows[j, k] for k in range(j))
            rows[i, j] = (gram[i, j] - known) / rows[j, j]
        rows[i, i] = math.sqrt(gram[i, i] - math.fsum(v * v for v in rows[i, :i]))
    return rows


@pytest.mark.parametrize("b", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("of", [lambda b: rules.MarginPerceptron(b=b), lambda b: rules.PAUM(b, b)])
def test_rows_that_nearly_reach_the_bound(of, b):
    """Unit rows that each find a little less than a margin of b at their first presentation."""
    n = 20
    places = np.arange(n)
    # Less by more than all roundings, so that each row is corrected on every machine.
    nearly = (1 - 1e-9) * b / np.maximum.outer(places, places).clip(1)
    rows = rows_of_products(np.where(np.eye(n), 1.0, np.minimum(0.999, nearly)))
    y = places % 2
    clf = through_the_origin(of(b), rows * (2 * y - 1)[:, None], y, order="cyclic")
    corrections = clf.n_corrections_
    assert corrections == n
    bound = of(b).mistake_bound(rules.Geometry(1.0, largest_margin(rows))).value
    assert corrections <= bound < 1.8 * corrections


@pytest.mark.parametrize(("plus", "minus"), [(5.0, 0.5), (0.5, 5.0), (20.0, -1.0), (2.0, 2.0)])
def test_uneven_margins_are_kept_and_bounded(plus, minus):
    for seed in range(4):
        X, y = separable(seed)
        rule = rules.PAUM(plus, minus)
        clf = through_the_origin(rule, X, y)
        margins = signed(X, y) @ clf.coef_[0]
        assert margins[y == 1].min() >= plus
        assert margins[y == 0].min() >= minus
        bound = rule.mistake_bound(rules.Geometry(float(np.linalg.norm(X, axis=1).max()), 0.1))
        assert clf.n_corrections_ <= bound.value


def test_the_ratio_of_the_margins_moves_the_plane():
    """Two clusters and a bias: the plane lies further from the class of the larger margin."""
    rng = np.random.default_rng(5)
    y = np.arange(80) % 2
    X = rng.normal(size=(80, 2)) * 0.3 + np.where(y, 2.0, -2.0)[:, None]
    distances = {}
    for ratio in (1, 4):
        clf = LinearClassifier(
            rules.PAUM(100.0 * ratio, 100.0), until="margin", readout="last", max_iter=100_000
        ).fit(X, y)
        assert clf.stop_reason_ == "margin_reached"
        scores = clf.decision_function(X)
        distances[ratio] = scores[y == 1].min() / -scores[y == 0].max()
    # The clusters are drawn: their nearest rows are as far as chance lets them be.
    assert distances[1] == pytest.approx(1, abs=0.05)
    assert distances[4] > 1.2


def test_exchanged_classes_are_exchanged_margins():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 5)), rng.integers(0, 2, 60)
    a = LinearClassifier(rules.PAUM(3.0, 0.5), max_iter=5, until=None).fit(X, y)
    b = LinearClassifier(rules.PAUM(0.5, 3.0), max_iter=5, until=None).fit(X, 1 - y)
    assert np.array_equal(a.coef_, -b.coef_)
    even = LinearClassifier(rules.PAUM(3.0, 3.0), max_iter=5, until=None).fit(X, y)
    plain = LinearClassifier(rules.MarginPerceptron(3.0), max_iter=5, until=None).fit(X, y)
    assert np.array_equal(even.coef_, plain.coef_)


def test_a_negative_margin_lets_mistakes_pass():
    """The row of the first class is a mistake from the start, and stays one."""
    rule = rules.PAUM(tau_plus=1.0, tau_minus=-10.0)
    clf = LinearClassifier(rule, order="cyclic", fit_intercept=False, until="margin")
    clf.fit([[1.0], [3.0]], [1, 0])
    assert clf.stop_reason_ == "margin_reached"
    assert clf.n_corrections_ < clf.n_mistakes_ + 1
    assert clf.n_training_errors_ == 1


def test_a_third_class_has_no_uneven_margin():
    clf = LinearClassifier("paum").partial_fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(InputError, match="neither positive nor negative.*ovr"):
        clf.partial_fit([[3.0]], ["c"])
