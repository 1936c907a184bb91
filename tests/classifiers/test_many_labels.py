"""M neurons with targets of their own are M fits, bit for bit; what cannot be is refused."""

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier, load
from hardlimit.exceptions import DataWarning, HardlimitError, InputError, KindError

READOUTS = ("last", "averaged", "longest", "pocket", "voted", "random")


def drawn(n_rows=50, n_columns=6, n_labels=3, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.integers(-3, 4, (n_rows, n_columns)).astype(float)
    Y = (X[:, :n_labels] + draw.normal(size=(n_rows, n_labels))) > 0
    return X, Y


def decoder(n_bits):
    """All bits in -1, +1; line m of the output is +1 for the number m alone."""
    n = 2**n_bits
    X = np.array([[(number >> bit & 1) * 2 - 1 for bit in range(n_bits)] for number in range(n)])
    return X, 2 * np.eye(n, dtype=int) - 1


@pytest.mark.parametrize("n_bits", [1, 2, 3])
def test_a_decoder_is_learnt_and_each_neuron_within_its_bound(n_bits):
    X, Y = decoder(n_bits)
    clf = LinearClassifier(order="cyclic", readout="last").fit(X, Y)
    assert clf.stop_reason_ == "separated"
    assert np.array_equal(clf.predict(X), Y)
    # radius^2 = n + 1; <x_m, (x, 1 - n)> separates with margin 1 / sqrt(n + (n - 1)^2)
    bound = (n_bits + 1) * (n_bits + (n_bits - 1) ** 2)
    assert clf.n_corrections_ <= bound * len(X)


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("rule", ["perceptron", "passive-aggressive", "romma", "arow"])
@pytest.mark.parametrize("scale", ["none", "standard"])
def test_many_neurons_are_as_many_fits(rule, readout, scale):
    if rule == "arow" and readout == "voted":
        pytest.skip("its corrections are no multiples of the examples")
    X, Y = drawn()
    settings = {"until": None, "max_iter": 4, "keep": (readout, "last"), "readout": readout}
    many = LinearClassifier(rule, scale=scale, **settings).fit(X, Y)
    if readout == "random":  # each counter draws after the other
        assert many.predict(X).shape == Y.shape
        return
    for m in range(Y.shape[1]):
        one = LinearClassifier(rule, scale=scale, **settings).fit(X, Y[:, m])
        assert np.array_equal(many.decision_function(X)[:, m], one.decision_function(X))
        assert np.array_equal(many.predict(X)[:, m], one.predict(X))
    if readout != "voted":
        assert many.coef_.shape == (3, 6)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random", "worst", "batch"])
def test_orders_and_rest(order):
    X, Y = drawn(n_rows=12)
    Y = X[:, :3] > 0.5
    settings = {"order": order, "readout": "last", "random_state": 3}
    many = LinearClassifier(**settings).fit(X, Y)
    corrections = 0
    for m in range(3):
        one = LinearClassifier(**settings).fit(X, Y[:, m])
        corrections += one.n_corrections_
        assert np.array_equal(many.coef_[m], one.coef_[0])
    assert many.stop_reason_ == "separated"
    assert many.n_corrections_ == corrections  # a neuron that is done rests
    assert many.n_training_errors_ == 0


def test_dense_sparse_batches_and_one_by_one_give_the_same_bits():
    X, Y = drawn()
    whole = LinearClassifier().partial_fit(X, Y)
    rows = LinearClassifier()
    pairs = [(False, True)] * 3
    for i in range(len(X)):
        rows.partial_fit(sparse.csr_matrix(X[i : i + 1]), Y[i : i + 1], classes=pairs)
    batches = LinearClassifier().partial_fit(X[:20], Y[:20]).partial_fit(X[20:], Y[20:])
    for other in (rows, batches):
        assert np.array_equal(other.coef_, whole.coef_)
    for m in range(3):
        one = LinearClassifier().partial_fit(X, Y[:, m], classes=[False, True])
        assert np.array_equal(one.coef_[0], whole.coef_[m])


@pytest.mark.parametrize(
    "values",
    [(0, 1), (-1, 1), (False, True), (0.0, 1.0), ("no", "yes"), (3, 8)],
)
def test_any_two_values_come_back(values, tmp_path):
    X, truth = drawn()
    Y = np.array(values)[truth.astype(int)]
    clf = LinearClassifier(until=None, max_iter=5).fit(X, Y)
    answers = clf.predict(X)
    assert answers.shape == Y.shape and answers.dtype == Y.dtype
    assert clf.score(X, Y) == (answers == Y).all(axis=1).mean()
    assert clf.n_training_errors_ == (answers != Y).any(axis=1).sum()
    clf.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(X).dtype == Y.dtype and np.array_equal(again.predict(X), answers)
    again.partial_fit(X, Y)
    assert np.array_equal(again.coef_, clf.partial_fit(X, Y).coef_)


@pytest.mark.parametrize("make", [set, frozenset, list, tuple])
def test_sets_of_labels(make, tmp_path):
    X, truth = drawn()
    sets = [make(label for label, there in zip("abc", row, strict=True) if there) for row in truth]
    clf = LinearClassifier(until=None, max_iter=5, keep="all", readout="voted").fit(X, sets)
    matrix = LinearClassifier(until=None, max_iter=5, keep="all", readout="voted").fit(X, truth)
    assert clf.classes_.tolist() == ["a", "b", "c"]
    assert np.array_equal(clf.decision_function(X), matrix.decision_function(X))
    answers = clf.predict(X)
    assert answers[0] == tuple(np.array(["a", "b", "c"])[matrix.predict(X)[0]])
    assert clf.score(X, sets) == matrix.score(X, truth)
    assert clf.score(X, answers.tolist()) == 1.0
    clf.save(tmp_path / "m")
    assert load(tmp_path / "m").predict(X).tolist() == answers.tolist()
    with pytest.raises(InputError, match="'d'.*none of the classes"):
        clf.with_readout("last").partial_fit(X[:1], [{"d"}])


def test_tables_and_sparse_targets():
    pandas = pytest.importorskip("pandas")
    X, truth = drawn()
    clf = LinearClassifier().fit(X, pandas.DataFrame(truth, columns=["red", "green", "blue"]))
    assert clf.classes_.tolist() == ["red", "green", "blue"]
    other = LinearClassifier().fit(X, sparse.csr_matrix(truth.astype(int)))
    assert np.array_equal(clf.coef_, other.coef_)


def test_lists_of_lists():
    X = [[0.0], [1.0], [2.0]]
    assert LinearClassifier().fit(X, [[0, 1], [1, 0], [1, 1]]).classes_.tolist() == [0, 1]
    assert LinearClassifier().fit(X, [[5], [5, 7], [7]]).classes_.tolist() == [5, 7]
    assert LinearClassifier().fit(X, [[5, 6], [5, 7], [7, 6]]).classes_.tolist() == [5, 6, 7]
    with pytest.raises(KindError, match="among sets"):
        LinearClassifier().fit(X, [{"a"}, {("b",): 1}, {}])


@pytest.mark.parametrize(
    ("Y", "message"),
    [
        (np.array([[0, 1], [1, 2], [2, 0]]), "column 0 has 3 values .0, 1, 2., wanted two"),
        (np.array([[0.0, np.nan], [1, 0], [1, 1]]), "NaN"),
        (np.array([[5, 0], [5, 1], [5, 1]]), "column 0 holds 5 only.*leave the column out"),
        (np.zeros((2, 2)), "got 2, wanted 3"),
        (np.zeros((3, 0)), "at least one example and one column"),
        ([set(), set(), set()], "no label in any set"),
        ([{"a"}, "b", {"c"}], "'b' among sets of labels"),
        ([{"a"}, {None}, {"c"}], "None"),
    ],
)
def test_targets_that_cannot_be_are_refused(Y, message):
    with pytest.raises(HardlimitError, match=message):
        LinearClassifier().fit([[1.0], [2.0], [3.0]], Y)


def test_a_column_that_never_varies_is_told_and_always_answered():
    X, truth = drawn()
    Y = truth.astype(int)
    Y[:, 1] = 0
    with pytest.warns(DataWarning, match="agree on 1:"):
        clf = LinearClassifier(until=None, max_iter=5).fit(X, Y)
    assert clf.predict(X)[:, 1].tolist() == [0] * len(X)
    with pytest.warns(DataWarning):  # -1 and 1 elsewhere tell what the other value is
        clf = LinearClassifier(until=None, max_iter=5).fit(X, 2 * Y - 1)
    assert set(clf.predict(X)[:, 1].tolist()) == {-1}


def test_a_model_of_one_kind_refuses_the_other():
    X, Y = drawn()
    many, one = LinearClassifier().fit(X, Y), LinearClassifier().fit(X, Y[:, 0])
    sets = LinearClassifier().fit(X, [{"a"}, {"b"}] * 25)
    for clf, y in [(many, Y[:, 0]), (one, Y), (many, [{"a"}] * 50), (sets, Y)]:
        before = clf.coef_.copy()
        with pytest.raises(HardlimitError):
            clf.partial_fit(X, y)
        assert np.array_equal(clf.coef_, before)
    with pytest.raises(InputError, match="got 2 columns, wanted 3"):
        many.partial_fit(X, Y[:, :2])
    with pytest.raises(InputError, match="got 7 in row 0, wanted False or True in column 0"):
        many.partial_fit(X, np.full(Y.shape, 7))
    with pytest.raises(InputError, match="class_weight.*several labels"):
        LinearClassifier(class_weight="balanced").fit(X, Y)


def test_example_weights_reach_every_neuron():
    X, Y = drawn()
    weights = np.arange(len(X)) % 3.0
    many = LinearClassifier(until=None, max_iter=3).fit(X, Y, weights)
    streamed = LinearClassifier().partial_fit(X, Y, weights)
    for m in range(3):
        one = LinearClassifier(until=None, max_iter=3).fit(X, Y[:, m], weights)
        assert np.array_equal(many.coef_[m], one.coef_[0])
        one = LinearClassifier().partial_fit(X, Y[:, m], weights, classes=[False, True])
        assert np.array_equal(streamed.coef_[m], one.coef_[0])


def test_targets_that_lie_column_by_column():
    X, truth = drawn()
    clf, other = (
        LinearClassifier().fit(X, truth),
        LinearClassifier().fit(X, np.asfortranarray(truth)),
    )
    assert np.array_equal(clf.coef_, other.coef_)
    assert np.array_equal(clf.predict(X), other.predict(X))
    more = [one.partial_fit(X, np.asfortranarray(truth)).coef_ for one in (clf, other)]
    assert np.array_equal(*more)
