"""The label of a single row may come in any form that numbers and texts have."""

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier
from hardlimit.exceptions import InputError, KindError

ROWS = np.arange(12.0).reshape(6, 2) % 5
FORMS = [
    lambda label: [label],
    lambda label: (label,),
    lambda label: np.array([label]),
    lambda label: [np.array([label])[0]],
    lambda label: np.array([label], object),
    lambda label: np.array([[label]]),
]


@pytest.mark.parametrize("labels", [[0, 1, 0, 1, 1, 0], list("abbaba"), [True, False] * 3])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_label_is_the_same_stream(form, labels):
    one, whole = LinearClassifier(), LinearClassifier().partial_fit(ROWS, labels)
    for i, label in enumerate(labels):
        one.partial_fit(ROWS[i : i + 1], form(label))
    np.testing.assert_array_equal(one.coef_, whole.coef_)
    np.testing.assert_array_equal(one.classes_, whole.classes_)


def test_what_is_no_label_is_refused_in_a_single_row_too():
    clf = LinearClassifier().partial_fit(ROWS, [0, 1] * 3)
    for label, error in ((np.nan, InputError), (None, InputError), ({}, KindError)):
        with pytest.raises(error, match="labels"):
            clf.partial_fit(ROWS[:1], [label])
    for label in (True, np.True_):
        with pytest.raises(KindError, match="both truth values and numbers"):
            clf.partial_fit(ROWS[:1], [label])
    with pytest.raises(InputError, match="got 2, wanted 1"):
        clf.partial_fit(ROWS[:1], [0, 1])


@pytest.mark.parametrize(
    ("first", "later", "kinds"),
    [
        ([0, 1], ["0", "1"], r"'0' \(text\), .* 0, 1 \(number\)"),
        (["0", "1"], [0, 1], r"0 \(number\), .* '0', '1' \(text\)"),
        (["a", "b"], [b"a", b"b"], r"b'a' \(bytes\)"),
        (["yes", "no"], [True, False], r"True \(truth value\)"),
    ],
)
@pytest.mark.parametrize("cls", [LinearClassifier, KernelClassifier])
def test_a_stream_refuses_labels_of_another_kind(cls, first, later, kinds):
    clf = cls().partial_fit(ROWS[:2], first)
    before = clf.decision_function(ROWS)
    for rows in (ROWS[:2], ROWS[:1]):
        with pytest.raises(KindError, match=f"labels: got {kinds}.*convert"):
            clf.partial_fit(rows, later[: len(rows)])
    with pytest.raises(KindError, match="wanted one of the kind"):
        cls().partial_fit(ROWS[:2], later, classes=first)
    np.testing.assert_array_equal(clf.decision_function(ROWS), before)
    clf.partial_fit(ROWS[:2], first)


def test_a_stream_that_mixed_kinds_in_its_fit_goes_on_with_them():
    clf = LinearClassifier().fit(ROWS[:3], [1, "b", 2.5])
    assert len(clf.partial_fit(ROWS[:2], [7, "c"]).classes_) == 5
