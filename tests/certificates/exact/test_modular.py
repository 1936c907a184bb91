"""Elimination modulo a prime against brute force over small matrices."""

import itertools

import numpy as np
import pytest

from hardlimit.certificates.exact.modular import PRIMES, find_pivots, invert_modulo, to_residues

P = PRIMES[0]
DRAWN = [
    np.random.default_rng(seed).integers(-3, 4, shape)
    for seed, shape in enumerate([(2, 2), (3, 3), (3, 5), (4, 2), (4, 4), (5, 5)])
]
# Products of thin matrices: rows and columns that depend on each other show a wrong elimination.
DRAWN += [
    np.random.default_rng(seed).integers(-3, 4, (6, r))
    @ np.random.default_rng(seed + 50).integers(-3, 4, (r, columns))
    for seed, (r, columns) in enumerate([(1, 3), (2, 4), (2, 6), (3, 6), (4, 6), (4, 7)])
]


def rank(matrix):
    return int(np.linalg.matrix_rank(matrix)) if matrix.size else 0


@pytest.mark.parametrize("matrix", DRAWN)
def test_pivots_are_an_invertible_part_of_full_rank(matrix):
    rows, columns = find_pivots(to_residues(matrix.tolist(), P), P)
    assert len(rows) == len(columns) == rank(matrix)
    assert rank(matrix[np.ix_(rows, columns)]) == len(rows)


@pytest.mark.parametrize("matrix", DRAWN)
def test_the_columns_are_the_earliest(matrix):
    _, columns = find_pivots(to_residues(matrix.tolist(), P), P)
    expected, before = [], 0
    for j in range(matrix.shape[1]):
        if rank(matrix[:, : j + 1]) > before:
            before += 1
            expected.append(j)
    assert columns == expected


@pytest.mark.parametrize("matrix", [m for m in DRAWN if m.shape[0] == m.shape[1]])
@pytest.mark.parametrize("p", PRIMES)
def test_the_inverse(matrix, p):
    inverse = invert_modulo(to_residues(matrix.tolist(), p), p)
    if rank(matrix) < len(matrix):
        assert inverse is None
        return
    n = len(matrix)
    for i, j in itertools.product(range(n), range(n)):
        entry = sum(int(inverse[i, k]) * int(matrix[k, j]) for k in range(n)) % p
        assert entry == (i == j)


def test_a_matrix_that_is_singular_modulo_its_prime_alone():
    assert invert_modulo(np.array([[7]]), 7) is None
    assert invert_modulo(np.array([[7]]), 5).tolist() == [[3]]  # 7 * 3 = 21 = 1 mod 5


def test_long_integers_are_reduced():
    assert to_residues([[10**30, -1]], 97).tolist() == [[10**30 % 97, 96]]


def test_the_primes_are_prime_and_their_products_fit():
    for p in PRIMES:
        assert all(p % q for q in range(2, 50_000)) and p < 2**31
