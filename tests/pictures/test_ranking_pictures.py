"""ROC, precision-recall and confusion: worked by hand, and against scikit-learn."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn import metrics

from hardlimit import pictures
from hardlimit.exceptions import InputError

from ..rounding import near

# Six rows; two tied at 0.4, one of each class.
Y = [0, 0, 1, 0, 1, 1]
SCORES = [0.1, 0.35, 0.4, 0.4, 0.6, 0.8]


def test_the_curve_worked_by_hand():
    data = pictures.roc(Y, SCORES, threshold=0.5).data
    assert data["recall"] == [0, 1 / 3, 2 / 3, 1, 1, 1]
    assert data["false_positive_rate"] == [0, 0, 0, 1 / 3, 2 / 3, 1]
    assert data["threshold"][:5] == [0.8, 0.6, 0.4, 0.35, 0.1]
    # Nine pairs: eight right, one tied.
    assert data["auc"] == near(8.5 / 9, 200)
    assert data["auc_interval"][0] < data["auc"] < data["auc_interval"][1]
    mark = {"threshold": 0.5, "false_positive_rate": 0.0, "recall": 2 / 3, "precision": 1.0}
    assert data["mark"] == mark
    data = pictures.precision_recall(Y, SCORES).data
    assert data["precision"] == [1, 1, 1, 3 / 4, 3 / 5, 3 / 6]
    assert data["average_precision"] == (1 + 1 + 3 / 4) / 3


@pytest.mark.parametrize(
    ("threshold", "recall"), [(9, 0), (0.8, 0), (0.7999, 1 / 3), (0.4, 2 / 3), (0.39, 1), (-9, 1)]
)
def test_the_mark_calls_positive_what_lies_above(threshold, recall):
    mark = pictures.roc(Y, SCORES, threshold=threshold).data["mark"]
    assert mark["recall"] == recall
    above = [y for y, score in zip(Y, SCORES, strict=True) if score > threshold]
    assert mark["recall"] * 3 == sum(above)
    assert mark["false_positive_rate"] * 3 == near(len(above) - sum(above), 200)


@pytest.mark.parametrize("seed", range(20))
def test_scikit_learn_finds_the_same_areas(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 40), [0, 1])
    scores = np.round(rng.normal(size=42), seed % 3)  # many ties, some, hardly any
    assert pictures.roc(y, scores).data["auc"] == near(metrics.roc_auc_score(y, scores), 200)
    found = pictures.precision_recall(y, scores).data["average_precision"]
    assert found == near(metrics.average_precision_score(y, scores), 200)


def test_the_order_of_tied_rows_does_not_matter():
    rows = list(zip(Y * 5, [0.5] * 20 + [0.7] * 10, strict=True))
    first = pictures.roc(*zip(*rows, strict=True)).data
    random.Random(0).shuffle(rows)
    assert pictures.roc(*zip(*rows, strict=True)).data == first
    assert pictures.roc([0, 1, 0, 1], [1.0] * 4).data["auc"] == 0.5


def test_one_class_against_the_rest():
    y, scores = ["a", "b", "c", "a"], [2.0, 1.0, 0.0, 0.5]
    assert pictures.roc(y, scores, positive="a").data["auc"] == 0.75
    with pytest.raises(InputError, match="3 classes, wanted two, or positive"):
        pictures.roc(y, scores)
    with pytest.raises(InputError, match="got positive='d', wanted the label of a row"):
        pictures.roc(y, scores, positive="d")


@pytest.mark.parametrize("scores", [[1.0, float("nan")], [1.0], [1.0, float("inf")]])
def test_bad_scores_are_refused(scores):
    with pytest.raises(InputError):
        pictures.roc([0, 1], scores)


def test_many_rows_make_a_small_drawing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    picture = pictures.roc(y, rng.normal(size=20_000) + y)
    assert len(picture.data["recall"]) == 20_001
    assert len(picture.svg()) < 200_000


def test_the_counts_of_a_confusion_and_its_order():
    picture = pictures.confusion(list("aabbc"), list("abbca"), classes=list("cba"))
    assert picture.data["classes"] == ["c", "b", "a"]
    assert picture.data["counts"] == [[0, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert picture.data["right"] == 2 and picture.data["rows"] == 5


def test_many_classes_are_drawn_without_their_names():
    y = [f"class {i:03}" for i in range(60)]
    svg = pictures.confusion(y, y).svg()
    assert "class 001" not in svg and "60 classes in order" in svg
