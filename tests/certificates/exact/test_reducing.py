"""Supports made small: what the multipliers add up to stays what it was."""

import numpy as np
import pytest

from hardlimit.certificates import SignedRows
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.exact.reducing import reduce_support, reduce_to_vertex

from ...rounding import near


def drawn(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return SignedRows(read_entries(X), np.ones(n), None), rng.random(n) + 0.1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("n", "d"), [(12, 3), (40, 5), (6, 6)])
def test_the_sum_of_the_weighted_rows_stays(seed, n, d):
    rows, weights = drawn(seed, n, d)
    support, left = reduce_support(rows, list(range(n)), weights)
    before = rows.transposed(weights)
    after = rows.transposed(np.bincount(support, left, n))
    assert after == near(before, 10**6)
    assert left.sum() == near(weights.sum(), 10**6)
    assert len(support) <= max(d + 2, 0) and (left > 0).all()
    assert left.tolist() == sorted(left.tolist(), reverse=True)


def test_a_vertex_has_independent_rows():
    rows, weights = drawn(9, 12, 3)
    support, left = reduce_to_vertex(rows, list(range(12)), weights)
    lifted = np.hstack([rows.dense[support], np.ones((len(support), 1))])
    assert np.linalg.matrix_rank(lifted) == len(support)
    assert rows.transposed(np.bincount(support, left, 12)) == near(rows.transposed(weights), 10**6)


def test_independent_rows_are_left_alone():
    rows = SignedRows(read_entries(np.eye(3)), np.ones(3), None)
    weights = np.array([1.0, 2.0, 3.0])
    support, left = reduce_to_vertex(rows, [0, 1, 2], weights)
    assert (support, left.tolist()) == ([0, 1, 2], [1.0, 2.0, 3.0])
