import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates.exact.roots import (
    bracket_ratio,
    root_rounded_down,
    root_rounded_up,
    round_down,
    round_up,
)

NUMBERS = st.fractions(min_value=0, max_value=10**30) | st.floats(
    min_value=0, allow_infinity=False
).map(Fraction)


@given(NUMBERS)
def test_floats_lie_outward_and_next_to_each_other(value):
    for number in (value, -value):
        assert round_down(number) <= number <= round_up(number)
        # The last term is the distance of the smallest numbers, which shrinks no further.
        assert round_up(number) - round_down(number) <= abs(float(number)) * 2**-51 + 1e-320


@given(NUMBERS)
def test_roots_lie_outward_and_near(value):
    lo, hi = Fraction(root_rounded_down(value)), Fraction(root_rounded_up(value))
    assert 0 <= lo * lo <= value <= hi * hi
    assert hi - lo <= lo * Fraction(1, 2**50) + Fraction(1, 2**1070)


def test_a_root_a_little_above_a_float_is_not_rounded_down():
    value = 1 + Fraction(1, 2**300)
    assert root_rounded_down(value) == 1 < root_rounded_up(value)


def test_numbers_beyond_floats_are_bounded_by_the_last_of_them():
    assert round_down(Fraction(10) ** 400) == 1.7976931348623157e308
    assert round_up(Fraction(10) ** 400) == float("inf")
    assert root_rounded_up(Fraction(0)) == 0 == root_rounded_down(Fraction(0))


@pytest.mark.parametrize("bits", [(10, 20), (70_000, 70_100), (200_000, 10), (10, 200_000)])
def test_a_ratio_of_long_integers_is_bracketed(bits):
    rng = random.Random(0)
    above, below = (rng.getrandbits(n) | 1 << (n - 1) for n in bits)
    low, high = (bracket_ratio(above, below, up=up) for up in (False, True))
    exact = Fraction(above, below)
    assert low <= exact <= high and high - low <= exact / (1 << 60_000)
    if max(bits) < 1 << 16:
        assert low == high == exact
