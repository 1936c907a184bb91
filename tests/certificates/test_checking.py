"""The four certificates: what they claim holds for every w, and what is false is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates import checking
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import ProofError


def rows_of(Z, bias=None):
    return SignedRows(read_entries(Z), np.ones(len(Z)), bias)


XOR = rows_of([[0, 0, -1], [0, 1, 1], [1, 0, 1], [-1, -1, -1]])
VECTORS = st.lists(st.integers(-5, 5), min_size=3, max_size=3)
SETS = st.lists(VECTORS, min_size=2, max_size=6)
WEIGHTS = st.lists(st.integers(0, 5), min_size=6, max_size=6)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@given(SETS, VECTORS.filter(any), WEIGHTS)
def test_the_bracket_holds_for_every_w(Z, w, weights):
    rows = rows_of(Z)
    multipliers = {i: v for i, v in enumerate(weights[: len(Z)]) if v}
    found = checking.find_smallest_product(rows, w)
    products = [dot(z, w) for z in Z]
    assert found.product == min(products) == products[found.row]
    assert found.squared_length == dot(w, w)
    if not multipliers:
        return
    bound = checking.square_of_bound(rows, multipliers)
    if found.product > 0:
        checking.check_separator(rows, w)
        assert found.squared_margin <= bound, "no margin is above the bound"
        with pytest.raises(ProofError):
            checking.check_zero_sum(rows, multipliers)
    else:
        with pytest.raises(ProofError, match="not on its side"):
            checking.check_separator(rows, w)
    if bound == 0:
        checking.check_zero_sum(rows, multipliers)


def test_floats_are_the_fractions_that_they_are():
    rows = rows_of([[0.1, 0.2], [-0.1, 0.7]])
    found = checking.find_smallest_product(rows, [0.3, 0.5])
    assert found.product == Fraction(0.1) * Fraction(0.3) + Fraction(0.2) * Fraction(0.5)
    almost = rows_of([[0.1], [0.2], [-0.3]])
    with pytest.raises(ProofError, match="column 0 adds up to"):
        checking.check_zero_sum(almost, {0: 1, 1: 1, 2: 1})  # 0.1 + 0.2 is not 0.3


@pytest.mark.parametrize(
    ("multipliers", "said"),
    [
        ({4: 1}, "a multiplier of row 4, wanted of rows 0 to 3"),
        ({-1: 1}, "row -1"),
        ({0: -1}, "below 0"),
        ({0: 0}, "no multiplier is above 0"),
        ({}, "no multiplier is above 0"),
        ({0: 1, 1: 1, 2: 1, 3: 2}, "column 0 adds up to -1, wanted 0"),
    ],
)
def test_multipliers_that_prove_nothing(multipliers, said):
    with pytest.raises(ProofError) as caught:
        checking.check_zero_sum(XOR, multipliers)
    assert said in str(caught.value)


def test_weights_that_are_none():
    with pytest.raises(ProofError, match="2 weights, wanted 3"):
        checking.check_separator(XOR, [1, 1])
    with pytest.raises(ProofError, match="all weights are 0"):
        checking.check_separator(XOR, [0, 0.0, 0])


def test_a_small_sum_of_integers_is_a_proof():
    """C4: |sum|^2 / (sum L)^2 below r^-(r+1) B^-(2r-2), here 3^-4 = 1/81."""
    assert checking.least_squared_margin(XOR) == Fraction(1, 81)
    checking.check_small_sum(XOR, {0: 100, 1: 100, 2: 100, 3: 101})
    with pytest.raises(ProofError, match="not small enough"):
        checking.check_small_sum(XOR, {0: 3, 1: 3, 2: 3, 3: 4})  # 3/169
    checking.check_small_sum(XOR, {0: 4, 1: 4, 2: 4, 3: 5})  # 3/289
    with pytest.raises(ProofError, match="integer data only"):
        checking.check_small_sum(rows_of([[0.5], [-0.5]]), {0: 1, 1: 1})


def test_a_sum_that_is_as_large_as_the_least_margin_proves_nothing():
    """One row alone is separable, and its own multiple reaches the least margin exactly."""
    one = rows_of([[1]])
    checking.check_separator(one, [1])
    assert checking.least_squared_margin(one) == checking.square_of_bound(one, {0: 1}) == 1
    with pytest.raises(ProofError, match="not small enough"):
        checking.check_small_sum(one, {0: 1})


@given(SETS, VECTORS.filter(any))
def test_the_least_margin_is_a_bound_of_separable_sets(Z, w):
    rows = rows_of(Z)
    if min(dot(z, w) for z in Z) > 0:
        for multipliers in ({0: 1}, {i: 1 for i in range(len(Z))}):
            with pytest.raises(ProofError):
                checking.check_small_sum(rows, multipliers)
