"""The table of useful rates: every line keeps its rate, none says what another one says."""

import random

import pytest

from hardlimit.evaluation import ranking, threshold_for_false_positives, threshold_table
from hardlimit.evaluation.threshold import USEFUL_RATES


def drawn(seed, n=300):
    draw = random.Random(seed)
    truth = [draw.random() < 0.4 for _ in range(n)]
    return [round(draw.gauss(2.0 if is_ else 0.0, 1.0), 2) for is_ in truth], truth


@pytest.mark.parametrize("seed", range(5))
def test_the_lines_rise_and_lose_recall(seed):
    points = threshold_table(*drawn(seed))
    assert points == sorted(points, key=lambda point: point.threshold)
    counts = [point.false_positives for point in points]
    assert counts == sorted(set(counts), reverse=True)
    recalls = [point.recall for point in points]
    assert recalls == sorted(recalls, reverse=True)


@pytest.mark.parametrize("seed", range(5))
def test_each_line_is_the_choice_for_some_rate_counted_anew(seed):
    scores, truth = drawn(seed)
    choices = [threshold_for_false_positives(scores, truth, rate).point for rate in USEFUL_RATES]
    negatives = truth.count(False)
    for point in threshold_table(scores, truth):
        assert point in choices
        called = [is_ for score, is_ in zip(scores, truth, strict=True) if score > point.threshold]
        assert (point.true_positives, point.false_positives) == (sum(called), called.count(False))
        assert point.false_positive_rate == called.count(False) / negatives
        assert point.recall == sum(called) / truth.count(True)
        assert point.precision == (sum(called) / len(called) if called else 1.0)


def test_a_rate_that_fits_no_false_positive_is_left_out():
    scores, truth = [0.1, 0.2, 0.3, 0.9], [False, False, False, True]
    few = threshold_table(scores, truth, rates=(0.34, 0.33))
    assert [point.false_positives for point in few] == [1]
    assert threshold_table(scores, truth, rates=(0.33,)) == []
    assert [point.threshold for point in threshold_table(scores, truth, rates=(0,))] == [0.3]


@pytest.mark.parametrize("chosen", [-9.0, 0.15, 0.3, 2.0])
def test_the_chosen_threshold_is_there_exactly(chosen):
    scores, truth = [0.1, 0.2, 0.3, 0.9], [False, False, False, True]
    points = threshold_table(scores, truth, rates=(0.5, 0), chosen=chosen)
    assert chosen in [point.threshold for point in points]
    counts = [point.false_positives for point in points]
    assert len(counts) == len(set(counts))


@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.3, 0.9], [0.9, 0.3, 0.2, 0.1], [0.5] * 4])
def test_a_ranking_ends_where_everything_is_called_positive(scores):
    last = ranking(scores, [False, True, False, True])[-1]
    assert (last.true_positives, last.false_positives) == (2, 2)
    assert (last.precision, last.recall, last.false_positive_rate) == (0.5, 1.0, 1.0)
    assert last.threshold < min(scores)
