"""The numbers of each section, counted again from predictions, labels and rows."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from hardlimit import LinearClassifier, PerceptronClassifier, TextClassifier, reports

from .conftest import many_classes, messages, points, several_labels, text_model, three_classes
from .reading import facts, section, tables, text_of, whole


@pytest.fixture(scope="module")
def two():
    """A model of texts of two classes, its rows, its report."""
    model, X, y = text_model()
    return model, X, y, reports.report(model, X, y, train=messages(1))


@pytest.fixture(scope="module")
def six():
    model, X, y = many_classes()
    return model, X, y, reports.report(model, X, y)


@pytest.fixture(scope="module")
def three():
    model, X, y = three_classes()
    return model, X, y, reports.report(model, X, y)


def test_summary_compares_with_the_most_frequent_class_of_training(two):
    model, X, y, page = two
    correct = sum(a == b for a, b in zip(model.predict(X).tolist(), y, strict=True))
    said = text_of(page, "verdict")
    assert f"Of {len(y)} texts, {correct} are correct: {100 * correct / len(y):.2f} %" in said
    assert "95 % confidence interval" in said and "significantly better" in said
    tiles = facts(page, "verdict")
    assert {"accuracy", "errors", "macro-F1", "Matthews correlation"} <= set(tiles.values()) | set(
        tiles
    )


def test_summary_says_where_the_model_is_not_better():
    X, y = points(1)
    model = LinearClassifier(max_iter=1).fit(X, np.random.RandomState(0).permutation(y).tolist())
    assert "do not show that the model is better" in text_of(
        reports.report(model, X[:6], y[:6]), "verdict"
    )


def test_classes_are_counted_in_rows_predictions_and_training(two):
    model, X, y, page = two
    rows = {row[0]: row[1:] for row in tables(page, "data")["Classes"][1:]}
    predicted, trained = Counter(model.predict(X).tolist()), Counter(messages(1)[1])
    for label, n in Counter(y).items():
        share = f"{100 * n / len(y):.2f} %"
        assert rows[label] == [str(n), share, str(predicted[label]), str(trained[label])]


def test_lengths_are_those_of_the_texts(two):
    _, X, _, page = two
    lengths = sorted(map(len, X))
    n = len(lengths) - 1
    shortest, median, high, longest = (
        lengths[0],
        lengths[n // 2],
        lengths[95 * n // 100],
        lengths[n],
    )
    assert (
        f"Characters in a text: shortest {shortest}, median {median}, 95th percentile {high}, "
        f"longest {longest}." in text_of(page, "data")
    )


def test_confusion_of_few_classes_is_the_whole_table(two):
    model, X, y, page = two
    (rows,) = tables(page, "confusion").values()
    counted = Counter(zip(y, model.predict(X).tolist(), strict=True))
    for row in rows[1:]:
        assert [whole(cell) for cell in row[1:-1]] == [counted[row[0], c] for c in ("ham", "spam")]
        assert whole(row[-1]) == y.count(row[0])


def test_frequent_confusions_come_first(six):
    model, X, y, page = six
    rows = tables(page, "confusion")["Most frequent confusions"][1:]
    counted = Counter((a, b) for a, b in zip(y, model.predict(X).tolist(), strict=True) if a != b)
    assert {(a, b): int(n) for a, b, n, _ in rows} == dict(counted)
    numbers = [int(row[2]) for row in rows]
    assert numbers == sorted(numbers, reverse=True)


def test_thresholds_are_what_they_say(two):
    model, X, y, page = two
    scores, truth = model.decision_function(X), np.array([label == "spam" for label in y])
    rows = tables(page, "curves")["Predicting spam at other thresholds"][1:]
    assert len(rows) > 2
    for threshold, precision, recall, false, rate, _ in rows:
        # the table rounds thresholds to four places, and scores may lie as close
        near = [scores > float(threshold) + step for step in (-6e-5, 0.0, 6e-5)]
        yes = next(one for one in near if (one & ~truth).sum() == int(false))
        # Printed with four digits.
        assert abs(float(recall) - (yes & truth).sum() / truth.sum()) < 1e-4
        # Printed with four digits.
        assert abs(float(precision) - (yes & truth).sum() / yes.sum()) < 1e-4
        # Printed with four digits.
        assert abs(float(rate.rstrip(" %")) / 100 - (yes & ~truth).sum() / (~truth).sum()) < 1e-4
    assert [row[-1] for row in rows].count("in use") == 1


def test_the_area_is_the_share_of_pairs_in_order(two):
    model, X, y, page = two
    scores = model.decision_function(X)
    high = [s for s, label in zip(scores, y, strict=True) if label == "spam"]
    low = [s for s, label in zip(scores, y, strict=True) if label == "ham"]
    share = np.mean([(a > b) + 0.5 * (a == b) for a in high for b in low])
    assert f"area under the ROC curve is {share:.4f}" in text_of(page, "curves")
    assert "the probability that a positive text scores higher" in text_of(page, "curves")


def test_each_class_is_ranked_against_the_rest(three):
    model, X, y, page = three
    (rows,) = tables(page, "curves").values()
    scores = model.decision_function(X)
    for label, n, area, _ in rows[1:]:
        k = model.classes_.tolist().index(int(label))
        lead = scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)
        truth = np.array(y) == int(label)
        pairs = [(a > b) + 0.5 * (a == b) for a in lead[truth] for b in lead[~truth]]
        # Printed with four digits.
        assert int(n) == truth.sum() and abs(float(area) - np.mean(pairs)) < 1e-4


def test_the_most_confident_predictions_are_counted_again(three):
    model, X, y, page = three
    scores = np.sort(model.decision_function(X), axis=1)
    leads = scores[:, -1] - scores[:, -2]
    correct = (model.predict(X) == np.array(y))[np.argsort(-leads, kind="stable")]
    rows = tables(page, "margins")["Accuracy on the most confident predictions"][1:]
    assert [row[0] for row in rows] == ["100%", "95%", "90%", "80%", "70%", "50%"]
    for _, n, least, errors, accuracy in rows:
        head = correct[: int(n)]
        assert int(errors) == int((~head).sum()) and f"{head.mean():.4f}" == accuracy
        # Printed with four digits.
        assert abs(float(least) - np.sort(leads)[::-1][int(n) - 1]) < 1e-4


def test_telling_terms_are_the_largest_weights(two):
    model, _, _, page = two
    found = tables(page, "telling")
    for label, terms in model.telling_terms(12).items():
        rows = found[f"For {label}"][1:]
        assert [(row[0], row[2]) for row in rows] == [(t, f"{w:+.4f}") for t, w in terms]


def test_telling_columns_are_the_largest_weights_of_either_sign(three):
    model, _, _, page = three
    found = tables(page, "telling")
    for label, weights in zip(model.classes_.tolist(), model.coef_, strict=True):
        rows = found[f"For {label}"][1:]
        order = sorted(range(len(weights)), key=lambda k: -abs(weights[k]))
        assert [row[0] for row in rows] == [f"column {k}" for k in order]
        assert [row[2] for row in rows] == [f"{weights[k]:+.4g}" for k in order]


def leads_of(page, name):
    leads = re.findall(r"(?:with a lead of|ahead by) ([\d.]+)", section(page, name))
    return [float(x) for x in leads]


def test_errors_come_by_falling_lead_and_uncertain_ones_by_rising(two):
    model, X, y, page = two
    scores, predicted = np.abs(model.decision_function(X)), model.predict(X).tolist()
    wrong = [s for s, a, b in zip(scores, predicted, y, strict=True) if a != b]
    errors, uncertain = leads_of(page, "errors"), leads_of(page, "uncertain")
    assert errors == sorted(errors, reverse=True) and uncertain == sorted(uncertain)
    # Printed with four digits.
    assert abs(errors[0] - max(wrong)) < 1e-4 and abs(uncertain[0] - scores.min()) < 1e-4
    assert f"Of {len(wrong)} wrong predictions" in text_of(page, "errors")
    assert "correctly predicted" not in section(page, "errors")


def test_a_text_is_shown_once_among_the_errors():
    model, X, y = text_model()
    wrong = next(x for x, a, b in zip(X, model.predict(X).tolist(), y, strict=True) if a != b)
    label = "ham" if model.predict([wrong])[0] == "spam" else "spam"
    page = reports.report(model, [wrong, wrong.upper(), wrong], [label] * 3)
    assert len(leads_of(page, "errors")) == 1


def test_without_errors_the_page_says_so():
    model = TextClassifier().fit(["win a prize", "lunch at noon"] * 5, ["spam", "ham"] * 5)
    page = reports.report(model, ["win a prize", "lunch at noon"], ["spam", "ham"])
    assert "There are none" in text_of(page, "errors")


def test_each_label_of_several_is_a_question_of_its_own():
    model, X, sets = several_labels()
    page = reports.report(model, X, sets)
    scores = model.decision_function(X)
    truth = np.array([[label in one for label in ("big", "even")] for one in sets])
    said = scores > 0
    rows = {row[0]: row[1:] for row in tables(page, "many-labels")["Each label by itself"][1:]}
    for k, label in enumerate(("big", "even")):
        both = (truth[:, k] & said[:, k]).sum()
        precision, recall = both / said[:, k].sum(), both / truth[:, k].sum()
        f1 = 2 * precision * recall / (precision + recall)
        assert rows[label][:4] == [
            str(truth[:, k].sum()), f"{precision:.4f}", f"{recall:.4f}", f"{f1:.4f}",
        ]  # fmt: skip
    loss = {row[0]: row[1] for row in tables(page, "many-labels")["On all rows and labels"][1:]}
    assert loss["Hamming loss"] == f"{(truth != said).mean():.4f}"
    exact = (truth == said).all(axis=1).sum()
    assert f"{exact} have all labels correct" in text_of(page, "verdict")


@pytest.mark.parametrize("as_table", [False, True])
def test_several_labels_may_be_words(as_table):
    X, Y = [[0, 1], [1, 0], [1, 1]], np.array([["no", "a"], ["yes", "b"], ["yes", "a"]], object)
    if as_table:
        Y = pytest.importorskip("pandas").DataFrame(Y, columns=["one", "two"])
    page = reports.report(LinearClassifier().fit(X, Y), X, Y)
    assert "Each label by itself" in text_of(page, "many-labels")


def test_calibration_bins_the_rows_by_probability():
    draw = np.random.RandomState(0)
    X = draw.randn(200, 3)
    y = (X[:, 0] + 0.5 * draw.randn(200) > 0).astype(int)
    model = PerceptronClassifier(probability=True, max_iter=20).fit(X, y)
    page = reports.report(model, X, y)
    p = model.predict_proba(X).max(axis=1)
    correct = model.predict(X) == y
    order = np.argsort(p, kind="stable")
    rows = tables(page, "calibration")["Ten groups of rows by probability"][1:]
    assert len(rows) == 10 and sum(int(row[1]) for row in rows) == 200
    for row, part in zip(rows, np.array_split(order, 10), strict=True):
        assert row == [f"{p[part].mean():.4f}", "20", f"{correct[part].mean():.4f}"]
    brier = np.square(p - correct).mean()
    assert f"Brier score of the predicted class {brier:.4f}" in text_of(page, "calibration")


def test_training_facts_are_those_of_the_model(two, six):
    for model, _, _, page in (two, six):
        said = facts(page, "training")
        assert said["training errors"] == f"{model.n_training_errors_} of the training rows"
        assert said["classes"].startswith(f"{len(model.classes_)}: ")
        first, last = model.history_[0].mistakes, model.history_[-1].mistakes
        assert f"{first} in the first epoch, {last} in the last" in section(page, "training")


def test_bars_of_a_picture_are_the_counts(two):
    """The heights of the bars of the lengths add up to the rows that are drawn."""
    _, X, _, page = two
    chart = re.search(r"<svg.*?</svg>", section(page, "data"))[0]
    bars = [float(x) for x in re.findall(r'<rect[^>]* height="([\d.]+)"', chart)]
    lengths = sorted(map(len, X))
    drawn = sum(n <= lengths[95 * (len(X) - 1) // 100] for n in lengths)
    ticks = [(float(y), float(n)) for y, n in re.findall(
        r'<text x="44" y="([\d.]+)" text-anchor="end">(\d+)</text>', chart
    )]  # fmt: skip
    (y0, n0), (y1, n1) = ticks[0], ticks[-1]
    unit = abs(y1 - y0) / abs(n1 - n0)
    assert abs(sum(bars) / unit - drawn) < 0.05 * len(bars) + 0.5


def test_the_method_is_told_with_and_without_labels(two):
    model, X, _, page = two
    assert "95 % confidence intervals" in text_of(page, "method")
    assert "confidence interval" not in text_of(reports.report(model, X), "method")
