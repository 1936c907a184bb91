"""Large systems: the same fractions as by other ways, or None."""

from fractions import Fraction

import numpy as np
import pytest

from hardlimit.certificates.exact.refining import Equations, solve_large
from hardlimit.certificates.exact.solving import solve_by_elimination


def equations_of(matrix, kind):
    values, unknowns, starts = [], [], [0]
    for row in matrix:
        values += [int(v) for v in row if v]
        unknowns += [j for j, v in enumerate(row) if v]
        starts.append(len(values))
    exact = np.empty(len(values), kind)
    exact[:] = values
    return Equations(exact, np.array(unknowns), np.array(starts))


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("seed", range(3))
def test_small_integers(n, seed):
    generator = np.random.default_rng(seed)
    matrix = generator.integers(-4, 5, (n, n)) * (generator.random((n, n)) < 0.4)
    matrix += np.diag(generator.choice([5, 7, 11], n))
    right = generator.integers(-(1 << 40), 1 << 40, n)
    numerators, denominator = solve_large(equations_of(matrix, np.int64), right)
    wanted = solve_by_elimination(matrix.tolist(), right.tolist())
    assert [Fraction(v, denominator) for v in numerators] == wanted


@pytest.mark.parametrize("seed", range(3))
def test_integers_beyond_64_bits(seed):
    generator = np.random.default_rng(seed)
    small = generator.integers(-4, 5, (12, 12)) + 13 * np.eye(12, dtype=int)
    matrix = [[int(v) * (1 << 70) + 3 * j for j, v in enumerate(row)] for row in small]
    right = np.array([int(v) << 60 for v in generator.integers(1, 99, 12)], object)
    numerators, denominator = solve_large(equations_of(matrix, object), right)
    wanted = solve_by_elimination(matrix, right.tolist())
    assert [Fraction(v, denominator) for v in numerators] == wanted


def test_what_floats_cannot_tell_from_singular_is_given_up():
    singular = [[1, 1], [1, 1]]
    nearly = [[10**17, 10**17 + 1], [10**17 + 1, 10**17 + 2]]
    right = np.array([1, 2], object)
    assert solve_large(equations_of(singular, object), right) is None
    assert solve_large(equations_of(nearly, object), right) is None
