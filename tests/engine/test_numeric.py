"""Powers, exponentials and sums with the same bits everywhere."""

import hashlib
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from hardlimit.engine import exponentials, ordered_sum, power

GENERATOR = np.random.default_rng(4)
LOG_SPAN = 700.0


def drawn(n):
    """Bases and exponents whose powers are in the range of doubles; few steps from 1, too."""
    bases = np.concatenate(
        [
            np.ldexp(GENERATOR.random(n) + 0.5, GENERATOR.integers(-1000, 1000, n)),
            1 + (GENERATOR.random(n) - 0.5) / 512,
            GENERATOR.integers(2, 100_000, n).astype(float),
        ]
    )
    with localcontext(prec=40):
        most = [float(Decimal(LOG_SPAN) / abs(Decimal(base).ln())) for base in bases.tolist()]
    return bases, (GENERATOR.random(3 * n) * 2 - 1) * np.minimum(most, 1e6)


def test_powers_are_exact_to_three_units_in_the_last_place():
    bases, exponents = drawn(300)
    with localcontext(prec=50):
        for base, exponent in zip(bases.tolist(), exponents.tolist(), strict=True):
            exact = (Decimal(exponent) * Decimal(base).ln()).exp()
            off = abs(Decimal(power(base, exponent)) - exact)
            assert off <= 3 * Decimal(math.ulp(float(exact))), (base, exponent)


def test_the_bits_of_powers_and_exponentials_stay():
    k = np.arange(1, 2000)
    bases, exponents = k / 64, (1000 - k) / 128
    powers = [power(b, e) for b, e in zip(bases.tolist(), exponents.tolist(), strict=True)]
    found = np.array([*powers, *exponentials(exponents * 8)])
    assert hashlib.sha256(found.tobytes()).hexdigest()[:16] == "9c86094b1dfcf6ef"


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [
        (0.0, 0.5, 0.0),
        (0.0, 0.0, 1.0),
        (0.0, -1.5, math.inf),
        (math.inf, 0.5, math.inf),
        (math.inf, -0.5, 0.0),
        (1.0, math.inf, 1.0),
        (2.0, 1024.0, math.inf),
        (2.0, 1023.0, 2.0**1023),
        (2.0, -1074.0, 5e-324),
        (2.0, -1100.5, 0.0),
        (5e-324, 1.0, 5e-324),
        (5e-324, -1.5, math.inf),
        (10.0, 300.5, 10.0**300.5),
    ],
)
def test_the_ends_of_the_range(base, exponent, expected):
    found = power(base, exponent)
    assert found == expected or abs(found - expected) <= 3 * math.ulp(expected)


def test_what_has_no_power_is_no_number():
    assert math.isnan(power(-1.0, 0.5)) and math.isnan(power(math.nan, 2.0))


def test_exponentials_keep_shape_and_take_any_layout():
    numbers = np.asfortranarray(GENERATOR.random((5, 3)) * 8 - 4)
    before = numbers.copy()
    found = exponentials(numbers)
    assert found.shape == (5, 3) and np.array_equal(numbers, before)
    with localcontext(prec=40):
        for x, value in zip(numbers.ravel().tolist(), found.ravel().tolist(), strict=True):
            assert abs(Decimal(value) - Decimal(x).exp()) <= Decimal(math.ulp(value))


def test_sums_are_added_in_their_order():
    numbers = GENERATOR.random((40, 9))
    total = np.zeros(9)
    for row in numbers:
        total = total + row
    assert np.array_equal(ordered_sum(numbers), total)
    assert np.array_equal(ordered_sum(numbers.T, 1), total)
    assert ordered_sum(np.empty((0, 2))).tolist() == [0.0, 0.0]
