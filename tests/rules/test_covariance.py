"""Rules with a covariance: the loops against slow twins, the rules against their mathematics."""

import math
import pickle
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from covariance_twin import CovarianceTwin
from scipy import optimize, sparse
from twin import separable_set

from hardlimit import LinearClassifier, TextClassifier, load, memory, rules
from hardlimit.engine import engine_rule, new_round, new_state, rows_of
from hardlimit.exceptions import InputError, MemoryEstimateError

SCHEMES = [("coupled", 2, "single"), ("coupled", 4, "coupled"), ("ovr", 4, "independent")]
SHAPES = ("diagonal", "full")
RULES = {
    "arow": {"r": 0.7},
    "scw1": {"C": 0.4, "eta": 0.8},
    "scw2": {"C": 0.4, "eta": 0.95},
    "second-order-perceptron": {"a": 0.6},
}
ALL = [rules.get(name, covariance=s, **RULES[name]) for name in RULES for s in SHAPES]
FULL = [rule for rule in ALL if rule.covariance == "full"]


def drawn(seed, n_rows=40, n_columns=11, n_classes=2):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_rows, n_columns)) < 0.6, rng.normal(size=(n_rows, n_columns)), 0.0)
    return X, rng.integers(0, n_classes, n_rows), rng.choice([0.5, 1.0, 2.0], n_rows)


def learner(rule, **settings):
    settings = {"order": "cyclic", "max_iter": 3, "until": None, "readout": "last"} | settings
    return LinearClassifier(rule, **settings)


def blocks(clf):
    """S of each output, (n_outputs, n + 1, n + 1), the start put where nothing was stored."""
    state = clf._state.state
    sigma, size = state.array("sigma"), state.n_columns + 1
    if clf.rule.covariance == "full":
        matrices = sigma.ravel().reshape(state.n_outputs, size, size).copy()
    else:
        matrices = np.stack([np.diag(sigma[:, k]) for k in range(state.n_outputs)])
    for matrix in matrices:
        diagonal = matrix.diagonal()
        start = float(clf.rule.initial_variance)
        np.fill_diagonal(matrix, np.where(diagonal == 0, start, diagonal))
    return matrices


def weights(clf):
    return np.append(clf.coef_, clf.intercept_[:, None], axis=1)


# The loops


@pytest.mark.parametrize(("multiclass", "n_classes", "scheme"), SCHEMES)
@pytest.mark.parametrize("rule", ALL, ids=repr)
@pytest.mark.parametrize("bias", [1.0, 0.0])
def test_the_loops_are_the_twins_bit_for_bit(rule, multiclass, n_classes, scheme, bias):
    X, y, sample_weight = drawn(7, n_classes=n_classes)
    X[5] = 0
    n_outputs = 1 if n_classes == 2 else n_classes
    twin = CovarianceTwin(rule, scheme, 11, n_outputs, bias)
    for _ in range(3):
        for x, target, weight in zip(X.tolist(), y, sample_weight.tolist(), strict=True):
            twin.present(x, target, weight)
    for storage in (X, sparse.csr_matrix(X)):
        clf = learner(rule, multiclass=multiclass, fit_intercept=bias != 0)
        clf.fit(storage, y, sample_weight=sample_weight)
        assert clf._state.state.array("w").T.tolist() == twin.w
        assert blocks(clf).tolist() == twin.S
        assert clf.n_corrections_ == sum(twin.corrections)
        assert clf.n_mistakes_ == twin.mistakes
    for averaging, total, n in [
        ("post", twin.total_after, 120),
        ("pre", twin.total_before, 120),
        ("ciml", twin.total_after, 121),
    ]:
        settings = {"averaging": averaging, "readout": "averaged", "fit_intercept": bias != 0}
        clf = learner(rule, multiclass=multiclass, **settings).fit(X, y, sample_weight)
        mean = np.array(total)[:, :-1] / n
        assert clf.coef_ == pytest.approx(mean, abs=1e-12 * abs(mean).max())


@pytest.mark.parametrize("rule", ALL, ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_rule_asked_through_python_does_the_same(rule, n_classes):
    X, y, _ = drawn(1, n_classes=n_classes)
    own = type("Own", (type(rule),), {})(**rule.get_params())
    assert not rules.is_registered(own)
    assert engine_rule(own).is_python
    compiled, asked = learner(rule).fit(X, y), learner(own).fit(X, y)
    assert (compiled.coef_ == asked.coef_).all()
    assert (blocks(compiled) == blocks(asked)).all()


@pytest.mark.parametrize("rule", ALL, ids=repr)
def test_answers_of_both_languages_are_the_same_bits(rule):
    rng = np.random.default_rng(0)
    compiled, asked = engine_rule(rule, rules.name_of(rule)), engine_rule(rule)
    assert (compiled.needs_sqnorm, asked.needs_sqnorm) == (True, True)
    for _ in range(500):
        scalars = {
            "margin": float(rng.normal() * 10.0 ** rng.integers(-3, 3)),
            "variance": float(rng.random() * 10.0 ** rng.integers(-3, 3) + 1e-9),
            "weight": float(rng.random() * 4 + 0.01),
        }
        assert compiled.change(scalars) == asked.change(scalars)
        assert compiled.required(scalars) == asked.required(scalars)


def test_kept_hypotheses_are_those_of_the_twin():
    X, y, _ = drawn(3)
    rule = rules.AROW(r=3.0)
    state = new_state(engine_rule(rule, "arow"), "single", 11, 1, True)
    state.watch(["longest", "pocket"], 0)
    round_ = new_round(rows_of(X, 1.0), y.astype(np.int32), None)
    state.present(round_, 0, 1 << 20)
    state.close(round_)
    twin, lives = CovarianceTwin(rule, "single", 11, 1, 1.0), [[0, None]]
    for x, target in zip(X.tolist(), y, strict=True):
        before = sum(twin.corrections)
        twin.present(x, target)
        if sum(twin.corrections) > before:
            lives.append([0, None])
        lives[-1] = [lives[-1][0] + 1, list(twin.w[0])]
    longest = max(lives, key=lambda life: life[0])
    assert longest[0] > 1
    assert state.kept("longest").ravel().tolist() == longest[1]
    assert state.kept("pocket").shape == (12, 1)


@pytest.mark.parametrize("rule", ALL, ids=repr)
def test_a_row_of_zeros_never_corrects(rule):
    clf = learner(rule, fit_intercept=False).partial_fit([[0.0, 0.0]], [1], classes=[0, 1])
    assert clf.n_corrections_ == 0
    assert clf.n_mistakes_ == 1
    assert clf.coef_.tolist() == [[0, 0]]


@pytest.mark.parametrize("rule", ALL, ids=repr)
def test_a_variance_never_falls_to_zero_where_the_start_stands(rule):
    clf = learner(rule, fit_intercept=False)
    clf.partial_fit([[1e60, 1e-20]], [1], classes=[0, 1])
    assert clf.n_corrections_ == 1
    assert clf._state.state.array("sigma").ravel()[0] > 0
    assert blocks(clf)[0, 0, 0] < (1 if type(rule) is rules.SCW1 else 1e-10)
    with pytest.raises(InputError, match="overflow"):
        learner(rule).fit([[1e200], [-1.0]], [0, 1])


# What S and w are


@pytest.mark.parametrize("rule", FULL, ids=repr)
def test_a_full_covariance_stays_symmetric_and_positive(rule):
    X, y, _ = drawn(2, n_rows=300, n_classes=3)
    clf = learner(rule, max_iter=5).fit(X, y)
    for matrix in blocks(clf):
        assert (matrix == matrix.T).all()
        assert np.linalg.eigvalsh(matrix).min() > 0
        assert np.linalg.eigvalsh(matrix).max() <= float(rule.initial_variance) * (1 + 1e-12)


def corrected_rows(rule, X, y, sample_weight=None, **settings):
    """Rows (the bias's 1 appended) and targets of the corrections of a run, and the model."""
    clf, found = learner(rule, **settings), []
    for i in range(len(X)):
        before = clf.n_corrections_ if i else 0
        weight = None if sample_weight is None else sample_weight[i : i + 1]
        clf.partial_fit(X[i : i + 1], y[i : i + 1], weight, classes=[0, 1])
        if clf.n_corrections_ > before:
            found.append(i)
    bias = float(settings.get("fit_intercept", True))
    return np.append(X, np.full((len(X), 1), bias), 1)[found], 2 * y[found] - 1, clf, found


def test_full_arow_is_ridge_regression_on_its_corrections():
    X, y, sample_weight = drawn(5, n_rows=200)
    Z, t, clf, found = corrected_rows(rules.AROW(0.7, "full"), X, y, sample_weight)
    assert 20 < len(Z) < 200
    c = sample_weight[found, None]
    A = 0.7 * np.eye(12) + Z.T @ (c * Z)
    assert weights(clf)[0] == pytest.approx(np.linalg.solve(A, Z.T @ (c[:, 0] * t)), abs=1e-10)
    assert blocks(clf)[0] == pytest.approx(0.7 * np.linalg.inv(A), abs=1e-10)


def test_a_weight_of_two_is_the_example_twice_for_full_arow():
    X, y, _ = drawn(8, n_rows=30)
    rule = rules.AROW(0.7, "full")
    once = learner(rule, max_iter=1).fit(X, y, sample_weight=np.full(30, 2.0))
    again = learner(rule, max_iter=1).fit(np.repeat(X, 2, 0), np.repeat(y, 2))
    assert once.coef_ == pytest.approx(again.coef_, abs=1e-12)


def test_the_second_order_perceptron_is_a_inverse_v():
    X, y, sample_weight = drawn(6, n_rows=200)
    for shape in SHAPES:
        rule = rules.SecondOrderPerceptron(0.6, shape)
        Z, t, clf, found = corrected_rows(rule, X, y, sample_weight)
        c = sample_weight[found, None]
        A = 0.6 * np.eye(12) + Z.T @ (c * Z)
        if shape == "diagonal":
            A = np.diag(A.diagonal())
        assert weights(clf)[0] == pytest.approx(np.linalg.solve(A, Z.T @ (c[:, 0] * t)), abs=1e-10)
        assert blocks(clf)[0] == pytest.approx(np.linalg.inv(A), abs=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_coupled_class_of_the_second_order_perceptron_has_its_own_a_and_v(shape):
    X, y, _ = drawn(9, n_rows=60, n_classes=3)
    clf = learner(rules.SecondOrderPerceptron(covariance=shape), fit_intercept=False)
    A, V = np.stack([np.eye(11)] * 3), np.zeros((3, 11))
    for x, target in zip(X, y, strict=True):
        w = np.linalg.solve(A, V[:, :, None])[:, :, 0]
        scores = w @ x
        rival = max((k for k in range(3) if k != target), key=lambda k: (scores[k], -k))
        if scores[target] - scores[rival] <= 1e-12 and x.any():
            outer = np.outer(x, x)
            A[[target, rival]] += np.diag(x * x) if shape == "diagonal" else outer
            V[target] += x
            V[rival] -= x
        clf.partial_fit([x], [target], classes=[0, 1, 2])
    assert clf.coef_ == pytest.approx(np.linalg.solve(A, V[:, :, None])[:, :, 0], abs=1e-10)


def test_on_mistakes_alone_full_arow_is_the_second_order_perceptron():
    @dataclass(frozen=True)
    class OnMistakes(rules.AROW):
        required = 0
        equality_violates = True

    X, y, _ = drawn(4, n_rows=150)
    arow = learner(OnMistakes(0.6, "full")).fit(X, y)
    second = learner(rules.SecondOrderPerceptron(0.6, "full")).fit(X, y)
    assert arow.n_corrections_ == second.n_corrections_
    assert arow.coef_ == pytest.approx(second.coef_, abs=1e-10)
    assert blocks(arow) == pytest.approx(0.6 * blocks(second), abs=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_without_a_common_column_need_no_matrix(shape):
    """One column a row: the diagonal is all there is, and both shapes are one."""
    X, y = np.eye(4)[[0, 1, 2, 3, 0, 1]] * 2, [0, 1, 0, 1, 1, 1]
    for name, parameters in RULES.items():
        clf = learner(rules.get(name, covariance=shape, **parameters), fit_intercept=False)
        other = learner(rules.get(name, **parameters), fit_intercept=False)
        assert clf.fit(X, y).coef_ == pytest.approx(other.fit(X, y).coef_, abs=1e-14)


# Worked examples


def test_worked_example_of_arow():
    clf = learner(rules.AROW(r=2.0)).partial_fit([[2, 1]], [1], classes=[0, 1])
    assert weights(clf).tolist() == [[1 / 4, 1 / 8, 1 / 8]]
    assert blocks(clf)[0].diagonal().tolist() == [1 / 2, 7 / 8, 7 / 8]
    clf.partial_fit([[0, 2]], [0])
    assert weights(clf)[0] == pytest.approx([1 / 4, -103 / 408, -13 / 204], abs=1e-15)
    twin = CovarianceTwin(rules.AROW(Fraction(2)), "single", 2, 1, Fraction(1))
    twin.present([2, 1], 1)
    twin.present([0, 2], 0)
    assert twin.w == [[Fraction(1, 4), Fraction(-103, 408), Fraction(-13, 204)]]


def test_worked_example_of_the_second_order_perceptron():
    clf = learner(rules.SecondOrderPerceptron())
    table = [([1, 1], 1, [0.5, 0.5, 0.5]), ([1, 0], 0, [0, 0.5, 0]), ([0, 1], 1, [0, 0.5, 0])]
    for x, target, w in table:
        clf.partial_fit([x], [target], classes=[0, 1])
        assert weights(clf)[0] == pytest.approx(w, abs=1e-15)
    assert clf.n_corrections_ == 2
    full = learner(rules.SecondOrderPerceptron(covariance="full"))
    full.partial_fit([[1, 1]], [1], classes=[0, 1])
    assert weights(full).tolist() == [[0.25, 0.25, 0.25]]


def test_exact_numbers_go_through_the_rules_that_have_no_root():
    X = np.random.default_rng(2).integers(-2, 3, (12, 3))
    for shape in SHAPES:
        for exact, rule in [
            (rules.AROW(Fraction(3, 4), shape), rules.AROW(0.75, shape)),
            (rules.SecondOrderPerceptron(Fraction(3, 4), shape),
             rules.SecondOrderPerceptron(0.75, shape)),
        ]:  # fmt: skip
            assert exact.exact
            twin = CovarianceTwin(exact, "single", 3, 1, Fraction(1))
            twin.S = [[[Fraction(v) for v in row] for row in S] for S in twin.S]
            clf = learner(rule)
            for i, x in enumerate(X.tolist()):
                twin.present(list(map(Fraction, x)), i % 2)
                clf.partial_fit([x], [i % 2], classes=[0, 1])
            assert all(isinstance(v, Fraction | int) for v in twin.w[0])
            assert weights(clf)[0] == pytest.approx([float(v) for v in twin.w[0]], abs=1e-12)


# The closed forms of SCW


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
    assert price(tau, beta) == pytest.approx(found.fun, abs=1e-12)
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
    assert objective(w, S) <= objective(found.x[:2], matrix(found.x)) + 1e-12
    assert w == pytest.approx(found.x[:2], abs=1e-4)
    assert S == pytest.approx(matrix(found.x), rel=1e-4, abs=1e-4)


def test_a_step_of_scw_1_that_c_does_not_cut_ends_at_its_confidence():
    rng = np.random.default_rng(0)
    rule = rules.SCW1(C=float("inf"), eta=0.9, covariance="full")
    clf = learner(rule, fit_intercept=False)
    for _ in range(50):
        x, y = rng.normal(size=4), int(rng.integers(2))
        clf.partial_fit([x], [y], classes=[0, 1])
        margin = (2 * y - 1) * clf.decision_function([x])[0]
        assert margin >= rule.phi * math.sqrt(x @ blocks(clf)[0, :4, :4] @ x) - 1e-10
    assert not rule.weighs
    with pytest.raises(InputError, match="0 or 1"):
        learner(rule).fit([[1.0], [2.0]], [0, 1], sample_weight=[1, 0.5])


def test_worked_examples_of_scw():
    first = rules.SCW1(covariance="full")
    tau, beta = first.tau(0, 1.0)
    assert (tau, beta) == pytest.approx((0.788386, 0.621552), abs=1e-6)
    assert tau == pytest.approx(first.phi * 0.615181, abs=1e-6)
    assert rules.SCW2(C=0.5).tau(0, 1.0)[0] == pytest.approx(0.474820, abs=1e-6)


def test_phi_is_the_normal_quantile():
    from scipy.stats import norm

    for eta in (0.51, 0.7, 0.9, 0.99, 1 - 1e-9):
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
    assert asked[:2] == pytest.approx([1600.0, 100.0])
    assert asked[2] < 50


# Theorems


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
        assert A * math.sqrt(L + U) - U <= bound * (1 + 1e-12)


def test_bounds_that_are_not_there_say_why():
    good = rules.Geometry(2.0, 0.5, spectrum=(3.0, 1.0), spread=2.0)
    assert rules.SecondOrderPerceptron(covariance="full").mistake_bound(good).value == (
        pytest.approx(2 * math.sqrt(3 * (math.log(4) + math.log(2))))
    )
    for rule in ALL:
        assert "separable" in rule.mistake_bound(rules.Geometry(2.0, 0.0)).reason
        assert rule.mistake_bound(rules.Geometry(2.0, 0.5)).value is None
        if rule.covariance == "diagonal":
            assert rule.mistake_bound(good).value is None
            assert rule.mistake_bound(good).reason


# Models


@pytest.mark.parametrize("rule", ALL, ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_saved_pickled_and_continued_bit_for_bit(rule, n_classes, tmp_path):
    X, y, _ = drawn(12, n_classes=n_classes)
    X[:, 3] = 0  # a column that is never seen
    clf = learner(rule, keep=("last", "averaged")).fit(X, y)
    clf.save(tmp_path / "m.hardlimit")
    loaded, pickled = load(tmp_path / "m.hardlimit"), pickle.loads(pickle.dumps(clf))
    loaded.save(tmp_path / "again.hardlimit")
    assert (tmp_path / "m.hardlimit").read_bytes() == (tmp_path / "again.hardlimit").read_bytes()
    more, labels, _ = drawn(13, n_classes=n_classes)
    for other in (loaded, pickled):
        assert other.rule == rule
        assert (other.predict(X) == clf.predict(X)).all()
    for model in (clf, loaded, pickled):
        model.partial_fit(more, labels)
    for other in (loaded, pickled):
        for readout in ("last", "averaged"):
            same = other.with_readout(readout).coef_ == clf.with_readout(readout).coef_
            assert same.all()
        assert (blocks(other) == blocks(clf)).all()
        assert other.n_corrections_ == clf.n_corrections_


@pytest.mark.parametrize("rule", FULL, ids=repr)
def test_full_covariances_do_not_depend_on_batches_or_on_late_classes(rule):
    X, y, _ = drawn(14, n_classes=4)
    y[:12] = np.minimum(y[:12], 2)
    whole = learner(rule).partial_fit(X, y, classes=[0, 1, 2, 3])
    late = learner(rule).partial_fit(X[:12], y[:12], classes=[0, 1, 2])
    assert blocks(late).shape == (3, 12, 12)
    late.partial_fit(X[12:], y[12:])
    ones = learner(rule)
    for i in range(len(X)):
        ones.partial_fit(sparse.csr_matrix(X[i : i + 1]), y[i : i + 1], classes=[0, 1, 2, 3])
    assert (whole.coef_ == ones.coef_).all()
    assert (blocks(whole) == blocks(ones)).all()
    assert late.n_corrections_ > 0
    twin = CovarianceTwin(rule, "coupled", 11, 3, 1.0)
    zero = np.eye(12) * float(rule.initial_variance)
    for i, (x, target) in enumerate(zip(X.tolist(), y, strict=True)):
        if target == 3 and len(twin.w) == 3:
            for total in (twin.w, twin.total_before, twin.total_after):
                total.append([0] * 12)
            twin.S.append(zero.tolist())
            assert i >= 12
        twin.present(x, target)
    assert late.coef_.tolist() == [w[:-1] for w in twin.w]
    assert blocks(late).tolist() == twin.S


@pytest.mark.parametrize("shape", SHAPES)
def test_three_classes_after_two_for_the_second_order_perceptron(shape):
    """The split row is two coupled rows: the same as both from the start, the third at zero."""
    X, y, _ = drawn(15)
    X3, y3, _ = drawn(16, n_classes=3)
    y3[0] = 2
    rule = rules.SecondOrderPerceptron(0.6, shape)
    clf = learner(rule).partial_fit(X, y, classes=[0, 1]).partial_fit(X3, y3)
    twin = CovarianceTwin(rule.split().rule, "coupled", 11, 2, 1.0)
    for x, target in zip(X.tolist(), y, strict=True):
        twin.present(x, target)
    for total in (twin.w, twin.total_before, twin.total_after):
        total.append([0] * 12)
    twin.S.append((np.eye(12) / 0.6).tolist())
    for x, target in zip(X3.tolist(), y3, strict=True):
        twin.present(x, target)
    assert clf.coef_ == pytest.approx(np.array(twin.w)[:, :-1], abs=1e-12)
    assert clf.n_corrections_ == sum(twin.corrections)


@pytest.mark.parametrize("name", ["arow", "scw1", "scw2"])
def test_a_third_class_is_refused_where_two_say_nothing_of_three(name):
    clf = learner(name).partial_fit([[1.0], [2.0]], ["a", "b"])
    before = clf.coef_
    with pytest.raises(InputError, match="third class.*name all classes from the start"):
        clf.partial_fit([[3.0]], ["c"])
    assert (clf.coef_ == before).all()
    learner(name).partial_fit([[1.0], [2.0], [3.0]], [*"abc"], classes=[*"abc"])


def test_a_stream_of_texts_grows_a_diagonal_and_refuses_a_matrix():
    batches = [(["good fun", "bad luck"], [1, 0]), (["fine fun", "sad luck indeed"], [1, 0])]
    for rule in ("arow", "scw1", "second-order-perceptron"):
        grown = TextClassifier(rule=rule, readout="last", idf=None)
        for texts, labels in batches:
            grown.partial_fit(texts, labels, classes=[0, 1])
        n = grown.vectorizer_.rows(["fine"]).n_columns
        assert grown._state.state.array("sigma").shape == (n + 1, 1)
        assert grown.predict(["fine", "sad"]).tolist() == [1, 0]
    full = rules.AROW(covariance="full")
    clf = TextClassifier(rule=full, words=(1, 1))
    with pytest.raises(InputError, match="hash_bits"):
        clf.partial_fit(*batches[0])
    with pytest.raises(InputError, match="hash_bits"):
        clf.fit(*batches[0]).partial_fit(*batches[1])
    hashed = TextClassifier(rule=full, words=(1, 1), hash_bits=8, idf=None)
    for texts, labels in batches:
        hashed.partial_fit(texts, labels, classes=[0, 1])
    assert hashed.n_corrections_ > 0
    state = hashed._state.state
    with pytest.raises(ValueError, match="further columns"):
        state.grow_columns(state.n_columns + 1)


# What is refused


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("bad", ["banana", "Full", None, 1.0, -1.0])
def test_covariances_that_are_not_there(name, bad):
    with pytest.raises(InputError, match="covariance=.*wanted 'diagonal' or 'full'"):
        rules.get(name, covariance=bad)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("arow", {"r": 0}, "r=0, wanted a number > 0"),
        ("arow", {"r": -1.0}, "r=-1.0"),
        ("arow", {"r": float("inf")}, "r=inf"),
        ("scw1", {"eta": 0.5}, "eta=0.5, wanted a number > 0.5 and < 1"),
        ("scw1", {"eta": 1.0}, "eta=1.0"),
        ("scw2", {"eta": 0.3}, "eta=0.3"),
        ("scw2", {"eta": float("nan")}, "eta=nan"),
        ("scw2", {"eta": "0.9"}, "eta='0.9'"),
        ("scw1", {"C": 0}, "C=0"),
        ("scw2", {"C": float("inf")}, "C=inf"),
        ("second-order-perceptron", {"a": 0}, "a=0"),
    ],
)
def test_parameters_out_of_range(name, parameters, message):
    with pytest.raises(InputError, match=message):
        rules.get(name, **parameters)


def test_a_matrix_that_does_not_fit_is_refused_with_the_mend(monkeypatch):
    monkeypatch.setattr(memory, "physical", lambda: 16 * 10**9)
    X = sparse.csr_matrix(([1.0, 1.0], ([0, 1], [5, 99_999])), shape=(2, 100_000))
    with pytest.raises(MemoryEstimateError, match=r"80 GB.*covariance='diagonal'"):
        learner(rules.AROW(covariance="full")).fit(X, [0, 1])
    learner(rules.AROW()).fit(X, [0, 1])
    monkeypatch.undo()
    with pytest.raises(ValueError, match="size"):
        compiled = engine_rule(rules.AROW(covariance="full"), "arow")
        new_state(compiled, "single", 1 << 30, 1, False)
    clf = learner(rules.AROW(covariance="full")).partial_fit([[1.0] * 3000] * 3, [0, 1, 2],
                                                             classes=[0, 1, 2])  # fmt: skip
    monkeypatch.setattr(memory, "physical", lambda: 250 * 10**6)
    with pytest.raises(MemoryEstimateError, match="4 classes"):
        clf.partial_fit([[1.0] * 3000], [3])
