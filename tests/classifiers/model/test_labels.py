"""Labels: refused kinds leave no trace, ties go to the first class, absent rows are not counted."""

import numpy as np
import pytest

from hardlimit import LinearClassifier
from hardlimit.classifiers.model.class_counts import ClassCounts
from hardlimit.classifiers.model.labels import LabelBook, refuse_continuous
from hardlimit.exceptions import InputError, KindError


def test_kinds_that_were_refused_together_may_come_one_by_one():
    book = LabelBook(["a"])
    for mixed in ([1, True], [True, 1], [1.0, False]):
        with pytest.raises(KindError, match="both truth values and numbers"):
            book.check_kinds(mixed)
    book.check_kinds([True, False])
    with pytest.raises(KindError):
        book.check_kinds([1])
    book.check_kinds([True])


@pytest.mark.parametrize("threshold", [0.0, -1.5, 2.0**-1074, 1e300])
def test_a_score_at_the_threshold_is_the_first_class(threshold):
    scores = np.array(
        [np.nextafter(threshold, -np.inf), threshold, np.nextafter(threshold, np.inf)]
    )
    assert LabelBook(["a", "b"]).choose(scores[:, None], threshold).tolist() == [0, 0, 1]
    wrong = LabelBook(["a", "b"]).find_errors(scores[:, None], threshold, np.array([0, 0, 0]))
    assert wrong.tolist() == [False, False, True]


def test_rows_at_the_threshold_are_predicted_as_the_first_class():
    clf = LinearClassifier(fit_intercept=False, readout="last").fit([[1.0], [-2.0]], ["b", "a"])
    assert clf.predict([[0.0], [1e-300], [-1e-300]]).tolist() == ["a", "b", "a"]
    clf.threshold_ = float(clf.decision_function([[1.0]])[0])
    assert clf.predict([[1.0], [1.0000001]]).tolist() == ["a", "b"]


def test_ties_of_many_classes_go_to_the_first():
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0], [3.0, 1.0, 3.0]])
    assert LabelBook("abc").choose(scores, 0.0).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("labels", "known", "refused"),
    [
        ([0.5, 1.0], (), True),
        ([0.5], (1, 2), True),
        ([0.5], ("a", "b"), False),
        ([0.5, "a"], (), False),
        ([0.5], (0.25, 1), False),
        ([1.0, 2.0], (), False),
        ([], (), False),
    ],
)
def test_a_fraction_is_a_name_beside_names_only(labels, known, refused):
    if refused:
        with pytest.raises(InputError, match="targets of a regression"):
            refuse_continuous(labels, known)
    else:
        refuse_continuous(labels, known)


def test_absent_examples_are_not_counted():
    targets, weights = np.array([0, 0, 1, 1, 1]), np.array([1.0, 0.0, 2.0, 0.0, 0.5])
    assert ClassCounts.of(["a", "b"], targets, weights).counts == {"a": 1, "b": 2}
    assert ClassCounts.of(["a", "b"], targets, None).counts == {"a": 2, "b": 3}
