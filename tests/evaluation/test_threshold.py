import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.metrics import precision_score, recall_score

from hardlimit.evaluation import precision_recall, threshold_for_false_positives
from hardlimit.exceptions import InputError

from ..rounding import near

SCORES = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]
TRUTH = [False, False, True, False, False, True, True, True]

SCORED = st.lists(
    st.tuples(st.integers(-4, 4).map(lambda n: n / 2), st.booleans()), min_size=2, max_size=25
).filter(lambda rows: len({truth for _, truth in rows}) == 2)


@pytest.mark.parametrize(
    ("max_rate", "threshold", "false_positives", "recall"),
    [
        (0, 0.5, 0, 3 / 4),
        (0.24, 0.5, 0, 3 / 4),
        (0.25, 0.0, 1, 3 / 4),
        (0.5, -1.0, 2, 1),
        (0.75, -2.0, 3, 1),
        (1, math.nextafter(-2, -3), 4, 1),
    ],
)
def test_worked_by_hand(max_rate, threshold, false_positives, recall):
    choice = threshold_for_false_positives(SCORES, TRUTH, max_rate)
    assert choice.threshold == threshold
    assert (choice.point.false_positives, choice.point.recall) == (false_positives, recall)
    assert (choice.negatives, choice.positives) == (4, 4)


@given(SCORED, st.floats(0, 1))
def test_it_is_the_lowest_that_keeps_the_rate(rows, max_rate):
    scores, truth = zip(*rows, strict=True)
    choice = threshold_for_false_positives(scores, truth, max_rate)
    negatives = [score for score, is_ in rows if not is_]

    def rate(threshold):
        return sum(score > threshold for score in negatives) / len(negatives)

    assert choice.point.false_positive_rate == rate(choice.threshold) <= max_rate
    lower = math.nextafter(choice.threshold, -math.inf)
    assert rate(lower) > max_rate or choice.threshold < min(scores)


@pytest.mark.parametrize(("rate", "n", "allowed"), [(0.29, 100, 29), (0.1, 30, 3), (0.07, 100, 7)])
def test_rates_that_floats_round_down(rate, n, allowed):
    scores = [float(number) for number in range(n)]
    choice = threshold_for_false_positives([*scores, 0.0], [False] * n + [True], rate)
    assert choice.point.false_positives == allowed


def test_too_few_negatives_are_told():
    scores = [float(number) for number in range(201)]
    choice = threshold_for_false_positives(scores, [False] * 200 + [True], 0.001)
    assert choice.threshold == 199.0
    assert choice.warning == (
        "a false-positive rate of 0.001 was asked for, but only 200 negatives were held out: none "
        "above the threshold shows only that the rate is under 0.015 (with 95 % confidence); it "
        "takes at least 1000 negatives, better 3000"
    )
    assert threshold_for_false_positives(scores, [False] * 200 + [True], 0.005).warning is None
    zero = threshold_for_false_positives(scores, [False] * 200 + [True], 0).warning
    assert zero is not None and zero.endswith("no number of rows can show that")


def test_text():
    assert str(threshold_for_false_positives(SCORES, TRUTH, 0.25)) == (
        "threshold 0: 1 false positive among 4 negatives (25.0000%), recall 0.7500, "
        "precision 0.7500"
    )


@given(SCORED)
@settings(max_examples=30)
def test_the_table_as_scikit_learn_computes_it(rows):
    scores, truth = map(np.array, zip(*rows, strict=True))
    points = precision_recall(scores, truth)
    assert points[0].recall == 1 and points[-1].recall == 0
    thresholds = [at.threshold for at in points]
    assert thresholds == sorted(set(thresholds))
    for at in points:
        said = scores > at.threshold
        assert at.precision == near(precision_score(truth, said, zero_division=1), 2)
        assert at.recall == near(recall_score(truth, said), 2)


def test_a_short_table_keeps_its_ends():
    generator = np.random.default_rng(0)
    truth = generator.random(500) < 0.3
    scores = generator.normal(size=500) + 2 * truth
    points = precision_recall(scores, truth, rows=11)
    assert 2 < len(points) <= 11
    assert points[0].recall == 1 and points[-1].recall == 0
    assert [at.threshold for at in points] == sorted(at.threshold for at in points)


@pytest.mark.parametrize(
    ("scores", "truth", "wanted"),
    [
        ([1.0], [True], "no negative row"),
        ([1.0], [False], "no positive row"),
        ([1.0, math.nan], [True, False], "wanted finite scores"),
        ([1.0], [True, False], "1 score, but 2 labels"),
    ],
)
def test_refusals(scores, truth, wanted):
    with pytest.raises(InputError, match=wanted):
        precision_recall(scores, truth)
    with pytest.raises(InputError, match=wanted):
        threshold_for_false_positives(scores, truth, 0.1)


def test_refuses_rates_and_rows():
    with pytest.raises(InputError, match="got 1.5, wanted a number from 0 to 1"):
        threshold_for_false_positives(SCORES, TRUTH, 1.5)
    with pytest.raises(InputError, match="got nan, wanted a number from 0 to 1"):
        threshold_for_false_positives(SCORES, TRUTH, math.nan)
    with pytest.raises(InputError, match="wanted 2 or more"):
        precision_recall(SCORES, TRUTH, rows=1)


@pytest.mark.parametrize(("n", "rate", "confidence"), [(300, 0.03, 0.95), (40, 0.5, 0.8)])
def test_a_rate_holds_with_confidence(n, rate, confidence):
    """The most false positives of which the exact upper limit is not above the rate."""
    scores = [float(number) for number in range(n)]
    choice = threshold_for_false_positives(
        [*scores, 0.0], [False] * n + [True], rate, confidence=confidence
    )
    k = choice.point.false_positives
    # P(at most k of n | rate), as Clopper and Pearson ask it
    assert binom.cdf(k, n, rate) <= 1 - confidence < binom.cdf(k + 1, n, rate)
    few = threshold_for_false_positives(SCORES, TRUTH, 0.1, confidence=0.95)
    assert few.point.false_positives == 0 and "at least 29 negatives" in few.warning
    assert threshold_for_false_positives(SCORES, TRUTH, 1, confidence=0.95).point.recall == 1
    with pytest.raises(InputError, match="confidence"):
        threshold_for_false_positives(SCORES, TRUTH, 0.1, confidence=1.0)
