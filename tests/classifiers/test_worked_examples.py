"""The blackboard's tables, digit for digit."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules

from ..rounding import near

OR = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
OR_TARGETS = [-1, 1, 1, 1]
GATES = {
    # coding, gate: targets, w of the incremental perceptron (bias feature +1), corrections, epochs
    ("+-1", "AND"): ([-1, -1, -1, 1], [1, 1, -1], 1, 2),
    ("+-1", "OR"): ([-1, 1, 1, 1], [1, 1, 1], 3, 2),
    ("+-1", "NAND"): ([1, 1, 1, -1], [-1, -1, 1], 1, 2),
    ("+-1", "NOR"): ([1, -1, -1, -1], [-1, -1, -1], 3, 2),
    ("0/1", "AND"): ([-1, -1, -1, 1], [3, 2, -4], 18, 9),
    ("0/1", "OR"): ([-1, 1, 1, 1], [2, 2, -1], 9, 6),
    ("0/1", "NAND"): ([1, 1, 1, -1], [-3, -2, 4], 18, 9),
    ("0/1", "NOR"): ([1, -1, -1, -1], [-2, -2, 1], 9, 6),
}


def perceptron(**settings):
    return LinearClassifier(rules.Perceptron(), order="cyclic", readout="last", **settings)


def weights(clf):
    """(w, w0) as on the blackboard: the last weight belongs to the bias feature."""
    return [*clf.coef_[0], clf.intercept_[0] / clf.bias_feature]


def test_modified_or_step_by_step():
    """Three corrections, and a clean second round; threshold feature -1."""
    clf = perceptron(bias_feature=-1.0)
    expected = [[1, 1, 1], [2, 0, 0], [1, 1, -1], [1, 1, -1]]
    for x, t, w in zip(OR, OR_TARGETS, expected, strict=True):
        clf.partial_fit([x], [t], classes=[-1, 1])
        assert weights(clf) == w
    assert clf.n_corrections_ == 3
    fitted = perceptron(bias_feature=-1.0).fit(OR, OR_TARGETS)
    assert weights(fitted) == [1, 1, -1]
    assert (fitted.n_iter_, fitted.stop_reason_, fitted.n_training_errors_) == (2, "separated", 0)
    assert [h.mistakes for h in fitted.history_] == [3, 0]


@pytest.mark.parametrize(
    ("averaging", "factor", "expected"),
    [("post", 8, [9, 7, -5]), ("pre", 8, [8, 6, -4]), ("ciml", 9, [9, 7, -5])],
)
def test_modified_or_averages(averaging, factor, expected):
    clf = perceptron(bias_feature=-1.0, averaging=averaging).fit(OR, OR_TARGETS)
    averaged = np.array(weights(clf.with_readout("averaged"))) * factor
    assert averaged == near(expected, 20)


@pytest.mark.parametrize(("coding", "gate"), GATES)
@pytest.mark.parametrize("s", [1.0, -1.0])
def test_gates(coding, gate, s):
    targets, w, corrections, epochs = GATES[coding, gate]
    low = 0 if coding == "0/1" else -1
    X = [[a, b] for a in (low, 1) for b in (low, 1)]
    clf = perceptron(bias_feature=s).fit(X, targets)
    assert weights(clf) == [w[0], w[1], w[2] * s]
    assert (clf.n_corrections_, clf.n_iter_) == (corrections, epochs)


def test_duda_hart_stork_classes_1_and_2():
    """Exercise data of chapter 5, classes 1 and 2: 33 corrections, the ninth epoch is clean."""
    first = [
        (0.1, 1.1), (6.8, 7.1), (-3.5, -4.1), (2.0, 2.7), (4.1, 2.8),
        (3.1, 5.0), (-0.8, -1.3), (0.9, 1.2), (5.0, 6.4), (3.9, 4.0),
    ]  # fmt: skip
    second = [
        (7.1, 4.2), (-1.4, -4.3), (4.5, 0.0), (6.3, 1.6), (4.2, 1.9),
        (1.4, -3.2), (2.4, -4.0), (2.5, -6.1), (8.4, 3.7), (4.1, -2.2),
    ]  # fmt: skip
    X = np.rint(np.array(first + second) * 10)  # tenths as integers: exact
    clf = perceptron(bias_feature=10.0).fit(X, [1] * 10 + [0] * 10)
    assert (clf.n_corrections_, clf.n_iter_) == (33, 9)
    assert np.array(weights(clf)) / 10 == near([-10.2, 11.3, 13.0], 60)


def test_xor_comes_back_to_zero_each_epoch():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    clf = perceptron(until=None, max_iter=7).fit(X, y)
    assert weights(clf) == [0, 0, 0]
    assert [h.mistakes for h in clf.history_] == [4] * 7
    assert clf.stop_reason_ == "max_iter"


def test_setosa_against_versicolor_is_separated():
    """Sepal and petal length in tenths, integers, so that the run is exact."""
    load_iris = pytest.importorskip("sklearn.datasets").load_iris
    X, y = load_iris(return_X_y=True)
    X = np.rint(X[:100][:, [0, 2]] * 10)
    clf = perceptron(until="separated", bias_feature=10.0).fit(X, y[:100])
    assert clf.stop_reason_ == "separated"
    assert clf.history_[-1].mistakes == 0
    assert (clf.predict(X) == y[:100]).all()


def test_multiclass_correction_moves_right_class_and_best_rival():
    """Kesler's construction on three rows, by hand: ties go to the lowest class."""
    clf = perceptron(fit_intercept=False, multiclass="coupled")
    clf.partial_fit([[1, 0]], ["a"], classes=["a", "b", "c"])
    assert clf.coef_.tolist() == [[1, 0], [-1, 0], [0, 0]]
    clf.partial_fit([[1, 1]], ["b"])
    assert clf.coef_.tolist() == [[0, -1], [0, 1], [0, 0]]
    clf.partial_fit([[0, 2]], ["c"])
    assert clf.coef_.tolist() == [[0, -1], [0, -1], [0, 2]]
    assert clf.coef_.sum() == 0
