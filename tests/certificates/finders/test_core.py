"""The core holds every conflict, and what separates it is continued to all rows."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, random_array

from hardlimit.certificates import SignedRows
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.finders import Direction, Weighting
from hardlimit.certificates.finders.core import find_core


def sparse_rows(seed, n=60, d=40, each=0.06, separable=False):
    generator = np.random.default_rng(seed)
    X = random_array((n, d), density=each, rng=generator, format="csr")
    X.data = generator.integers(1, 4, X.nnz).astype(float)
    y = generator.choice([-1.0, 1.0], n)
    if separable:
        y = np.where(X @ generator.standard_normal(d) > 0.1, 1.0, -1.0)
    return SignedRows(read_entries(csr_matrix(X)), y, 1.0)


def as_matrix(rows):
    shape = (rows.n_rows, rows.n_columns)
    return csr_matrix((rows.data, rows.indices, rows.indptr), shape).toarray()


def remove_one_by_one(Z):
    """The rows of the core, by the definition: one column at a time."""
    alive = np.ones(len(Z), bool)
    for _ in range(len(Z) + 1):
        signs = np.sign(Z[alive])
        one_sided = (signs.max(0, initial=0) > 0) != (signs.min(0, initial=0) < 0)
        leaves = alive & (Z[:, one_sided] != 0).any(1)
        if not leaves.any():
            break
        alive[np.flatnonzero(leaves)[0]] = False
    return np.flatnonzero(alive)


@pytest.mark.parametrize("seed", range(20))
def test_the_core_is_what_one_sided_columns_leave(seed):
    rows = sparse_rows(seed)
    Z, core = as_matrix(rows), find_core(rows)
    assert core.kept.tolist() == remove_one_by_one(Z).tolist()
    out = [i for removal in core.removals for i in removal.rows.tolist()]
    assert sorted([*out, *core.kept.tolist()]) == list(range(rows.n_rows))
    if len(core.kept):
        within = as_matrix(core.signed_rows())
        assert (within == Z[np.ix_(core.kept, core.columns)]).all()
        assert (within.min(0) < 0).all() and (within.max(0) > 0).all()


@pytest.mark.parametrize("seed", range(20))
def test_rows_outside_the_core_take_part_in_no_conflict(seed):
    rows = sparse_rows(seed)
    outside = np.ones(rows.n_rows)
    outside[find_core(rows).kept] = 0
    equations = np.vstack([as_matrix(rows).T, np.ones(rows.n_rows)])
    most = linprog(-outside, A_eq=equations, b_eq=np.r_[np.zeros(rows.n_columns), 1])
    # HiGHS takes a vertex for feasible within 1e-7 of a right side of 1; its values are finer.
    assert most.x is None or -most.fun < 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_what_separates_the_core_is_continued_to_all_rows(seed):
    rows = sparse_rows(seed, separable=True)
    core = find_core(rows)
    assert core.removals
    w = np.zeros(0)
    if len(core.kept):
        Z = as_matrix(core.signed_rows())
        w = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None)).x
    lifted = core.lift_finding(Direction(w)) if len(w) else core.lift(w, 1.0)
    assert (rows.dot(lifted.w) > 0).all()


def test_a_direction_that_does_not_separate_the_core_is_no_finding():
    Z = csr_matrix([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    rows = SignedRows(read_entries(Z), np.array([1.0, 1, -1, 1]), None)
    core = find_core(rows)
    assert core.kept.tolist() == [0, 1, 2]
    assert core.lift_finding(Direction(np.array([1.0, 1.0]))) is None
    assert core.lift_finding(None) is None
    assert core.lift_finding(Weighting([0, 1, 2], [1, 1, 1])).index.tolist() == [0, 1, 2]


def test_rows_whose_columns_all_have_both_signs_are_their_own_core():
    rows = SignedRows(read_entries([[1.0, 2], [3, 4]]), np.array([1.0, -1]), 1.0)
    core = find_core(rows)
    assert core.removals == [] and core.kept.tolist() == [0, 1]


def test_of_equal_columns_the_core_has_the_first():
    rows = SignedRows(read_entries([[1.0, 1, 2], [3, 3, 1], [5, 5, 1]]), np.array([1.0, -1, 1]), 1)
    assert find_core(rows).columns.tolist() == [0, 2, 3]
