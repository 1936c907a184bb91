"""Floats as integers: mantissas, scales, common divisors, and floats of huge integers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates.exact.entries import Entries, fill_dense
from hardlimit.certificates.exact.integers import (
    common_integers,
    shift_left,
    split_floats,
    to_floats,
    to_integers,
)

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FLOATS, min_size=1, max_size=8))
def test_a_float_is_an_odd_integer_times_a_power_of_two(values):
    mantissa, exponent = split_floats(np.array(values))
    for value, m, e in zip(values, mantissa.tolist(), exponent.tolist(), strict=True):
        assert Fraction(value) == m * Fraction(2) ** e
        assert m % 2 == 1 or (m, e) == (0, 0)


@given(st.lists(st.tuples(st.integers(-(2**53), 2**53), st.integers(0, 80)), min_size=1))
def test_shifts_have_no_limit(pairs):
    mantissa, shift = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    assert shift_left(mantissa, shift) == [m << s for m, s in pairs]


@given(st.lists(st.lists(FLOATS, min_size=2, max_size=2), min_size=1, max_size=5))
def test_columns_become_integers_by_one_scale_each(rows):
    entries = Entries((len(rows), 2), np.array(rows))
    integers, scales = to_integers(entries)
    for value, column, whole in zip(entries.values, entries.indices, integers, strict=True):
        assert Fraction(float(value)) * scales[column] == whole
    for j, scale in enumerate(scales):  # the least: some entry is odd, or the scale is 1
        of_column = [w for w, c in zip(integers, entries.indices, strict=True) if c == j]
        assert scale == 1 or any(w % 2 for w in of_column)


def test_fractions_have_their_least_common_denominator():
    exact = [Fraction(1, 6), Fraction(3, 4), 5]
    csr = (np.array([1 / 6, 0.75, 5.0]), np.array([0, 0, 1]), np.array([0, 1, 3]))
    entries = Entries((2, 2), fill_dense((2, 2), csr), csr, exact)
    assert to_integers(entries) == ([2, 9, 5], [12, 1])


@given(st.lists(st.fractions() | st.integers() | FLOATS, min_size=1, max_size=6))
def test_common_integers_give_the_values_back(values):
    integers, divisor = common_integers(values)
    assert divisor > 0
    assert [Fraction(i, divisor) for i in integers] == [Fraction(v) for v in values]
    assert math.gcd(divisor, *integers) in (1, divisor)


def test_integers_beyond_floats_keep_their_ratios():
    huge = to_floats([7 << 3000, -(1 << 3000), 0])
    assert np.isfinite(huge).all() and huge[0] / huge[1] == -7 and huge[2] == 0
    assert to_floats([1, 2]).tolist() == [1.0, 2.0]
    assert to_floats([]).tolist() == []


@pytest.mark.parametrize("bias", [None, 0.5])
@pytest.mark.parametrize("sparse", [False, True])
def test_signed_entries_are_the_rows_times_their_targets(sparse, bias):
    X, target = np.array([[1.0, 0, 3], [0, 5, 0]]), np.array([1.0, -1.0])
    entries = Entries(X.shape, X)
    if sparse:
        entries = Entries(X.shape, csr=(entries.values, entries.indices, entries.indptr))
    signed = entries.signed(target, bias)
    expected = X if bias is None else np.hstack([X, [[bias], [bias]]])
    dense = fill_dense(signed.shape, (signed.values, signed.indices, signed.indptr))
    assert (dense == expected * target[:, None]).all()
    assert (signed.dense is None) == sparse
