import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from hardlimit.evaluation import figures, wilson_interval
from hardlimit.exceptions import InputError

from ..rounding import near, printed

TRUE = ["a"] * 4 + ["b"] * 3 + ["c"] * 3
SAID = ["a", "a", "a", "b"] + ["b", "b", "a"] + ["c", "b", "b"]


def test_worked_by_hand():
    found = figures(TRUE, SAID)
    assert (found.n, found.right, found.accuracy) == (10, 6, 0.6)
    by_label = {one.label: one for one in found.classes}
    a, b, c = by_label["a"], by_label["b"], by_label["c"]
    assert (a.precision, a.recall, a.f1, a.support, a.predicted) == (3 / 4, 3 / 4, 3 / 4, 4, 4)
    assert (b.precision, b.recall, b.f1, b.support, b.predicted) == (2 / 5, 2 / 3, 1 / 2, 3, 5)
    assert (c.precision, c.recall, c.f1, c.support, c.predicted) == (1, 1 / 3, 1 / 2, 3, 1)
    assert found.macro_f1 == near((3 / 4 + 1 / 2 + 1 / 2) / 3, 20)
    assert found.confusion == {
        ("a", "a"): 3,
        ("a", "b"): 1,
        ("b", "a"): 1,
        ("b", "b"): 2,
        ("c", "b"): 2,
        ("c", "c"): 1,
    }
    assert (found.majority, found.baseline) == ("a", 0.4)
    assert found.unseen == {}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_as_scikit_learn_computes_it(pairs):
    true, said = zip(*pairs, strict=True)
    found = figures(true, said)
    labels = sorted({*true, *said})
    columns = precision_recall_fscore_support(true, said, labels=labels, zero_division=0)
    ours = [(one.precision, one.recall, one.f1, one.support) for one in found.classes]
    assert np.array(ours).T == near(np.array(columns), 20)
    assert found.macro_f1 == near(np.mean(columns[2]), 20)
    matrix = confusion_matrix(true, said, labels=[*labels, 9])
    assert found.confusion == {
        (a, b): matrix[i, j]
        for i, a in enumerate(labels)
        for j, b in enumerate(labels)
        if matrix[i, j]
    }


def test_labels_that_the_model_does_not_know_are_counted_as_wrong():
    found = figures(["x", "new", "new", "y"], ["x", "x", "y", "y"], classes=["y", "x"])
    assert found.unseen == {"new": 2}
    assert found.accuracy == 0.5
    assert [one.label for one in found.classes] == ["y", "x", "new"]
    assert found.classes[2].f1 == 0
    assert "labels that the model does not know, counted as wrong: new (2)" in str(found)


def test_majority_of_the_training_rows():
    found = figures(["a", "a", "b"], ["a", "a", "a"], majority="b")
    assert (found.majority, found.baseline) == ("b", 1 / 3)


@pytest.mark.parametrize(
    ("true", "said"),
    [
        (np.array(["a", "b"]), np.array(["a", "a"])),
        (np.array([1, 2]), [1, 1]),
        (np.array([True, False]), np.array([True, True])),
        ([1.5, 2], [1.5, 1.5]),
        (["1", 1], ["1", "1"]),
        ([b"a", "a"], [b"a", b"a"]),
    ],
)
def test_labels_of_every_kind(true, said):
    found = figures(true, said)
    assert found.accuracy == 0.5
    assert "numpy" not in {type(one.label).__module__ for one in found.classes}


def test_json_and_text():
    found = figures(TRUE, SAID)
    plain = json.loads(json.dumps(found.to_json()))
    assert plain["accuracy"] == 0.6
    assert plain["classes"][0]["precision"] == 0.75
    assert ["a", "b", 1] in plain["confusion"]
    assert str(found).splitlines()[0] == (
        "accuracy 0.6000  (6 of 10; 95% interval 0.3127 to 0.8318)"
    )
    assert "a         0.7500  0.7500  0.7500        4" in str(found)


@pytest.mark.parametrize(
    ("right", "n", "confidence", "low", "high"),
    [
        (81, 263, 0.95, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), Table I
        (15, 148, 0.95, 0.0624, 0.1605),
        (0, 20, 0.95, 0.0, 0.1611),
        (1, 29, 0.95, 0.0061, 0.1718),
        (29, 29, 0.95, 0.8830, 1.0),  # by hand: n / (n + z^2)
    ],
)
def test_wilson(right, n, confidence, low, high):
    found = wilson_interval(right, n, confidence)
    assert found == (printed(low, 4), printed(high, 4))


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_equation(pair):
    """At its ends q the share p is z deviations off: (p - q)^2 = z^2 q (1 - q) / n."""
    right, n = pair
    p, z = right / n, 1.959963984540054
    low, high = wilson_interval(right, n)
    assert 0 <= low <= p <= high <= 1
    for q in (low, high):
        assert (p - q) ** 2 == near(z * z * q * (1 - q) / n, 40, size=1)


@pytest.mark.parametrize(("right", "n", "confidence"), [(1, 0, 0.9), (3, 2, 0.9), (1, 2, 1.0)])
def test_wilson_refuses(right, n, confidence):
    with pytest.raises(InputError, match="wilson_interval|confidence: got"):
        wilson_interval(right, n, confidence)


def test_refusals():
    with pytest.raises(InputError, match="2 labels, but 1 prediction"):
        figures(["a", "b"], ["a"])
    with pytest.raises(InputError, match="no rows to judge"):
        figures([], [])


def test_order_does_not_matter():
    pairs = list(zip(TRUE, SAID, strict=True))
    random.Random(0).shuffle(pairs)
    assert figures(*zip(*pairs, strict=True)) == figures(TRUE, SAID)
