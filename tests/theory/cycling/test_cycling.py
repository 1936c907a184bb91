"""Runs that go round: what is said of them is true, and nothing else is said."""

import warnings

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, guards, orders, rules, schedules, textbook
from hardlimit.exceptions import ConvergenceWarning

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
XOR = [0, 1, 1, 0]


def drawn(seed, n=7, d=2, classes=2, span=3):
    """Small integer rows with labels drawn at random: mostly not separable."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-span, span + 1, (n, d)).astype(float)
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    return X, y


def cyclic(rule="perceptron", **settings):
    return LinearClassifier(rule, order="cyclic", **{"max_iter": 3000} | settings)


def sparse(X):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    return scipy_sparse.csr_array(X)


@pytest.mark.parametrize("bias", [1.0, -1.0])
@pytest.mark.parametrize("rows", [CORNERS, 2 * CORNERS - 1, CORNERS / 4, CORNERS.astype("f4")])
@pytest.mark.parametrize("make", [np.asarray, sparse])
def test_xor_comes_round_after_one_epoch(rows, bias, make):
    clf = cyclic(bias_feature=bias).fit(make(rows), XOR)
    assert (clf.stop_reason_, clf.n_iter_, clf.cycle_) == ("cycling", 1, (1, 4))
    assert (clf.cycle_.epochs, clf.cycle_.corrections) == (1, 4)
    assert not clf.with_readout("last").coef_.any()


def epochs_of(clf, X, y, n):
    """The weights after each epoch of a run that has no aim, the zeros at the start first."""
    found = [np.zeros((clf.fit(X, y).coef_.shape[0], X.shape[1] + 1))]
    for epochs in range(1, n + 1):
        one = cyclic(clf.rule, until=None, max_iter=epochs, readout="last").fit(X, y)
        found.append(np.column_stack([one.coef_, one.intercept_]))
    return found


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_the_period_is_the_shortest_and_the_weights_are_those_of_as_many_epochs(seed, classes):
    X, y = drawn(seed, n=6, classes=classes)
    clf = cyclic(readout="last").fit(X, y)
    assert clf.stop_reason_ in ("cycling", "separated")
    if clf.stop_reason_ == "separated":
        return
    n, period = clf.n_iter_, clf.cycle_.epochs
    if n > 80:
        pytest.skip("a long way to the cycle")
    seen = epochs_of(clf, X, y, n)
    assert np.array_equal(seen[n], np.column_stack([clf.coef_, clf.intercept_]))
    same = [e for e in range(n) if np.array_equal(seen[e], seen[n])]
    assert n - same[-1] == period
    assert clf.cycle_.corrections == sum(r.corrections for r in clf.history_[n - period :])


@pytest.mark.parametrize("rule", ["perceptron", rules.MarginPerceptron(1), rules.PAUM(2, 1)])
@pytest.mark.parametrize("seed", range(8))
def test_the_textbook_says_the_same(seed, rule):
    X, y = drawn(seed)
    clf = cyclic(rule, readout="last").fit(X, y)
    ex = textbook.examples(X, y, bias_feature=1, number=int)
    outcome = textbook.run(textbook.incremental(ex, rule, max_iter=3000)).outcome
    assert (outcome.reason, outcome.epochs) == (clf.stop_reason_, clf.n_iter_)
    assert outcome.cycle == clf.cycle_ and outcome.corrections == clf.n_corrections_
    assert (*clf.coef_[0], clf.intercept_[0]) == outcome.w


@pytest.mark.parametrize("seed", range(6))
def test_the_textbook_says_the_same_of_coupled_classes_and_of_batches(seed):
    X, y = drawn(seed, n=5, classes=3)
    clf = cyclic(readout="last").fit(X, y)
    run = textbook.coupled(X, y.tolist(), bias_feature=1, number=int, max_iter=3000)
    outcome = textbook.run(run).outcome
    assert (outcome.reason, outcome.epochs) == (clf.stop_reason_, clf.n_iter_)
    assert outcome.cycle == clf.cycle_
    X, y = drawn(seed)
    clf = LinearClassifier(order="batch", readout="last", max_iter=3000).fit(X, y)
    ex = textbook.examples(X, y, bias_feature=1, number=int)
    outcome = textbook.run(textbook.batch(ex, max_iter=3000)).outcome
    assert (outcome.reason, outcome.cycle) == (clf.stop_reason_, clf.cycle_)


@pytest.mark.parametrize("seed", range(20))
def test_a_cycle_is_a_certificate(seed):
    """The corrections of a period, as multipliers, add the signed rows up to zero, exactly."""
    X, y = drawn(seed)
    ex = textbook.examples(X, y, bias_feature=1, number=int)
    steps, outcome = textbook.run(textbook.incremental(ex, max_iter=3000))
    if outcome.reason != "cycling":
        assert outcome.reason == "separated"
        return
    last = [s for s in steps if s.epoch > outcome.epochs - outcome.cycle.epochs]
    counts = [sum(s.example == i and s.corrected for s in last) for i in range(len(X))]
    assert sum(counts) == outcome.cycle.corrections > 0
    columns = zip(*ex.signed, strict=True)
    assert all(sum(c * v for c, v in zip(counts, column, strict=True)) == 0 for column in columns)


def test_separable_examples_never_come_round():
    rng = np.random.default_rng(5)
    for _ in range(30):
        X = rng.integers(-9, 10, (30, 3)).astype(float)
        scores = X @ rng.normal(size=3) + rng.normal()
        assert cyclic().fit(X, (scores > np.median(scores))).stop_reason_ == "separated"


def test_weights_that_swallow_what_is_added_are_no_cycle():
    """Floats stand still on a separable set: 2^56 - 2 is 2^56. That proves nothing."""
    X, y = [[2.0**56, 2.0**55], [2, -1]], [1, 0]  # signed: (2^56, 2^55), (-2, 1); (0, 1) separates
    clf = cyclic(fit_intercept=False, max_iter=50).fit(X, y)
    assert (clf.stop_reason_, clf.cycle_) == ("max_iter", None)
    # Values that are small enough, and weights that grow too large: 7 * 2^52 - 1 is 7 * 2^52.
    X = [[2.0**52, 2.0**52]] * 8 + [[1, -1]]
    rule = rules.MarginPerceptron(b=2.0**107)
    clf = cyclic(rule, fit_intercept=False, max_iter=50, readout="last").fit(X, [1] * 8 + [0])
    assert clf.history_[-1].corrections == 1 and clf.coef_[0, 0] == clf.coef_[0, 1] > 2.0**54
    assert (clf.stop_reason_, clf.cycle_) == ("max_iter", None)


@pytest.mark.parametrize("order", ["cyclic", "batch"])
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0, 3], [-2, -1], [-2, 1], [-1, 3]], [1, 0, 1, 0]),
        ([[-2, 2], [1, 2], [-1, 2], [2, 1]], [0, 1, 1, 0]),
    ],
)
def test_as_much_as_may_be_added_up_without_rounding(X, y, order):
    """Up to 2^53 in a weight, were every row of every correction the largest; beyond, nothing."""

    def fit(size):
        clf = LinearClassifier("perceptron", order=order, fit_intercept=False, max_iter=60)
        return clf.fit(np.array(X, float) * size, y)

    once = fit(1)
    rows = len(X) if order == "batch" else 1
    most = 2**53 // (np.abs(X).max() * rows * int(once.n_corrections_))
    largest = 2.0 ** (int(most).bit_length() - 1)
    assert once.cycle_ and fit(largest).cycle_ == once.cycle_
    assert fit(2 * largest).stop_reason_ == "max_iter"


@pytest.mark.parametrize(
    "settings",
    [
        {"order": "shuffled"},
        {"order": "random"},
        {"until": None},
        {"until": "margin"},
        {"schedule": "1/step"},
        {"schedule": 0.1},
        {"rule": "passive-aggressive"},
        {"rule": "romma"},
        {"class_weight": {0: 1, 1: 3}},
    ],
)
@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ConvergenceWarning")
def test_elsewhere_all_epochs_are_run(settings):
    settings = {"order": "cyclic", "max_iter": 40} | settings
    clf = LinearClassifier(**settings).fit(CORNERS, XOR)
    assert (clf.stop_reason_, clf.cycle_, clf.n_iter_) == ("max_iter", None, 40)


def test_fractions_that_floats_round_are_left_alone_and_the_textbook_sees_them():
    X, y = CORNERS / 10, XOR
    assert cyclic(max_iter=30).fit(X, y).stop_reason_ == "max_iter"
    assert textbook.trace(X, y, bias_feature=1).stop_reason == "cycling"  # 0.1 is 1/10 there
    ex = textbook.examples(X, y, bias_feature=1, number=float)
    assert textbook.run(textbook.incremental(ex, max_iter=9)).outcome.reason == "max_iter"


def test_neurons_of_their_own_are_not_watched_so_that_threads_change_no_bit():
    X, y = np.zeros((3, 1)), [0, 1, 2]  # each neuron goes round
    one = hl.PerceptronClassifier(order="cyclic", multiclass="ovr", max_iter=40).fit(X, y)
    two = hl.PerceptronClassifier(order="cyclic", multiclass="ovr", max_iter=40, n_jobs=2)
    assert np.array_equal(two.fit(X, y).coef_, one.coef_) and one.stop_reason_ == "max_iter"


def test_constant_steps_margins_and_zero_rows():
    for settings in (
        {"schedule": schedules.Constant(0.5)},
        {"guard": guards.Margin(2)},
        {"rule": rules.MarginPerceptron(b=0.1)},
        {"order": orders.Batch("sum"), "rule": rules.MarginPerceptron(1)},
    ):
        settings = {"order": "cyclic", "max_iter": 3000} | settings
        assert LinearClassifier(**settings).fit(CORNERS, XOR).stop_reason_ in ("cycling", "stalled")
    zero = cyclic(fit_intercept=False).fit([[0, 0], [1, 1]], [1, 0])
    assert (zero.stop_reason_, zero.cycle_) == ("cycling", (1, 1))


def test_absent_examples_do_not_count():
    X = np.vstack([CORNERS, [[0.1, 0.3]]])
    clf = cyclic().fit(X, [*XOR, 1], sample_weight=[1, 1, 1, 1, 0])
    assert (clf.stop_reason_, clf.cycle_) == ("cycling", (1, 4))


def test_every_read_out_still_answers():
    X, y = drawn(4, n=12)
    clf = LinearClassifier(order="cyclic", keep="all", max_iter=3000).fit(X, y)
    assert clf.stop_reason_ == "cycling"
    n = clf.n_iter_
    plain = LinearClassifier(order="cyclic", keep="all", until=None, max_iter=n).fit(X, y)
    for name in ("last", "averaged", "longest", "pocket", "pocket-ratchet", "voted", "random"):
        a, b = clf.with_readout(name), plain.with_readout(name)
        assert np.array_equal(a.decision_function(X), b.decision_function(X))


def test_what_was_asked_for_and_not_reached_warns_with_the_period():
    with pytest.warns(ConvergenceWarning, match=r"cycling after 1 epoch, with period 1 \(4 corr"):
        cyclic(until="separated").fit(CORNERS, XOR)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cyclic().fit(CORNERS, XOR)


def test_a_model_file_keeps_the_period(tmp_path):
    clf = cyclic().fit(CORNERS, XOR)
    clf.save(tmp_path / "xor.hardlimit")
    found = hl.load(tmp_path / "xor.hardlimit")
    assert (found.stop_reason_, found.cycle_) == ("cycling", (1, 4))
    clf = cyclic().fit(CORNERS, [0, 1, 1, 1])
    clf.save(tmp_path / "or.hardlimit")
    assert hl.load(tmp_path / "or.hardlimit").cycle_ is None


def test_texts_that_contradict_each_other_come_round():
    counts = {"tf": "raw", "idf": None, "norm": None, "block_weights": None, "bias_feature": 1.0}
    clf = hl.TextClassifier(
        rule="perceptron", order="cyclic", until="separated", max_iter=10, **counts
    )
    with pytest.warns(ConvergenceWarning, match="cycling"):
        clf.fit(["a a b", "a a b", "c"], ["x", "y", "x"])
    assert clf.stop_reason_ == "cycling"
