"""Shares and intervals of a page, computed again by the formulas of the books."""

from __future__ import annotations

import html
import math
import re

import numpy as np
import pytest

from hardlimit import LinearClassifier, TextClassifier, describing, reports

from ..rounding import printed
from .conftest import many_classes, text_model, three_classes
from .reading import section, tables, text_of

Z = 1.959963984540054  # the 97.5th percentile of the normal distribution


def wilson(right, n):
    """Wilson's interval of a share, as in his paper of 1927."""
    p = right / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return middle - half, middle + half


def intervals(page, name):
    """Of every row of the tables of a section: its name, and each value with its interval."""
    found = {}
    for row in re.findall(r"<tr>(.*?)</tr>", section(page, name)):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        values = []
        for cell in cells[1:]:
            ends = re.search(r"^([-\d.]+)<small>(.*?) – (.*?)</small>", cell)
            values.append(tuple(map(float, ends.groups())) if ends else None)
        found[html.unescape(re.sub("<[^>]*>", "", cells[0]))] = values
    return found


@pytest.fixture(scope="module", params=[text_model, many_classes, three_classes])
def judged(request):
    model, X, y = request.param()
    return model.predict(X).tolist(), y, reports.report(model, X, y)


def test_accuracy_and_error_have_wilsons_interval(judged):
    predicted, y, page = judged
    right = sum(a == b for a, b in zip(predicted, y, strict=True))
    low, high = wilson(right, len(y))
    found = intervals(page, "held-out")
    assert found["accuracy"][0] == printed((right / len(y), low, high), 4)
    assert found["error"][0] == printed((1 - right / len(y), 1 - high, 1 - low), 4)


def test_precision_and_recall_are_shares_with_wilsons_interval(judged):
    predicted, y, page = judged
    found = intervals(page, "held-out")
    for label in set(y):
        right = sum(a == b == label for a, b in zip(predicted, y, strict=True))
        _, precision, recall, _ = found[str(label)]
        for value, n in ((precision, predicted.count(label)), (recall, y.count(label))):
            if n:
                assert value == printed((right / n, *wilson(right, n)), 4)
            else:
                assert value is None


def test_intervals_hold_their_value_and_lie_within_the_scale(judged):
    *_, page = judged
    rows = intervals(page, "held-out")
    for name, values in rows.items():
        for value, low, high in filter(None, values):
            least = -1 if name == "Matthews correlation" else 0
            assert least <= low <= value <= high <= 1, name


def test_the_summary_has_the_same_interval_as_the_table(judged):
    _, y, page = judged
    value, low, high = intervals(page, "held-out")["accuracy"][0]
    said = text_of(page, "verdict")
    shares = [float(x) for x in re.findall(r"([\d.]+) %", said)]
    assert shares[0] == printed(100 * value, 2)
    assert shares[1] == 95  # of the interval
    # Both ends are printed with two digits, and their difference is looked at.
    assert shares[2:4] == pytest.approx([100 * low, 100 * high], abs=0.011)


def test_macro_f1_is_the_mean_of_the_classes(judged):
    predicted, y, page = judged
    scores = []
    for label in sorted(set(y) | set(predicted), key=str):
        right = sum(a == b == label for a, b in zip(predicted, y, strict=True))
        both = y.count(label) + predicted.count(label)
        scores.append(2 * right / both)
    assert intervals(page, "held-out")["macro-F1"][0][0] == printed(np.mean(scores), 4)


def test_the_matthews_correlation_is_that_of_the_indicators():
    model, X, y = text_model()
    page = reports.report(model, X, y)
    indicators = [np.array([x == "spam" for x in side], float) for side in (model.predict(X), y)]
    wanted = np.corrcoef(*indicators)[0, 1]
    assert intervals(page, "held-out")["Matthews correlation"][0][0] == printed(wanted, 4)


@pytest.mark.parametrize(
    ("remembered", "said"),
    [
        ([["x", 3], ["y", 2]], ["0.2500", "always predicting x"]),  # as a model file has it
        (None, ["0.7500", "always predicting y"]),
    ],
)
def test_the_baseline_is_the_majority_of_training(remembered, said):
    model = TextClassifier(max_iter=2).fit(["a b"] * 3 + ["c d"] * 2, ["x"] * 3 + ["y"] * 2)
    if remembered:
        model.metadata[describing.COUNTS] = remembered
    page = reports.report(model, ["a b", "c d", "c d", "c d"], ["x", "y", "y", "y"])
    rows = {row[0]: row for row in tables(page, "held-out")["On all rows"]}
    assert rows["baseline"][1:] == said


@pytest.mark.parametrize(
    ("right", "said"), [(400, "100 %"), (399, "99.75 %"), (1, "0.25 %"), (0, "0 %")]
)
def test_shares_are_never_rounded_to_all_or_nothing(right, said):
    X = [[1.0]] * 400
    model = LinearClassifier(max_iter=1).fit([[1.0], [-1.0]], [1, 0])
    page = reports.report(model, X, [1] * right + [0] * (400 - right))
    assert f"correct: {said} (" in text_of(page, "verdict")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([1] * 90 + [0] * 10, "these rows do not show that the model is better"),
        ([1] * 50 + [0] * 50, "these rows do not show that the model is better"),
    ],
)
def test_a_constant_model_is_never_called_better(labels, said):
    model = LinearClassifier(max_iter=1).fit([[1.0], [1.5], [-1.0]], [1, 1, 0])
    assert said in text_of(reports.report(model, [[1.0]] * 100, labels), "verdict")


def test_a_model_that_is_turned_round_is_called_worse():
    model = LinearClassifier(max_iter=1).fit([[1.0], [1.5], [-1.0]], [1, 1, 0])
    X = [[-1.0]] * 90 + [[1.0]] * 10
    page = reports.report(model, X, [1] * 90 + [0] * 10)
    assert "significantly worse" in text_of(page, "verdict")
    assert "significantly better" not in text_of(page, "verdict")


@pytest.mark.parametrize(("rows", "warned"), [(1, True), (99, True), (100, False)])
def test_few_rows_are_a_remark(rows, warned):
    model, X, y = text_model()
    said = text_of(reports.report(model, X[:rows], y[:rows]), "verdict")
    assert ("the intervals are wide" in said) == warned
