"""The probabilities and their slope, against the equations of the module's page."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from hardlimit.live.confidence import (
    bin_of_many,
    fit_slope,
    judge,
    judge_two,
    margin_bin,
    probability,
)

from ..rounding import near, roundings, within

# Of the slope: the search ends where a step is below 1e-5, which is half of the way at least.
ENDS = 2.1e-5
LEAST, MOST = 2.0**-10, 2.0**10

numbers = st.floats(-4, 4).map(lambda x: round(x, 3))
bins = st.tuples(st.integers(-12, 16), st.integers(0, 5), st.booleans())
counts = st.dictionaries(bins, st.integers(1, 60), min_size=1, max_size=6)


def logistic(t):
    """1 / (1 + exp(-t)), whatever t is: the derivative of log(1 + exp(t))."""
    return 0.5 + 0.5 * math.tanh(t / 2)


def wanted_slope(found, fitted):
    """Where the derivative of the loss is 0, term by term as it is defined, by a general search.

    The loss itself is flat there: its values tell the place to half of their digits only.
    """
    n_right = sum(n for (_, _, right), n in found.items() if right)
    n_wrong = sum(n for (_, _, right), n in found.items() if not right)
    if not n_right:
        return 1.0
    rho = min(1.0, n_right / n_wrong) if n_wrong else 1.0
    worth, share = (20.0 if fitted else 2.0), 1 / (1 + math.exp(-2.0))

    def derivative(s):
        # Of log(1 + exp(t)) where the answer was right, of log(1 + exp(-t)) where it was not.
        total = 2.0 * worth * ((1 - share) * logistic(2.0 * s) - share * logistic(-2.0 * s))
        for (place, rivals, right), n in found.items():
            z = 2 ** (place / 8)
            t = rivals / 2 - s * z
            total += -n * z * logistic(t) if right else n * rho * z * logistic(-t)
        return total

    if derivative(LEAST) >= 0:
        return LEAST
    if derivative(MOST) <= 0:
        return MOST
    return brentq(derivative, LEAST, MOST, xtol=1e-12)


@settings(max_examples=80)
@given(counts, st.booleans())
def test_the_slope_is_the_one_of_least_loss(found, fitted):
    wanted = wanted_slope(found, fitted)
    assert fit_slope(found, fitted) == within(wanted, ENDS * wanted)


def test_mistakes_weigh_no_more_than_the_right_answers():
    right = {(8, 0, True): 10}
    # Of two classes, ten right answers and a thousand mistakes are as many of both.
    assert fit_slope(right | {(8, 0, False): 1000}, False) == fit_slope(
        right | {(8, 0, False): 10}, False
    )
    assert fit_slope(right | {(8, 0, False): 9}, False) > fit_slope(
        right | {(8, 0, False): 10}, False
    )
    assert fit_slope({(8, 0, False): 1000}, False) == 1.0
    # The prior is worth 20 answers or 2: the slope goes further from 1 without a fitted one.
    assert fit_slope(right, False) > fit_slope(right, True) > 1.0


@pytest.mark.parametrize("right", [True, False])
def test_the_slope_stays_between_its_bounds(right):
    sure = {(80, 0, True): 10**6, (-80, 60, right): 10**6}
    assert 2.0**-10 <= fit_slope(sure, False) <= 2.0**10


@given(st.floats(0, 30), st.booleans())
def test_what_is_judged_of_two_classes_is_in_millionths(z, right):
    p = 1 / (1 + math.exp(-z))
    q = p if right else 1 / (1 + math.exp(z))
    # To the nearest whole number; a loss is 36 at most.
    assert judge_two(z, right) == within(
        [p * 1e6, -math.log(q) * 1e6, (1 - q) ** 2 * 1e6], 0.5 + 36e6 * roundings(20)
    )


def test_a_loss_is_bounded():
    assert judge_two(1000.0, False) == [10**6, 36 * 10**6, 10**6]
    assert judge_two(1000.0, True) == [10**6, 0, 0]
    assert judge([1000.0, 0.0, 0.0], 0, 1, 1.0) == (1.0, 36.0, 2.0)
    assert judge([40.0, 0.0, 0.0], 0, 0, 1.0).loss == 0.0


@given(st.lists(numbers, min_size=3, max_size=6), st.data(), st.floats(0.1, 3))
def test_what_is_judged_of_more_classes_is_of_the_softmax(scores, data, slope):
    chosen = scores.index(max(scores))
    label = data.draw(st.integers(0, len(scores) - 1))
    powers = [math.exp(slope * one) for one in scores]
    shares = [one / sum(powers) for one in powers]
    found = judge(scores, chosen, label, slope)
    errors = [(share - (k == label)) ** 2 for k, share in enumerate(shares)]
    # An exponent is 24 at most, and the power loses as many roundings for each of its own. The
    # squares have twice the error of the shares, and the terms of their sum are 4 at most.
    assert found.p == near(shares[chosen], 150)
    assert found.loss == near(-math.log(shares[label]), 250, size=1)
    assert found.brier == near(sum(errors), 350, size=4)
    assert probability(scores, chosen, 0.0, slope) == near(shares[chosen], 150)
    # The bins hold what the probability is made of: p = 1 / (1 + n exp(-z)), each bin rounded.
    place, rivals = bin_of_many(scores, chosen, slope)
    gap = slope * (scores[chosen] - sorted(scores)[-2])
    assert place == margin_bin(gap)
    if gap > 2**-9:
        n = (1 / shares[chosen] - 1) * math.exp(gap)
        assert abs(rivals / 2 - math.log(n)) <= 0.2501
        assert abs(place / 8 - math.log2(gap)) <= 0.0626


def test_rivals_are_counted_up_to_a_bound():
    assert bin_of_many([0.0] * 3, 0, 1.0) == [-80, 1]
    assert bin_of_many([1.0] + [0.0] * 20, 0, 1.0) == [0, 6]


@pytest.mark.parametrize(
    ("z", "place"),
    [(1.0, 0), (2.0, 8), (0.5, -8), (2**10.0, 80), (2**11.0, 80), (2**-11.0, -80), (0.0, -80),
     (-1.0, -80), (1.09, 1)],
)  # fmt: skip
def test_a_margin_has_the_nearest_of_eight_bins_an_octave(z, place):
    assert margin_bin(z) == place


@given(numbers, st.floats(0, 5), st.floats(0.1, 3))
def test_the_probability_of_two_classes_is_logistic_in_the_margin(score, margin, slope):
    assert probability([score], 1, margin, slope) == 1 / (1 + math.exp(-slope * margin))
