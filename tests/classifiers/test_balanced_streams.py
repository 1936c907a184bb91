"""``class_weight="balanced"`` in streams: by the examples seen so far, however they are cut."""

import numpy as np
import pytest

from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, load
from hardlimit.exceptions import InputError

from ..rounding import near

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(60, 4))
Y = np.array(["a", "b", "c"])[DRAW.choice(3, 60, p=[0.7, 0.2, 0.1])]
CLASSES = ["a", "b", "c"]


def formula(labels):
    """``t / (classes so far * examples of the class so far)``, as it is written."""
    found = []
    for t in range(1, len(labels) + 1):
        seen = list(labels[:t])
        found.append(t / (len(set(seen)) * seen.count(labels[t - 1])))
    return found


@pytest.mark.parametrize("rule", ["perceptron", "passive-aggressive"])
def test_the_formula(rule):
    balanced = LinearClassifier(rule, class_weight="balanced").partial_fit(X, Y, classes=CLASSES)
    weighed = LinearClassifier(rule).partial_fit(X, Y, formula(Y), classes=CLASSES)
    assert np.array_equal(balanced.coef_, weighed.coef_)
    assert not np.array_equal(balanced.coef_, LinearClassifier(rule).partial_fit(X, Y).coef_)


def test_batches_single_rows_and_a_break_give_the_same_bits(tmp_path):
    whole = LinearClassifier(class_weight="balanced").partial_fit(X, Y, classes=CLASSES)
    rows = LinearClassifier(class_weight="balanced")
    for i in range(60):
        rows.partial_fit(X[i : i + 1], Y[i : i + 1], classes=CLASSES)
        if i == 30:
            rows.save(tmp_path / "m")
            rows = load(tmp_path / "m")
    assert np.array_equal(rows.coef_, whole.coef_)


def test_a_fit_counts_and_the_stream_goes_on():
    clf = LinearClassifier(class_weight="balanced", until=None, max_iter=2).fit(X[:40], Y[:40])
    by_hand = LinearClassifier(class_weight="balanced", until=None, max_iter=2)
    by_hand.fit(X[:40], Y[:40]).set_params(class_weight=None)
    clf.partial_fit(X[40:], Y[40:])
    by_hand.partial_fit(X[40:], Y[40:], formula(Y)[40:])
    assert np.array_equal(clf.coef_, by_hand.coef_)


def test_weights_multiply_and_absent_examples_are_not_counted():
    weights = np.arange(60) % 3.0
    present = weights > 0
    clf = LinearClassifier(class_weight="balanced").partial_fit(X, Y, weights, classes=CLASSES)
    other = LinearClassifier()
    scaled = weights[present] * formula(Y[present])
    other.partial_fit(X[present], Y[present], scaled, classes=CLASSES)
    assert np.array_equal(clf.coef_, other.coef_)


def test_a_batch_that_is_refused_is_not_counted():
    clf = LinearClassifier(class_weight="balanced").partial_fit(X[:30], Y[:30], classes=CLASSES)
    bad = X[30:].copy()
    bad[3, 2] = np.nan
    with pytest.raises(InputError):
        clf.partial_fit(bad, Y[30:])
    clf.partial_fit(X[30:], Y[30:])
    whole = LinearClassifier(class_weight="balanced").partial_fit(X, Y, classes=CLASSES)
    assert np.array_equal(clf.coef_, whole.coef_)


def test_a_kernel_weighs_as_the_weights_do(tmp_path):
    settings = {"class_weight": "balanced", "until": None, "max_iter": 2}
    primal = LinearClassifier(**settings).fit(X[:20], Y[:20])
    dual = KernelClassifier("linear", fit_intercept=True, **settings).fit(X[:20], Y[:20])
    for begin in range(20, 60, 10):
        for model in (primal, dual):
            model.partial_fit(X[begin : begin + 10], Y[begin : begin + 10])
        dual.save(tmp_path / "m")
        dual = load(tmp_path / "m")
    assert dual.decision_function(X) == near(primal.decision_function(X), 5000)


def test_a_rule_that_knows_no_weights_refuses():
    with pytest.raises(InputError, match="0 or 1"):
        LinearClassifier("relaxation", class_weight="balanced").partial_fit(X, Y)


def test_texts():
    texts, labels = ["win a prize", "lunch at noon", "see you at lunch", "noon then"], "shhh"
    whole = TextClassifier(class_weight="balanced")
    whole.partial_fit(texts, list(labels))
    assert whole.fitted.state.class_counts.counts == {"s": 1, "h": 3}
