"""Bad numbers and labels: who, what was given, what was wanted, the mend."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import (
    HardlimitError,
    InputError,
    KindError,
    MemoryEstimateError,
    NotFittedError,
)

from ..rounding import roundings

GOOD = np.array([[1.0, 2.0], [3.0, -4.0], [0.0, 1.0]])
Y = [0, 1, 1]


def with_bad(value, make=np.array):
    X = GOOD.copy()
    X[1, 1] = value
    return make(X)


@pytest.mark.parametrize("make", [np.array, np.float32, sparse.csr_matrix])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_named_by_row_and_column(make, value):
    wanted = "row 1, column 1: X: got (NaN|an infinite value), wanted finite numbers; (drop|clip)"
    with pytest.raises(InputError, match=wanted):
        LinearClassifier().fit(with_bad(value, make), Y)
    clf = LinearClassifier().fit(GOOD, Y)
    with pytest.raises(InputError, match=wanted):
        clf.predict(with_bad(value, make))


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (GOOD, [0, 0, 0], "got 1 class"),
        (GOOD, [0, 1], "got 2, wanted 3"),
        (np.empty((0, 2)), [], "got nothing"),
        ([1.0, 2.0, 3.0], Y, r"X.reshape\(-1, 1\)"),
        (np.zeros((3, 2, 2)), Y, "wanted \\(n_rows, n_columns\\)"),
        ([["a", "b"]] * 3, Y, "texts go to TextClassifier"),
        ([[1, None], [2, 3], [4, 5]], Y, "NaN|number"),
        ([[1, 2], [3], [4, 5]], Y, "."),
        (GOOD, [0, 1, None], "labels: got None"),
        (GOOD, [0.0, 1.0, float("nan")], "labels: got NaN"),
        (GOOD, [1, True, 0], "truth values and numbers"),
        (GOOD, [[[1]], [[0]], [[1, 2]]], "wanted str, int"),
        (GOOD, [0, {1}, [1, 2]], "wanted str, int"),
        (GOOD, [{0}, 1, {2}], "among sets of labels"),
        (GOOD, "abc", "one string"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(X, y, message):
    with pytest.raises(HardlimitError, match=message):
        LinearClassifier().fit(X, y)


def test_sparse_matrices_that_lie_are_refused():
    def matrix(indptr, indices, n_columns=2):
        class Matrix:
            shape = (len(indptr) - 1, n_columns)

        Matrix.indptr, Matrix.indices = np.array(indptr), np.array(indices)
        Matrix.data = np.ones(len(indices))
        return Matrix()

    lies = [
        (matrix([0, 1, 9], [0, 1]), "beyond the values"),
        (matrix([0, 2, 1], [0, 1]), "must not decrease"),
        (matrix([1, 1, 2], [0, 1]), "begin with 0"),
        (matrix([0, 1, 2], [0, 2]), "no such column"),
        (matrix([0, 1, 2], [0, -1]), "no such column"),
    ]
    for X, message in lies:
        with pytest.raises(InputError, match=message):
            LinearClassifier().fit(X, [0, 1])


def test_columns_must_be_those_of_the_fit():
    clf = LinearClassifier().fit(GOOD, Y)
    for call in (clf.predict, clf.decision_function, lambda X: clf.partial_fit(X, Y)):
        with pytest.raises(InputError, match="got 3 columns, wanted 2"):
            call(np.ones((3, 3)))


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: c.predict(GOOD), lambda c: c.decision_function(GOOD), lambda c: c.coef_,
        lambda c: c.classes_, lambda c: c.stop_reason_, lambda c: c.n_corrections_,
        lambda c: c.history_, lambda c: c.with_readout("last"), lambda c: c.n_training_errors_,
    ],
)  # fmt: skip
def test_nothing_is_answered_before_fit(ask):
    with pytest.raises(NotFittedError, match="call fit"):
        ask(LinearClassifier())


def test_new_classes_come_at_any_time_where_they_can():
    clf = LinearClassifier().partial_fit(GOOD, ["b", "b", "b"])
    assert clf.predict(GOOD).tolist() == ["b"] * 3
    clf.partial_fit(GOOD, ["b", "a", "b"]).partial_fit(GOOD, ["z", "a", "new"])
    assert clf.classes_.tolist() == ["b", "a", "z", "new"]
    assert clf.coef_.shape == (4, 2)
    assert np.abs(clf.coef_.sum(0)).max() < roundings(1000) * np.abs(clf.coef_).max()
    ovr = LinearClassifier(multiclass="ovr").fit(GOOD, ["a", "b", "c"])
    with pytest.raises(InputError, match="new class 'd'.*coupled"):
        ovr.partial_fit(GOOD[:1], ["d"])


def test_a_class_born_late_does_not_win_where_it_shares_nothing():
    clf = LinearClassifier("passive-aggressive", fit_intercept=False)
    X = np.eye(4)
    for _ in range(5):
        clf.partial_fit(X[:3], ["a", "b", "c"])
    clf.partial_fit(X[3:], ["late"])
    assert clf.predict(X).tolist() == ["a", "b", "c", "late"]


def test_ties_go_to_the_first_class():
    clf = LinearClassifier().fit(GOOD, ["x", "y", "y"])
    clf.partial_fit([[0.0, 0.0]], ["x"])
    two = LinearClassifier(fit_intercept=False).partial_fit([[1.0]], ["b"], classes=["b", "a"])
    assert two.predict([[0.0]]).tolist() == ["b"]
    three = LinearClassifier(fit_intercept=False)
    three.partial_fit([[1.0]], ["c"], classes=["b", "a", "c"])
    assert three.predict([[0.0]]).tolist() == ["b"]


@pytest.mark.parametrize(
    "labels",
    [["ham", "spam", "spam"], [3, 5, 5], [0.0, 1.0, 1.0], [False, True, True],
     [b"h", b"s", b"s"], np.array(["x", "y", "y"]),
     ["nul\0", "b", "b"]],
)  # fmt: skip
def test_labels_come_back_as_they_went_in(labels):
    clf = LinearClassifier(readout="last").fit(GOOD, labels)
    answers = clf.predict(GOOD).tolist()
    assert set(answers) <= {x.item() if hasattr(x, "item") else x for x in labels}
    assert clf.score(GOOD, labels) == 1.0


def test_pickles_answer_and_learn_on():
    clf = LinearClassifier("passive-aggressive").fit(GOOD, Y)
    copy = pickle.loads(pickle.dumps(clf))
    assert np.array_equal(copy.decision_function(GOOD), clf.decision_function(GOOD))
    assert np.array_equal(copy.partial_fit(GOOD, Y).coef_, clf.partial_fit(GOOD, Y).coef_)


def test_weights_that_overflow_are_an_error():
    with pytest.raises(InputError, match="overflowed; scale"):
        LinearClassifier(rules.PassiveAggressive(C=float("inf")), fit_intercept=False).fit(
            [[1e-160], [-1e-160]], [1, 0]
        )
    with pytest.raises(InputError, match="overflowed; scale"):
        LinearClassifier(fit_intercept=False).fit([[1e308], [1e308], [-1e308]], [1, 1, 0])


def test_more_memory_than_there_is_is_refused_before_it_is_taken():
    n_columns = 2**28
    X = sparse.csr_matrix(([1.0, 1.0], [0, n_columns - 1], [0, 1, 2]), (2, n_columns))
    labels = np.array([[0, 1] * 512, [1, 0] * 512])  # weights of 6 TB
    with pytest.raises(MemoryEstimateError, match="would need .* GB, .*left; use"):
        LinearClassifier().fit(X, labels)
    clf = LinearClassifier().fit(GOOD, Y)
    with pytest.raises(MemoryError):
        LinearClassifier().fit(X, labels)
    assert clf.predict(GOOD).shape == (3,)


def test_kind_errors_are_type_errors_and_input_errors_value_errors():
    with pytest.raises(TypeError):
        LinearClassifier().fit([["a"]], [1])
    with pytest.raises(ValueError, match="class"):
        LinearClassifier().fit(GOOD, [1, 1, 1])
    assert issubclass(KindError, HardlimitError)
