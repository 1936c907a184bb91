"""Figures, rankings, intervals and thresholds against sums written out, row by row."""

import itertools
import math
import random

import pytest

from hardlimit.evaluation import (
    average_precision,
    figures,
    macro_f1,
    matthews,
    precision_recall,
    ranking,
    roc_area,
    threshold_for_false_positives,
    threshold_table,
)

from ..rounding import near, printed

SEEDS = range(8)


def drawn_labels(seed, n=60, classes="abc"):
    rng = random.Random(seed)
    true = [rng.choice(classes) for _ in range(n)]
    said = [t if rng.random() < 0.6 else rng.choice(classes) for t in true]
    return true, said


def drawn_scores(seed, n=40):
    """Scores with ties."""
    rng = random.Random(seed)
    truth = [rng.random() < 0.4 for _ in range(n)]
    truth[:2] = [True, False]
    return [round(rng.gauss(1.0 * t, 1), 1) for t in truth], truth


@pytest.mark.parametrize("seed", SEEDS)
def test_figures_of_each_class(seed):
    true, said = drawn_labels(seed)
    found = figures(true, said)
    rows = list(zip(true, said, strict=True))
    assert found.right == sum(t == s for t, s in rows)
    assert found.accuracy == found.right / len(rows)
    for one in found.classes:
        c = one.label
        both = sum(t == s == c for t, s in rows)
        assert (one.support, one.predicted, one.right) == (true.count(c), said.count(c), both)
        assert one.precision == near(both / said.count(c), 2)
        assert one.recall == near(both / true.count(c), 2)
        assert one.f1 == near(2 * one.precision * one.recall / (one.precision + one.recall), 8)
    assert found.macro_f1 == near(sum(one.f1 for one in found.classes) / 3, 20)
    for pair in itertools.product("abc", repeat=2):
        assert found.confusion.get(pair, 0) == rows.count(pair)
    assert found.majority == max("abc", key=true.count)
    assert found.baseline == max(map(true.count, "abc")) / len(true)


@pytest.mark.parametrize("seed", SEEDS)
def test_matthews_is_the_correlation_of_indicators(seed):
    """Gorodkin: the covariance of the two indicator matrices over the root of their variances."""
    true, said = drawn_labels(seed)
    n = len(true)

    def covariance(left, right):
        total = 0.0
        for c in "abc":
            x, y = [v == c for v in left], [v == c for v in right]
            total += sum(a * b for a, b in zip(x, y, strict=True)) / n - sum(x) * sum(y) / n**2
        return total

    expected = covariance(true, said) / math.sqrt(covariance(true, true) * covariance(said, said))
    assert matthews(figures(true, said).confusion).value == near(expected, 20)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_roc_area_is_the_share_of_pairs_in_order(seed):
    scores, truth = drawn_scores(seed)
    pairs = [
        (a > b) + 0.5 * (a == b)
        for (a, yes), (b, no) in itertools.product(zip(scores, truth, strict=True), repeat=2)
        if yes and not no
    ]
    assert roc_area(scores, truth).value == near(sum(pairs) / len(pairs), 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_delongs_variance(seed):
    """The variances of both structural components, each over n - 1, written out."""
    scores, truth = drawn_scores(seed)
    ours = [s for s, t in zip(scores, truth, strict=True) if t]
    others = [s for s, t in zip(scores, truth, strict=True) if not t]

    def kernel(a, b):
        return (a > b) + 0.5 * (a == b)

    first = [sum(kernel(a, b) for b in others) / len(others) for a in ours]
    second = [sum(kernel(a, b) for a in ours) / len(ours) for b in others]
    area = sum(first) / len(first)

    def variance(values):
        return sum((v - area) ** 2 for v in values) / (len(values) - 1) / len(values)

    error = math.sqrt(variance(first) + variance(second))
    found = roc_area(scores, truth)
    middle = math.log(area / (1 - area))
    half = 1.959963984540054 * error / (area * (1 - area))
    low, high = (1 / (1 + math.exp(-(middle + s * half))) for s in (-1, 1))
    assert found.interval == near((low, high), 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_threshold_of_the_table(seed):
    scores, truth = drawn_scores(seed)
    for point in precision_recall(scores, truth):
        positive = [s > point.threshold for s in scores]
        right = sum(p and t for p, t in zip(positive, truth, strict=True))
        wrong = sum(p and not t for p, t in zip(positive, truth, strict=True))
        assert (point.true_positives, point.false_positives) == (right, wrong)
        assert point.recall == near(right / sum(truth), 2)
        assert point.false_positive_rate == near(wrong / truth.count(False), 2)
        assert point.precision == near(right / (right + wrong) if right + wrong else 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ranking_has_every_distinct_split(seed):
    scores, truth = drawn_scores(seed)
    points = ranking(scores, truth)
    assert len(points) == len(set(scores)) + 1
    assert (points[0].recall, points[0].false_positive_rate) == (0, 0)
    assert (points[-1].recall, points[-1].false_positive_rate) == (1, 1)
    for a, b in itertools.pairwise(points):
        assert a.true_positives <= b.true_positives and a.false_positives <= b.false_positives
    trapezoids = sum(
        (b.false_positive_rate - a.false_positive_rate) * (a.recall + b.recall) / 2
        for a, b in itertools.pairwise(points)
    )
    assert trapezoids == near(roc_area(scores, truth).value, 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_average_precision_row_by_row(seed):
    """Without ties: the mean of the precision at each positive row."""
    rng = random.Random(seed)
    scores = rng.sample(range(1000), 30)
    truth = [rng.random() < 0.3 for _ in scores]
    truth[0] = True
    truth[1] = False
    order = sorted(range(30), key=lambda i: -scores[i])
    seen = right = 0
    precisions = []
    for i in order:
        seen += 1
        if truth[i]:
            right += 1
            precisions.append(right / seen)
    expected = sum(precisions) / len(precisions)
    assert average_precision(ranking(scores, truth)) == near(expected, 200)


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_threshold_is_the_lowest_that_keeps_the_rate(seed, rate):
    scores, truth = drawn_scores(seed)
    choice = threshold_for_false_positives(scores, truth, rate)
    assert choice.point.false_positive_rate <= rate
    below = [p for p in precision_recall(scores, truth) if p.threshold < choice.threshold]
    for point in below:  # none lower keeps it with a better recall
        assert point.false_positive_rate > rate or point.recall <= choice.point.recall
    assert (choice.warning is None) == choice.is_supported == (rate * truth.count(False) >= 1)


def test_too_few_negatives_are_explained_with_numbers():
    choice = threshold_for_false_positives([0.0] * 50 + [1.0], [False] * 50 + [True], 0.001)
    assert not choice.is_supported
    for words in ("only 50 negatives", "at least 1000 negatives, better 3000", "under 0.058"):
        assert words in choice.warning
    assert 1 - 0.05 ** (1 / 50) == printed(0.0582, 4)
    never = threshold_for_false_positives([0.0, 1.0], [False, True], 0.0)
    assert "no number of rows can show that" in never.warning


@pytest.mark.parametrize("seed", SEEDS)
def test_the_useful_thresholds_are_rows_of_the_whole_table(seed):
    scores, truth = drawn_scores(seed)
    table = threshold_table(scores, truth, chosen=0.35)
    assert [p.threshold for p in table] == sorted(p.threshold for p in table)
    assert len({p.false_positives for p in table}) == len(table)
    assert any(p.threshold == 0.35 for p in table)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_slopes_of_macro_f1_are_its_derivatives(seed):
    """The interval's standard error against finite differences of the value."""
    true, said = drawn_labels(seed)
    confusion = {pair: float(n) for pair, n in figures(true, said).confusion.items()}
    n = sum(confusion.values())

    def value(cells):
        labels = "abc"
        total = 0.0
        for c in labels:
            right = cells.get((c, c), 0.0)
            both = sum(v for (i, j), v in cells.items() for k in (i, j) if k == c)
            total += 2 * right / both
        return total / 3

    h, slopes = 1e-4, {}
    for pair in confusion:
        up, down = dict(confusion), dict(confusion)
        up[pair] += h
        down[pair] -= h
        slopes[pair] = (value(up) - value(down)) / (2 * h)
    first = sum(confusion[p] * slopes[p] for p in confusion)
    second = sum(confusion[p] * slopes[p] ** 2 for p in confusion)
    error = math.sqrt(second - first**2 / n)
    found = macro_f1({pair: int(v) for pair, v in confusion.items()})
    low, high = (math.log(end / (1 - end)) for end in found.interval)
    width = 2 * 1.959963984540054 * error / (found.value * (1 - found.value))
    # A central difference of step h = 1e-4 is off by h^2 times a third derivative of about 100.
    assert high - low == pytest.approx(width, rel=1e-5)
