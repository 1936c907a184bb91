"""Logarithms that are rounded once, against decimal with twice the digits and by their laws."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.text import logs

from ..rounding import near

WIDE = Context(prec=80)
whole = st.integers(1, 1 << 21) | st.integers(1, 1 << 62)


def nearest(value: Decimal) -> float:
    return float(value)


@given(whole)
def test_every_logarithm_is_right_to_33_digits(number):
    exact = Decimal(number).ln(WIDE)
    error = abs(WIDE.subtract(logs.log(number), exact))
    assert error < Decimal("1e-33") * max(1, exact)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 1 << 20, (1 << 20) + 1, 999_983, 1_048_573])
def test_small_primes_and_the_ends_of_the_table(number):
    assert nearest(logs.log(number)) == nearest(Decimal(number).ln(WIDE))


@given(st.integers(1, 1 << 20))
def test_sublinear_counts_are_the_nearest_doubles(count):
    exact = WIDE.add(1, Decimal(count).ln(WIDE))
    assert logs.sublinear(count) == nearest(exact)
    assert logs.sublinear(count) == near(1 + math.log(count), 8)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_idf_is_the_nearest_double(n, df):
    exact = WIDE.add(1, WIDE.divide(Decimal(1 + n), Decimal(1 + df)).ln(WIDE))
    assert logs.smooth_idf(n, df) == nearest(exact)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_rare_terms_weigh_more(n, df):
    for idf in logs.IDF.values():
        assert idf(n, df) >= idf(n, df + 1) > -math.inf


@given(st.integers(1, 10**9))
def test_the_ratio_is_one_over_the_frequency(df):
    assert logs.ratio_idf(10, df) == float(Fraction(1, df))
    assert logs.ratio_idf(10, 0) == 1.0
