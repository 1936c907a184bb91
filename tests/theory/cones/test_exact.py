"""Determinant and inverse of fractions, against Leibniz's sum over permutations."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from hardlimit import cones

DRAWN = [
    np.random.default_rng(seed).integers(-4, 5, (n, n)).tolist()
    for seed, n in enumerate([1, 2, 3, 3, 4, 4])
]


def leibniz(rows):
    total = 0
    for order in itertools.permutations(range(len(rows))):
        inversions = sum(a > b for a, b in itertools.combinations(order, 2))
        total += (-1) ** inversions * math.prod(rows[i][j] for i, j in enumerate(order))
    return total


@pytest.mark.parametrize("rows", DRAWN)
def test_the_determinant(rows):
    assert cones.determinant(rows) == leibniz(rows)


@pytest.mark.parametrize("rows", DRAWN)
def test_the_inverse_times_the_matrix_is_the_identity(rows):
    inverse = cones.invert(rows)
    if leibniz(rows) == 0:
        assert inverse is None
        return
    n = len(rows)
    for i, j in itertools.product(range(n), range(n)):
        assert sum(inverse[i][k] * rows[k][j] for k in range(n)) == (i == j)


def test_a_pivot_of_zero_is_exchanged_for_a_row_below():
    assert cones.determinant([[0, 1], [1, 0]]) == -1
    assert cones.invert([[0, 2], [1, 0]]) == ((0, 1), (Fraction(1, 2), 0))


def test_fractions_stay_exact():
    third = Fraction(1, 3)
    assert cones.determinant([[third, 1], [1, 3]]) == 0
    assert cones.invert([[third, 1], [1, 3]]) is None
