import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from hardlimit.certificates import slacks
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import SignedRows


def least_by_linear_programming(Z):
    """Min sum of slacks, subject to z w + slack >= 1: another way, and an exact one."""
    n, d = Z.shape
    cost = np.r_[np.zeros(d), np.ones(n)]
    bounds = [(None, None)] * d + [(0, None)] * n
    return linprog(cost, A_ub=-np.hstack([Z, np.eye(n)]), b_ub=-np.ones(n), bounds=bounds).fun


@pytest.mark.parametrize("make", [np.array, csr_matrix])
@pytest.mark.parametrize("most_columns", [1500, 1])
@pytest.mark.parametrize("seed", range(4))
def test_the_sum_is_the_least_that_there_is(seed, most_columns, make, monkeypatch):
    monkeypatch.setattr(slacks, "MOST_COLUMNS", most_columns)
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((150, 6)) * [1, 1, 1, 1, 1, 3]
    y = np.where(X[:, 0] + generator.standard_normal(150) > 0, 1.0, -1.0)
    rows = SignedRows(read_entries(make(X)), y, 1.0)
    alive = np.arange(150) % 5 > 0
    product = slacks.Slacks(rows, np.inf).least(alive, precision=1e-7, steps=500)
    found = np.maximum(1 - product, 0)[alive].sum()
    least = least_by_linear_programming((np.c_[X, np.ones(150)] * y[:, None])[alive])
    # HiGHS has the least to 1e-9; the search ends within a thousandth, by columns a hundredth.
    assert least - 1e-9 <= found <= least * (1.001 if most_columns > 1 else 1.01)
