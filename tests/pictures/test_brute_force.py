"""The data of pictures, counted again without their shortcuts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit import LinearClassifier, certify, cones, criteria, pictures, textbook

from ..rounding import near, roundings
from .gallery import MODIFIED_OR, exercise, four_classes, in_two_weights

scored = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(-3, 3).map(float)), min_size=2, max_size=25
).filter(lambda rows: len({label for label, _ in rows}) == 2)


def counts_above(rows, threshold):
    """True and false positives of "b" where the score is at least the threshold"."""
    yes = [label for label, score in rows if score >= threshold]
    return yes.count("b"), yes.count("a")


@given(scored)
def test_roc_has_a_point_for_every_threshold(rows):
    y, scores = zip(*rows, strict=True)
    data = pictures.roc(y, scores).data
    n_b, n_a = y.count("b"), y.count("a")
    wanted = [(0.0, 0.0)]
    for threshold in sorted(set(scores), reverse=True):
        true, false = counts_above(rows, threshold)
        wanted.append((false / n_a, true / n_b))
    assert list(zip(data["false_positive_rate"], data["recall"], strict=True)) == wanted
    pairs = [(p > q) + (p == q) / 2 for a, p in rows if a == "b" for b, q in rows if b == "a"]
    assert data["auc"] == near(sum(pairs) / len(pairs), 20)


@given(scored)
def test_precision_and_recall_of_every_threshold(rows):
    y, scores = zip(*rows, strict=True)
    data = pictures.precision_recall(y, scores).data
    last, area = 0.0, 0.0
    for k, threshold in enumerate(sorted(set(scores), reverse=True), start=1):
        true, false = counts_above(rows, threshold)
        recall, precision = true / y.count("b"), true / (true + false)
        assert data["recall"][k] == recall and data["precision"][k] == precision
        area, last = area + (recall - last) * precision, recall
    assert data["average_precision"] == near(area, 200)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1))
def test_confusion_counts_pairs(pairs):
    y, predicted = zip(*pairs, strict=True)
    data = pictures.confusion(y, predicted).data
    for i, true in enumerate(data["classes"]):
        for j, said in enumerate(data["classes"]):
            assert data["counts"][i][j] == pairs.count((true, said))
    assert sum(map(sum, data["counts"])) == data["rows"] == len(pairs)
    assert data["right"] == sum(a == b for a, b in pairs)


def test_margins_are_distances_from_the_line():
    X, y = exercise()
    clf = LinearClassifier(order="cyclic", readout="last", max_iter=20).fit(X, y)
    data = pictures.margin_distribution(clf, X, y).data
    (a, b), c = clf.coef_[0], clf.intercept_[0]
    margins = []
    for (p, q), label in zip(X, y, strict=True):
        side = 1 if label == clf.classes_[1] else -1
        margins.append(side * (a * p + b * q + c) / math.hypot(a, b))
    assert data["margins"] == near(sorted(margins), 100)
    assert [margins[i] for i in data["rows"]] == near(sorted(margins), 100)
    assert data["wrong"] == sum(m <= 0 for m in margins)
    assert data["median"] == near(np.median(margins), 100)


def test_regions_are_the_predictions_on_the_grid():
    X, y = four_classes()
    clf = LinearClassifier(max_iter=30).fit(X, y)
    data = pictures.decision_regions(clf, X, y, cells=9).data
    for row, up in zip(data["answers"], data["y"], strict=True):
        for number, across in zip(row, data["x"], strict=True):
            assert data["classes"][number] == clf.predict([[across, up]])[0]
    assert data["wrong"] == sum(clf.predict(X) != np.array(y))
    for k, leads in enumerate(data["leads"]):
        scores = clf.decision_function([[data["x"][2], data["y"][5]]])[0]
        others = max(s for j, s in enumerate(scores) if j != k)
        assert leads[5][2] == near(scores[k] - others, 100)


@pytest.mark.parametrize("seed", range(12))
def test_every_row_lies_in_the_covering_cone_and_every_solution_separates(seed):
    draw = np.random.RandomState(seed)
    Z = np.column_stack([draw.randint(1, 9, 6), draw.randint(-9, 9, 6)])  # of one half-plane
    data = pictures.cones(cones.of_vectors(Z.tolist())).data
    rays = [np.array(ray) / np.linalg.norm(ray) for ray in data["solution"]]
    for z in data["vectors"]:
        assert np.dot(z, rays[0] + rays[1]) > 0
        assert min(np.dot(z, ray) for ray in rays) >= -10 * roundings(100)
    assert sorted(map(tuple, data["vectors"])) == sorted(map(tuple, Z.astype(float).tolist()))
    assert data["widths"]["solution"] + data["widths"]["covering"] == near(math.pi, 100)


def test_the_band_of_a_certificate_holds_no_row():
    X, y = exercise()
    verdict = certify(X, y)
    data = pictures.certificate(verdict, X, y).data
    w, c = [float(v) for v in verdict.w], float(verdict.intercept)
    distances = [abs(w[0] * p + w[1] * q + c) / math.hypot(*w) for p, q in X]
    assert data["margin"] == near(min(distances), 100)
    assert data["nearest"] == [i for i, d in enumerate(distances) if d < min(distances) * 1.0001]
    for (p, q), label in zip(data["points"], data["labels"], strict=True):
        side = 1 if label == data["classes"][1] else -1
        assert side * (w[0] * p + w[1] * q + c) > 0


def test_the_common_point_lies_in_both_hulls():
    X, y = [[0, 0], [2, 2], [0, 2], [2, 0], [9, 9]], [0, 0, 1, 1, 1]
    verdict = certify(X, y)
    data = pictures.certificate(verdict, X, y).data
    assert data["meeting"] == near([1, 1], 100) and 4 not in data["conflict"]


def test_criteria_are_summed_over_their_members():
    data = pictures.criterion_surfaces(in_two_weights(), b=0.5).data
    Z = np.array([[-2, -2], [-1, 0], [0, 2]], float)
    margins = [Z @ w for w in np.array(data["trajectory"])]
    wanted = {
        "misclassified": [sum(m <= 0) for m in margins],
        "perceptron-criterion": [sum(-m[m <= 0]) for m in margins],
        "squared-criterion": [sum(m[m <= 0] ** 2) for m in margins],
        "relaxation-criterion": [
            sum((0.5 - m) ** 2 / (Z**2).sum(1) / 2 * (m <= 0.5)) for m in margins
        ],
    }
    assert set(wanted) == set(data["values"]) <= set(criteria.names())
    for name, values in wanted.items():
        assert data["values"][name] == near(values, 200), name


def test_sums_of_mistakes_are_those_of_the_history():
    X, y = exercise()
    clf = LinearClassifier(order="shuffled", max_iter=12, until=None, random_state=3).fit(X, y)
    data = pictures.mistakes(clf).data
    for k, record in enumerate(clf.history_):
        assert (data["mistakes"][k], data["corrections"][k]) == (
            record.mistakes,
            record.corrections,
        )
        assert data["mistakes_so_far"][k] == sum(r.mistakes for r in clf.history_[: k + 1])
    assert data["corrections_so_far"][-1] == clf.n_corrections_


@pytest.mark.parametrize("order", ["cyclic", "batch"])
def test_weights_grow_as_the_trace_says(order):
    trace = textbook.trace(*MODIFIED_OR, order=order)
    data = pictures.weights(trace, best=(1, 1, -1)).data
    last, best = np.array(trace.outcome.w, float), np.array([1, 1, -1]) / 3**0.5
    assert data["length"][-1] == near(np.linalg.norm(last), 200)
    assert data["cosine"][-1] == near(last @ best / np.linalg.norm(last), 200)
    signed = np.array([[float(v) for v in z] for z in trace.examples.signed])
    assert data["gamma"] == near((signed @ best).min(), 200)
    assert data["radius"] == near(np.linalg.norm(signed, axis=1).max(), 200)


def test_held_rows_move_the_line_and_not_the_rows():
    X = [[1, 2, 3], [-1, 0, 4], [2, 2, -8]]
    for held in (0.0, 1.0, -2.5):
        data = pictures.decision_line(([1, 2, 3], -1), X, [1, 0, 0], columns=[0, 1], rest=held).data
        assert data["line"]["coefficients"] == [1, 2, -1 + 3 * held]
        assert data["points"] == [[1, 2], [-1, 0], [2, 2]] and data["wrong"] == 1


def test_edge_on_distances_are_true():
    draw = np.random.RandomState(0)
    X, w = draw.randn(30, 5), draw.randn(5)
    y = (X @ w + 0.3 > 0).tolist()
    data = pictures.decision_line((w, 0.3), X, y, columns="edge-on").data
    for row, (distance, _) in zip(X, data["points"], strict=True):
        assert distance == near((row @ w + 0.3) / np.linalg.norm(w), 60)
    along = np.array(data["points"])[:, 1]
    for _ in range(200):  # no other direction within the plane spreads the rows more
        other = draw.randn(5)
        other -= other @ w / (w @ w) * w
        assert (X @ other / np.linalg.norm(other)).std() <= along.std() + 10 * roundings(1000)
