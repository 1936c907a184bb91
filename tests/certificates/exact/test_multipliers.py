import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from hardlimit.certificates.checking import check_zero_sum
from hardlimit.certificates.exact.multipliers import exact_multipliers
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.signed_rows import SignedRows


def rows_of(X, target, bias=1.0):
    return SignedRows(read_entries(X), np.asarray(target, float), bias)


def noisy(seed, n_rows=120, n_columns=6, integer=False):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n_rows, n_columns))
    if integer:
        X = np.round(3 * X)
    return rows_of(X, generator.choice([-1, 1], n_rows))


def interior(rows, seed=0):
    """Multipliers of many rows, not of a vertex: the mean of those of several programs."""
    generator = np.random.default_rng(seed)
    Z = np.array([[dict(zip(*map(list, rows.row(i)), strict=True)).get(j, 0.0)
                   for j in range(rows.n_columns)] for i in range(rows.n_rows)])  # fmt: skip
    found = [
        linprog(generator.random(rows.n_rows), A_eq=np.vstack([Z.T, np.ones(rows.n_rows)]),
                b_eq=[0] * rows.n_columns + [1]).x
        for _ in range(12)
    ]  # fmt: skip
    value = np.mean(found, axis=0)
    index = np.flatnonzero(value)
    return index, value[index]


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_many_rounded_multipliers_become_few_exact_ones(seed, integer):
    rows = noisy(seed, integer=integer)
    index, value = interior(rows, seed)
    assert len(index) > rows.n_columns + 1
    found = exact_multipliers(rows, index, value * (1 + 1e-12 * seed))
    check_zero_sum(rows, found)
    assert len(found) <= rows.n_columns + 1 and set(found) <= set(index.tolist())
    assert all(isinstance(v, int) and v > 0 for v in found.values())


@pytest.mark.parametrize("seed", range(5))
def test_dependent_columns_are_no_obstacle(seed):
    """Categories, one column each: they add up to the bias; and a column twice."""
    generator = np.random.default_rng(seed)
    categories = np.eye(4)[generator.integers(0, 4, 80)]
    others = np.round(2 * generator.standard_normal((80, 2)))
    X = np.hstack([categories, others, others[:, :1], np.zeros((80, 1))])
    rows = rows_of(X, generator.choice([-1, 1], 80))
    found = exact_multipliers(rows, *interior(rows, seed))
    check_zero_sum(rows, found)
    assert len(found) <= 4 + 2 + 1, "rank + 1"


def test_exact_integers_go_in_as_they_are():
    rows = rows_of([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
    huge = [10**400] * 4
    assert exact_multipliers(rows, [0, 1, 2, 3], huge) == {0: 1, 1: 1, 2: 1, 3: 1}


def test_what_does_not_cancel_is_given_up():
    rows = rows_of([[0.0], [1.0]], [-1, 1])
    assert exact_multipliers(rows, [0, 1], [1.0, 1.0]) is None
    assert exact_multipliers(rows, [], []) is None


@pytest.mark.parametrize("second", [2.0, 1.0, 0.25])
def test_rows_that_cancel_with_a_multiplier_below_0_only_are_given_up(second):
    rows = rows_of([[1.0], [second]], [1, 1], bias=None)
    assert exact_multipliers(rows, [0, 1], [1.0, 1.0]) is None
    opposite = rows_of([[1.0], [-second]], [1, 1], bias=None)
    check_zero_sum(opposite, exact_multipliers(opposite, [0, 1], [1.0, 1.0]))


def test_a_vertex_is_solved_without_a_decomposition_in_floats(monkeypatch):
    """A cycle of rows among thousands of columns: independent but for one equation."""

    def refuse(*given, **settings):
        raise AssertionError("a decomposition")

    monkeypatch.setattr(np.linalg, "svd", refuse)
    n = 40
    X = np.zeros((n, 3000))
    X[:, 50 : 50 + n] = np.eye(n) + np.roll(np.eye(n), 1, axis=1)
    rows = rows_of(csr_matrix(X), np.where(np.arange(n) % 2, 1, -1))
    assert exact_multipliers(rows, range(n), np.ones(n)) == dict.fromkeys(range(n), 1)
    assert exact_multipliers(rows, range(n - 1), np.ones(n - 1)) is None
