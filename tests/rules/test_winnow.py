"""Positive Winnow: Littlestone's two rules, their tables, their bounds, and what they refuse."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from covariance_twin import WinnowTwin, power
from scipy import sparse

from hardlimit import LinearClassifier, TextClassifier, _native, load, rules
from hardlimit.engine import engine_rule
from hardlimit.exceptions import InputError, NotFittedError

from ..rounding import near

NAMES = ("winnow-1", "winnow-2")


def learner(rule, **settings):
    settings = {"order": "cyclic", "until": None, "max_iter": 3, "readout": "last"} | settings
    return LinearClassifier(rule, **settings)


def drawn(seed, n_rows=60, n_columns=11, n_classes=2, values=(1.0,)):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, n_columns)) * (rng.random((n_rows, n_columns)) < 0.5)
    X = X * rng.choice(values, X.shape)
    X[5] = 0
    return X, rng.integers(0, n_classes, n_rows)


# The loop


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("parameters", [{}, {"alpha": 1.3, "threshold": 2.5}])
@pytest.mark.parametrize(("multiclass", "n_classes"), [("coupled", 2), ("ovr", 4)])
@pytest.mark.parametrize("bias", [1.0, -0.5])
@pytest.mark.parametrize("values", [(1.0,), (0.25, 0.3, 1.0)], ids=["whole", "real"])
def test_the_loop_is_the_twins_bit_for_bit(name, parameters, multiclass, n_classes, bias, values):
    rule = rules.get(name, **parameters)
    X, y = drawn(3, n_classes=n_classes, values=values)
    scheme, n_outputs = ("single", 1) if n_classes == 2 else ("independent", n_classes)
    twin = WinnowTwin(rule, scheme, 11, n_outputs, bias)
    for _ in range(3):
        for x, target in zip(X.tolist(), y, strict=True):
            twin.present(x, target)
    assert sum(twin.corrections) > 5
    for storage in (X, sparse.csr_matrix(X)):
        clf = learner(rule, multiclass=multiclass, bias_feature=bias).fit(storage, y)
        assert clf.coef_.tolist() == [w[:-1] for w in twin.w]
        assert clf.intercept_.tolist() == [-float(rule.threshold or 11)] * n_outputs
        assert clf.n_mistakes_ == twin.mistakes
        assert clf.n_corrections_ == sum(twin.corrections)
    for averaging, total, n in [
        ("post", twin.total_after, 180),
        ("pre", twin.total_before, 180),
        ("ciml", np.array(twin.total_after) + twin.start, 181),
    ]:
        settings = {"averaging": averaging, "readout": "averaged", "bias_feature": bias}
        mean = np.array(total) / n
        clf = learner(rule, multiclass=multiclass, **settings)
        stream = learner(rule, multiclass=multiclass, **settings)
        for _ in range(3):
            stream.partial_fit(X, y, classes=range(n_classes))
        for model in (clf.fit(X, y), stream):
            assert model.coef_ == near(mean[:, :-1], 20_000)
            assert model.intercept_ == near(mean[:, -1] * bias, 20_000)
            scores = (X @ mean[:, :-1].T + mean[:, -1] * bias).T
            found = model.decision_function(X).T.reshape(n_outputs, -1)
            assert found == near(scores, 20_000)


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_asked_through_python_does_the_same(name):
    X, y = drawn(4)
    rule = rules.get(name, alpha=1.5)
    own = type("Own", (type(rule),), {})(1.5)
    assert engine_rule(own).is_python
    assert (learner(rule).fit(X, y).coef_ == learner(own).fit(X, y).coef_).all()
    compiled = _native.compiled_rule(name, rule.compiled_parameters())
    for sign in (-1.0, 1.0):
        assert compiled.change({"y": sign})[0] == rule.tau(sign)


def test_powers_of_whole_numbers_are_products():
    """3 * 0.1 is not representable: products and the library's pow may differ, the loop's must not.

    Beyond 64, and between whole numbers, the library is asked.
    """
    for exponent in (1, 2, 3, 17, 64, 65, 200, 0.5, 2.5):
        clf = learner(rules.Winnow2(alpha=1.1, threshold=1e12))
        clf.partial_fit([[exponent]], [1], classes=[0, 1])
        assert clf.coef_[0, 0] == power(1.1, exponent)


# Tables


def test_winnow_1_step_by_step():
    table = [
        ([1, 0, 0, 0], 1, [2, 1, 1, 1]),
        ([0, 1, 1, 1], 1, [2, 2, 2, 2]),
        ([1, 0, 0, 1], 1, [4, 2, 2, 4]),
        ([0, 0, 1, 1], 0, [4, 2, 0, 0]),
        ([0, 1, 0, 0], 1, [4, 4, 0, 0]),
        ([0, 1, 0, 0], 1, [4, 8, 0, 0]),
        ([1, 0, 0, 0], 1, [8, 8, 0, 0]),
        ([0, 1, 1, 1], 1, [8, 8, 0, 0]),
    ]
    clf = learner(rules.Winnow1())
    for x, target, w in table:
        clf.partial_fit([x], [target], classes=[0, 1])
        assert clf.coef_.tolist() == [w]
        assert clf.intercept_.tolist() == [-4]
    assert clf.n_corrections_ == 7


def test_winnow_2_step_by_step():
    table = [
        ([1, 1, 0, 0], 1, [2, 2, 1, 1]),
        ([1, 1, 0, 0], 1, [4, 4, 1, 1]),
        ([0, 1, 1, 0], 0, [4, 2, 0.5, 1]),
        ([1, 0, 0, 0], 1, [8, 2, 0.5, 1]),
        ([1, 1, 0, 0], 1, [8, 2, 0.5, 1]),
        ([0, 1, 1, 0], 0, [8, 2, 0.5, 1]),
    ]
    clf = learner(rules.Winnow2())
    for x, target, w in table:
        clf.partial_fit([x], [target], classes=[0, 1])
        assert clf.coef_.tolist() == [w]
    assert clf.n_corrections_ == 4


def test_the_or_of_two_columns_through_the_origin_of_the_blackboard():
    X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1]
    clf = learner("winnow-2", until="separated").fit(X, y)
    assert (clf.coef_.tolist(), clf.n_corrections_) == ([[4, 4]], 4)


@pytest.mark.parametrize(("name", "demoted"), [("winnow-1", 0.0), ("winnow-2", 0.5)])
def test_a_score_of_zero_is_a_mistake_for_either_class(name, demoted):
    for target, w in ((1, 2.0), (0, demoted)):
        clf = learner(rules.get(name, threshold=2)).partial_fit([[1, 1]], [target], classes=[0, 1])
        assert clf.coef_.tolist() == [[w, w]]
        assert clf.n_mistakes_ == 1


def test_answers_are_exact_on_fractions():
    assert rules.Winnow2(Fraction(2)).tau(-1) == Fraction(1, 2)
    assert isinstance(rules.Winnow2(Fraction(2)).tau(-1), Fraction)
    assert rules.Winnow1(Fraction(2)).tau(-1) == 0


def test_rows_that_cannot_move_a_weight_are_mistakes_without_correction():
    clf = learner("winnow-1", fit_intercept=True)
    clf.partial_fit([[0, 0]], [1], classes=[0, 1])
    assert (clf.n_mistakes_, clf.n_corrections_) == (1, 0)
    clf.partial_fit([[2, 0]], [0])  # eliminated
    clf.partial_fit([[2, 0]], [1])
    assert (clf.n_mistakes_, clf.n_corrections_) == (3, 1)
    assert clf.coef_.tolist() == [[0, 1]]


# Bounds


def bound_of(rule, n, relevant):
    return rule.mistake_bound(rules.Geometry(1.0, 0.1, n_columns=n, relevant=relevant)).value


def test_the_bounds_of_the_paper():
    assert bound_of(rules.Winnow1(), 64, 3) == 1 + 2 * 3 * 7
    assert bound_of(rules.Winnow2(), 64, 3) == 2 + 3 * 3 * 7
    assert bound_of(rules.Winnow1(3.0, 9.0), 18, 1) == near(3 * (1 + 2) + 2, 40)


SETTINGS = [(2.0, None), (1.2, None), (4.0, None), (2.0, 3.0), (1.5, 0.25), (3.0, 200.0)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("alpha", "threshold"), SETTINGS)
def test_mistakes_on_disjunctions_stay_below_the_bound(name, alpha, threshold):
    """On any sequence of examples of an OR: rows drawn sparse and dense, epoch after epoch."""
    rng = np.random.default_rng(0)
    rule, nearest = rules.get(name, alpha=alpha, threshold=threshold), 0.0
    for n, r in [(8, 1), (32, 3), (128, 2), (100, 7)]:
        for density in (1.5 / n, 0.1, 0.5, 0.9):
            X = (rng.random((300, n)) < density).astype(float)
            X = np.concatenate([X, np.eye(n)[:r], np.zeros((1, n))])
            y = X[:, :r].any(1).astype(int)
            clf = learner(rule, order="shuffled", max_iter=200).fit(X, y)
            nearest = max(nearest, clf.n_mistakes_ / bound_of(rule, n, r))
    assert 0.1 < nearest <= 1


@pytest.mark.parametrize("name", NAMES)
def test_mistakes_against_an_adversary_stay_below_the_bound(name):
    """Whoever picks the row on which the present weights err, as often as there is one."""
    rng = np.random.default_rng(1)
    for n, r in [(16, 1), (16, 3), (64, 2)]:
        clf = learner(name).partial_fit([[0.0] * n], [0], classes=[0, 1])
        for _ in range(1000):
            w = clf.coef_[0]
            positive, negative = np.zeros(n), np.zeros(n)
            positive[np.argmin(w[:r])] = 1
            others = r + rng.permutation(n - r)
            negative[others] = 1
            for j in others:  # as few columns as still err
                if (w @ negative) - w[j] >= n:
                    negative[j] = 0
            rows = [(positive, 1)] * int(w @ positive <= n) + [(negative, 0)] * int(
                w @ negative >= n
            )
            if not rows:
                break
            x, y = rows[rng.integers(len(rows))]
            clf.partial_fit([x], [y])
        else:
            pytest.fail("the adversary found rows for ever")
        bound = bound_of(rules.get(name), n, r)
        assert 0.2 * bound < clf.n_mistakes_ <= bound


@pytest.mark.parametrize("name", NAMES)
def test_bounds_that_are_not_there_say_why(name):
    rule = rules.get(name)
    assert "separable" in rule.mistake_bound(rules.Geometry(1.0, 0.0)).reason
    bound = rule.mistake_bound(rules.Geometry(1.0, 0.5, n_columns=10))
    assert bound.value is None
    assert "OR" in bound.reason


def test_winnow_needs_few_examples_where_few_columns_matter():
    """Where the perceptron's mistakes grow with the columns, Winnow's grow with their logarithm."""
    rng = np.random.default_rng(5)
    X = (rng.random((600, 400)) < 0.5).astype(float)
    y = X[:, :1].any(1).astype(int)
    winnow = learner("winnow-2", max_iter=1).fit(X, y)
    assert winnow.n_mistakes_ < learner("perceptron", max_iter=1).fit(X, y).n_mistakes_ / 3


# Models


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("multiclass", "n_classes"), [("coupled", 2), ("ovr", 3)])
def test_saved_pickled_and_continued_bit_for_bit(name, multiclass, n_classes, tmp_path):
    X, y = drawn(8, n_classes=n_classes)
    rule = rules.get(name, alpha=1.5)
    assert rules.from_json(json.loads(json.dumps(rules.to_json(rule)))) == rule
    clf = learner(rule, multiclass=multiclass).fit(X, y)
    clf.save(tmp_path / "m.hardlimit")
    loaded, pickled = load(tmp_path / "m.hardlimit"), pickle.loads(pickle.dumps(clf))
    more, labels = drawn(9, n_classes=n_classes)
    for model in (clf, loaded, pickled):
        model.partial_fit(more, labels)
    ones = learner(rule, multiclass=multiclass, max_iter=1)
    for _ in range(3):
        ones.partial_fit(X, y, classes=range(n_classes))
    for i in range(len(more)):
        ones.partial_fit(sparse.csr_matrix(more[i : i + 1]), labels[i : i + 1])
    for other in (loaded, pickled, ones):
        for readout in ("last", "averaged"):
            a, b = other.with_readout(readout), clf.with_readout(readout)
            assert (a.coef_ == b.coef_).all()
            assert (a.intercept_ == b.intercept_).all()
    assert loaded.rule == rule


# What is refused


@pytest.mark.parametrize("name", NAMES)
def test_negative_features_are_named(name):
    X = np.ones((3, 4))
    X[1, 2] = -0.5
    for storage in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        with pytest.raises(InputError, match=r"row 1, column 2: .*got -0.5, wanted.*max\(-x, 0\)"):
            learner(name).fit(storage, [0, 1, 1])
    clf = learner(name)
    with pytest.raises(InputError, match="row 1, column 2"):
        clf.partial_fit(X, [0, 1, 1], classes=[0, 1])
    with pytest.raises(NotFittedError):
        clf.predict(X)
    clf.partial_fit(abs(X), [0, 1, 1])
    before = clf.coef_
    with pytest.raises(InputError, match="row 1, column 2"):
        clf.partial_fit(X, [0, 1, 1])
    assert (clf.coef_ == before).all()
    clf.fit(abs(X), [0, 1, 1], sample_weight=[1, 0, 1])
    learner("perceptron").fit(X, [0, 1, 1])


@pytest.mark.parametrize("name", NAMES)
def test_what_the_threshold_rules_out(name):
    X, y = np.eye(3), [0, 1, 1]
    with pytest.raises(InputError, match="got fit_intercept=False: the rule holds"):
        learner(name, fit_intercept=False).fit(X, y)
    with pytest.raises(InputError, match="multiclass='coupled' with 3 classes.*'ovr'"):
        learner(name).fit(X, [0, 1, 2])
    learner(name, multiclass="ovr").fit(X, [0, 1, 2])
    clf = learner(name).partial_fit(X, y, classes=[0, 1])
    before = clf.coef_
    with pytest.raises(InputError, match="third class.*multiclass='ovr'"):
        clf.partial_fit(X, [0, 1, 2])
    assert (clf.coef_ == before).all()
    with pytest.raises(InputError, match="0 or 1 here, since a factor has no parts"):
        learner(name).fit(X, y, sample_weight=[1, 2, 1])


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_that_starts_with_one_class_starts_at_one(name):
    clf = learner(name).partial_fit([[1, 0, 1]], ["a"]).partial_fit([[0, 1, 1]], ["b"])
    assert clf.coef_.tolist() == [[1, 2, 2]]
    assert clf.intercept_.tolist() == [-3]


@pytest.mark.parametrize("name", NAMES)
def test_texts_whose_columns_may_grow(name):
    texts, labels = ["good fun", "bad luck"], [1, 0]
    fitted = TextClassifier(rule=name, readout="last").fit(texts, labels)
    for clf in (fitted, TextClassifier(rule=name)):
        with pytest.raises(InputError, match="need to know the columns; use hash_bits"):
            clf.partial_fit(["fine fun"], [1], classes=[0, 1])
    hashed = TextClassifier(rule=name, hash_bits=8, idf=None, norm=None, tf="binary")
    for _ in range(2):
        hashed.partial_fit(texts, labels, classes=[0, 1])
    assert hashed.n_mistakes_ > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 1}, "alpha=1, wanted a finite number > 1"),
        ({"alpha": 0.5}, "alpha=0.5"),
        ({"alpha": float("nan")}, "alpha=nan"),
        ({"alpha": float("inf")}, "alpha=inf"),
        ({"alpha": "2"}, "alpha='2'"),
        ({"threshold": 0}, "threshold=0, wanted a number > 0"),
        ({"threshold": -3.0}, "threshold=-3.0"),
        ({"threshold": float("inf")}, "threshold=inf"),
        ({"threshold": "4"}, "threshold='4'"),
    ],
)
def test_parameters_out_of_range(name, parameters, message):
    with pytest.raises(InputError, match=message):
        rules.get(name, **parameters)


def test_weights_that_overflow_are_told():
    with pytest.raises(InputError, match="overflow"):
        learner(rules.Winnow2(threshold=1e300)).fit([[5000.0], [0.0]], [1, 0])
