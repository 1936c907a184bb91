"""Sums of numbers that come some at a time."""

import math
import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardlimit.tables.exact_sums import ExactSum

FINITE = st.floats(allow_nan=False, allow_infinity=False, max_value=1e300, min_value=-1e300)


def total(parts):
    found = ExactSum()
    for part in parts:
        found.add(np.array(part, np.float64))
    return found.value


@given(st.lists(st.lists(FINITE, max_size=8), max_size=8))
def test_it_is_the_sum_of_fsum(parts):
    assert total(parts) == math.fsum([x for part in parts for x in part])


def test_subnormals_signs_and_many_numbers():
    tiny = 5e-324
    assert total([[tiny, tiny], [-tiny]]) == tiny
    assert total([]) == total([[0.0, -0.0]]) == 0.0
    draw = random.Random(1)
    many = [draw.gauss(0, 1) * 10.0 ** draw.randint(-30, 30) for _ in range(20_000)]
    assert total([many[:7], many[7:]]) == math.fsum(many)
    largest = np.full(5000, np.nextafter(1.0, 0))
    assert total([largest] * 3) == math.fsum([*largest] * 3) < 15_000
