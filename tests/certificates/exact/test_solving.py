import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.certificates.exact.solving import solve, solve_by_elimination, solve_by_lifting

WAYS = {"flint": solve, "digits": solve_by_lifting, "Bareiss": solve_by_elimination}


def product(matrix, x):
    return [sum(a * b for a, b in zip(row, x, strict=True)) for row in matrix]


@st.composite
def systems(draw):
    n = draw(st.integers(1, 5))
    numbers = st.integers(-(10**12), 10**12) | st.integers(-3, 3)
    row = st.lists(numbers, min_size=n, max_size=n)
    return draw(st.lists(row, min_size=n, max_size=n)), draw(row)


@given(systems())
def test_all_ways_agree(system):
    found = [way(*system) for way in WAYS.values()]
    assert found[0] == found[1] == found[2]
    if found[0] is not None:
        assert product(system[0], found[0]) == system[1]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_floats_of_53_bits_solve_exactly(way):
    drawn = np.random.default_rng(0).integers(-(2**60), 2**60, (12, 13)).tolist()
    matrix, right = [row[:-1] for row in drawn], [row[-1] for row in drawn]
    assert product(matrix, way(matrix, right)) == right
    assert way([[2, 4], [1, 2]], [1, 1]) is None


def test_a_multiple_of_the_first_prime_is_no_obstacle():
    matrix = [[2147483647, 0], [0, 1]]
    assert solve_by_lifting(matrix, [1, 1]) == [Fraction(1, 2147483647), 1]


def test_without_python_flint_our_own_way_is_taken(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    assert solve([[2, 1], [1, 3]], [1, 1]) == [Fraction(2, 5), Fraction(1, 5)]
