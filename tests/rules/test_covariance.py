"""Rules with a covariance: the loops against slow twins, the rules against their mathematics."""

import pickle
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from covariance_twin import CovarianceTwin
from covariances import ALL, FULL, RULES, SHAPES, blocks, corrected_rows, drawn, learner, weights
from scipy import sparse

from hardlimit import TextClassifier, load, rules
from hardlimit.engine import engine_rule, new_state, pair_examples, rows_of
from hardlimit.exceptions import InputError, MemoryEstimateError
from hardlimit.foundation import memory

from ..rounding import near, roundings

SCHEMES = [("coupled", 2, "single"), ("coupled", 4, "coupled"), ("ovr", 4, "independent")]


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
        assert clf.fitted.state.state.array("w").T.tolist() == twin.w
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
        assert clf.coef_ == near(mean, 10_000)


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
    compiled, asked = engine_rule(rule), engine_rule(rule, compiled=False)
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
    state = new_state(engine_rule(rule), "single", 11, 1, True)
    state.watch(["longest", "pocket"], 0)
    round_ = pair_examples(rows_of(X, 1.0), y.astype(np.int32), None)
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
    assert state.hypothesis("longest").ravel().tolist() == longest[1]
    assert state.hypothesis("pocket").shape == (12, 1)


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
    assert clf.fitted.state.state.array("sigma").ravel()[0] > 0
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
        assert np.linalg.eigvalsh(matrix).max() <= float(rule.initial_variance) * (
            1 + roundings(10_000)
        )


def test_full_arow_is_ridge_regression_on_its_corrections():
    X, y, sample_weight = drawn(5, n_rows=200)
    Z, t, clf, found = corrected_rows(rules.AROW(0.7, "full"), X, y, sample_weight)
    assert 20 < len(Z) < 200
    c = sample_weight[found, None]
    A = 0.7 * np.eye(12) + Z.T @ (c * Z)
    assert weights(clf)[0] == near(
        np.linalg.solve(A, Z.T @ (c[:, 0] * t)), 2000 * np.linalg.cond(A)
    )
    assert blocks(clf)[0] == near(0.7 * np.linalg.inv(A), 2000 * np.linalg.cond(A))


def test_a_weight_of_two_is_the_example_twice_for_full_arow():
    X, y, _ = drawn(8, n_rows=30)
    rule = rules.AROW(0.7, "full")
    once = learner(rule, max_iter=1).fit(X, y, sample_weight=np.full(30, 2.0))
    again = learner(rule, max_iter=1).fit(np.repeat(X, 2, 0), np.repeat(y, 2))
    assert once.coef_ == near(again.coef_, 10_000)


def test_the_second_order_perceptron_is_a_inverse_v():
    X, y, sample_weight = drawn(6, n_rows=200)
    for shape in SHAPES:
        rule = rules.SecondOrderPerceptron(0.6, shape)
        Z, t, clf, found = corrected_rows(rule, X, y, sample_weight)
        c = sample_weight[found, None]
        A = 0.6 * np.eye(12) + Z.T @ (c * Z)
        if shape == "diagonal":
            A = np.diag(A.diagonal())
        assert weights(clf)[0] == near(
            np.linalg.solve(A, Z.T @ (c[:, 0] * t)), 2000 * np.linalg.cond(A)
        )
        assert blocks(clf)[0] == near(np.linalg.inv(A), 2000 * np.linalg.cond(A))


@pytest.mark.parametrize("shape", SHAPES)
def test_each_coupled_class_of_the_second_order_perceptron_has_its_own_a_and_v(shape):
    X, y, _ = drawn(9, n_rows=60, n_classes=3)
    clf = learner(rules.SecondOrderPerceptron(covariance=shape), fit_intercept=False)
    A, V = np.stack([np.eye(11)] * 3), np.zeros((3, 11))
    for x, target in zip(X, y, strict=True):
        w = np.linalg.solve(A, V[:, :, None])[:, :, 0]
        scores = w @ x
        rival = max((k for k in range(3) if k != target), key=lambda k: (scores[k], -k))
        # No tolerance of a result: a margin of 0, which rounding moves off 0, is a mistake.
        if scores[target] - scores[rival] <= 1e-12 and x.any():
            outer = np.outer(x, x)
            A[[target, rival]] += np.diag(x * x) if shape == "diagonal" else outer
            V[target] += x
            V[rival] -= x
        clf.partial_fit([x], [target], classes=[0, 1, 2])
    assert clf.coef_ == near(
        np.linalg.solve(A, V[:, :, None])[:, :, 0], 2000 * np.linalg.cond(A).max()
    )


def test_on_mistakes_alone_full_arow_is_the_second_order_perceptron():
    @dataclass(frozen=True)
    class OnMistakes(rules.AROW):
        required = 0
        equality_violates = True

    X, y, _ = drawn(4, n_rows=150)
    arow = learner(OnMistakes(0.6, "full")).fit(X, y)
    second = learner(rules.SecondOrderPerceptron(0.6, "full")).fit(X, y)
    assert arow.n_corrections_ == second.n_corrections_
    assert arow.coef_ == near(second.coef_, 10**6)
    assert blocks(arow) == near(0.6 * blocks(second), 10**6)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_without_a_common_column_need_no_matrix(shape):
    """One column a row: the diagonal is all there is, and both shapes are one."""
    X, y = np.eye(4)[[0, 1, 2, 3, 0, 1]] * 2, [0, 1, 0, 1, 1, 1]
    for name, parameters in RULES.items():
        clf = learner(rules.get(name, covariance=shape, **parameters), fit_intercept=False)
        other = learner(rules.get(name, **parameters), fit_intercept=False)
        assert clf.fit(X, y).coef_ == near(other.fit(X, y).coef_, 100)


# Worked examples


def test_worked_example_of_arow():
    clf = learner(rules.AROW(r=2.0)).partial_fit([[2, 1]], [1], classes=[0, 1])
    assert weights(clf).tolist() == [[1 / 4, 1 / 8, 1 / 8]]
    assert blocks(clf)[0].diagonal().tolist() == [1 / 2, 7 / 8, 7 / 8]
    clf.partial_fit([[0, 2]], [0])
    assert weights(clf)[0] == near([1 / 4, -103 / 408, -13 / 204], 20)
    twin = CovarianceTwin(rules.AROW(Fraction(2)), "single", 2, 1, Fraction(1))
    twin.present([2, 1], 1)
    twin.present([0, 2], 0)
    assert twin.w == [[Fraction(1, 4), Fraction(-103, 408), Fraction(-13, 204)]]


def test_worked_example_of_the_second_order_perceptron():
    clf = learner(rules.SecondOrderPerceptron())
    table = [([1, 1], 1, [0.5, 0.5, 0.5]), ([1, 0], 0, [0, 0.5, 0]), ([0, 1], 1, [0, 0.5, 0])]
    for x, target, w in table:
        clf.partial_fit([x], [target], classes=[0, 1])
        assert weights(clf)[0] == near(w, 20)
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
            assert weights(clf)[0] == near([float(v) for v in twin.w[0]], 5000)


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
    for i, (x, target) in enumerate(zip(X.tolist(), y, strict=True)):
        if target == 3 and len(twin.w) == 3:
            twin.add_class()
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
    twin.add_class()
    for x, target in zip(X3.tolist(), y3, strict=True):
        twin.present(x, target)
    assert clf.coef_ == near(np.array(twin.w)[:, :-1], 10_000)
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
        assert grown.fitted.state.state.array("sigma").shape == (n + 1, 1)
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
    state = hashed.fitted.state.state
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
    monkeypatch.setattr(memory, "physical_memory", lambda: 16 * 10**9)
    X = sparse.csr_matrix(([1.0, 1.0], ([0, 1], [5, 99_999])), shape=(2, 100_000))
    with pytest.raises(MemoryEstimateError, match=r"74.5 GB.*covariance='diagonal'"):
        learner(rules.AROW(covariance="full")).fit(X, [0, 1])
    learner(rules.AROW()).fit(X, [0, 1])
    monkeypatch.undo()
    with pytest.raises(ValueError, match="size"):
        compiled = engine_rule(rules.AROW(covariance="full"))
        new_state(compiled, "single", 1 << 30, 1, False)
    clf = learner(rules.AROW(covariance="full")).partial_fit([[1.0] * 3000] * 3, [0, 1, 2],
                                                             classes=[0, 1, 2])  # fmt: skip
    monkeypatch.setattr(memory, "physical_memory", lambda: 250 * 10**6)
    with pytest.raises(MemoryEstimateError, match="4 classes"):
        clf.partial_fit([[1.0] * 3000], [3])
