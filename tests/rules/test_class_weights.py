"""A class weight acts for every rule at every C: more of the class is found, or it is refused."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import HardlimitWarning, InputError


def noisy(n=2000, d=8, seed=3):
    """Rows of length 1 of which 6 % are of class 1; a twentieth of the labels is wrong."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.06).astype(int)
    X = rng.normal(size=(n, d)) + 1.2 * y[:, None] * np.r_[np.ones(2), np.zeros(d - 2)]
    wrong = rng.random(n) < 0.03
    return X / np.linalg.norm(X, axis=1, keepdims=True), np.where(wrong, 1 - y, y)


X, Y = noisy()


def variants():
    """Every rule, and those with C (or r) at small, usual and large values."""
    for name in rules.names():
        rule = rules.get(name)
        parameters = [p for p in ("C", "r") if hasattr(rule, p)]
        if not parameters:
            yield pytest.param(rule, id=name)
        for value in (0.01, 0.1, 1.0, 10.0, 1000.0) if parameters else ():
            yield pytest.param(rules.get(name, **{parameters[0]: value}), id=f"{name}-{value}")


def recall(rule, class_weight):
    rows = np.abs(X) if rule.nonnegative else X
    settings = {"multiclass": "ovr"} if rule.alone else {}
    clf = LinearClassifier(
        rule, until=None, max_iter=10, class_weight=class_weight, bias_feature=1.0, **settings
    ).fit(rows, Y)
    return (clf.predict(rows)[Y == 1] == 1).mean()


@pytest.mark.parametrize("rule", list(variants()))
def test_a_heavy_class_is_found_more_often(rule):
    if not rule.weighs:
        with pytest.raises(InputError, match="can only be 0 or 1"):
            recall(rule, {1: 10.0})
        return
    if isinstance(rule, rules.AdaTron) and rule.C > 1:  # as in a support vector machine
        with pytest.warns(HardlimitWarning, match=r"changed nothing.*smaller C"):
            recall(rule, {1: 10.0})
        return
    plain = recall(rule, None)
    assert recall(rule, {1: 10.0}) > plain + 0.1
    assert recall(rule, {0: 0.1}) > plain + 0.1
    assert recall(rule, "balanced") > plain + 0.1


@pytest.mark.parametrize("rule", [rules.PassiveAggressive(), rules.PassiveAggressive2()])
def test_a_heavier_class_is_found_still_more_often(rule):
    found = [recall(rule, {1: weight}) for weight in (1.0, 2.0, 5.0, 20.0, 100.0)]
    assert found == sorted(found) and found[-1] > found[0] + 0.5


@pytest.mark.parametrize("kernel", [False, True])
def test_weights_act_in_a_stream_and_with_a_kernel(kernel):
    make = hl.KernelClassifier if kernel else LinearClassifier
    rows, labels = X[:400], Y[:400]

    def found(class_weight):
        clf = make(rule="passive-aggressive", class_weight=class_weight).partial_fit(rows, labels)
        return (clf.predict(rows) == 1).sum()

    assert found({1: 10.0}) > found(None) + 50


def test_of_three_classes_a_heavy_one_is_found_more_often():
    three = np.where(np.arange(len(Y)) % 2, 2, 0)
    labels = np.where(Y == 1, 1, three)

    def found(class_weight):
        clf = hl.LinearClassifier(
            "passive-aggressive", until=None, max_iter=10, class_weight=class_weight
        ).fit(X, labels)
        return (clf.predict(X)[Y == 1] == 1).mean()

    assert found(None) < found({1: 5.0}) < found({1: 100.0})
