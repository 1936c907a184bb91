"""The slope that makes probabilities of margins."""

import math

import pytest

from hardlimit.live.confidence import fit_slope

from ..rounding import within

AT = 8  # the bin of a_0 m = 2
# Of the slope: the search ends where a step is below 1e-5, which is half of the way at least.
ENDS = 2.1e-5


@pytest.mark.parametrize("n_wrong", [10, 100, 1000, 12345])
def test_mistakes_weigh_as_much_as_right_answers_and_no_more(n_wrong):
    """rho = min(1, n_right / n_wrong): mistakes beyond the right answers say nothing more."""
    n_right = 100
    found = fit_slope({(AT, 0, True): n_right, (AT, 0, False): n_wrong}, True)
    balanced = fit_slope({(AT, 0, True): n_right, (AT, 0, False): min(n_right, n_wrong)}, True)
    assert found == within(balanced, ENDS * balanced)


def test_the_slope_of_one_bin_is_the_log_odds_of_what_was_right():
    n_right, n_wrong, worth, at = 90_000, 10_000, 2.0, 2.0
    share = (n_right + worth / (1 + math.exp(-at))) / (n_right + n_wrong + worth)
    found = fit_slope({(AT, 0, True): n_right, (AT, 0, False): n_wrong}, False)
    wanted = math.log(share / (1 - share)) / at
    assert found == within(wanted, ENDS * wanted)
    assert fit_slope({(AT, 0, False): 50}, False) == 1.0  # mistakes alone say nothing
