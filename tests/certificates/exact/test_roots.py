from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates.exact.roots import above, below, root_above, root_below

NUMBERS = st.fractions(min_value=0, max_value=10**30) | st.floats(
    min_value=0, allow_infinity=False
).map(Fraction)


@given(NUMBERS)
def test_floats_lie_outward_and_next_to_each_other(value):
    for number in (value, -value):
        assert below(number) <= number <= above(number)
        assert above(number) - below(number) <= abs(float(number)) * 2**-51 + 1e-320


@given(NUMBERS)
def test_roots_lie_outward_and_near(value):
    lo, hi = Fraction(root_below(value)), Fraction(root_above(value))
    assert 0 <= lo * lo <= value <= hi * hi
    assert hi - lo <= lo * Fraction(1, 2**50) + Fraction(1, 2**1070)


def test_a_root_a_little_above_a_float_is_not_rounded_down():
    value = 1 + Fraction(1, 2**300)
    assert root_below(value) == 1 < root_above(value)


def test_numbers_beyond_floats_are_bounded_by_the_last_of_them():
    assert below(Fraction(10) ** 400) == 1.7976931348623157e308
    assert above(Fraction(10) ** 400) == float("inf")
    assert root_above(Fraction(0)) == 0 == root_below(Fraction(0))
