"""It decides everything, however small the margin; its weights separate exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.certificates import checking
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.finders import Direction, ExactSimplex
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.exceptions import ProofError

NUMBERS = st.integers(-3, 3) | st.fractions(-1, 1, max_denominator=10**25)


def answer(rows):
    *waiting, found = ExactSimplex().findings(rows, 0)
    assert not any(waiting)
    if isinstance(found, Direction):
        checking.check_separator(rows, found.w)
        return "separable"
    multipliers = dict(zip(found.index, found.value, strict=True))
    checking.check_zero_sum(rows, multipliers)
    assert len(multipliers) <= rows.n_columns + 1
    return "not separable"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(NUMBERS, min_size=2, max_size=2), min_size=1, max_size=7))
def test_any_rationals(Z):
    rows = SignedRows(read_entries([[Fraction(v) for v in z] for z in Z]), np.ones(len(Z)), None)
    answer(rows)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("seed", range(6))
def test_floats_of_any_size(seed, scale):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((40, 4)) * scale
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    rows = SignedRows(read_entries(X), y, scale)
    assert answer(rows) == "separable"
    y[:10] = 1
    y[10:20] = -1
    assert answer(SignedRows(read_entries(X), y, scale)) in ("separable", "not separable")


def test_the_last_digit_decides():
    one = np.nextafter(1.0, 2)
    for X, y, said in [
        ([[1.0, 1.0], [1.0, one], [2.0, 2.0]], [-1, 1, 1], "separable"),
        ([[1.0, 1.0], [one, one], [2.0, 2.0]], [1, -1, 1], "not separable"),
    ]:
        assert answer(SignedRows(read_entries(X), np.array(y, float), 1.0)) == said


def test_many_columns_are_refused():
    rows = SignedRows(read_entries(np.ones((2, 151))), np.array([1.0, -1]), None)
    assert ExactSimplex().suits(rows) == "151 columns are more than 150"


def test_the_checks_above_can_fail():
    rows = SignedRows(read_entries([[1.0], [2.0]]), np.array([1.0, -1]), None)
    with pytest.raises(ProofError):
        checking.check_separator(rows, [1])
