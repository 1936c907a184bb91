"""The slopes of the logistic loss, as a proof of sets that linear programs are long with."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import finders
from hardlimit.certificates.finders import Direction, Weighting

from ...rounding import dot_bound
from .drawn import dense, inseparable, separable, signed
from .test_sparse_core import texts, without_repeats


def last(rows):
    *_, finding = finders.get("logistic").findings(rows, 0)
    return finding


# On these draws a step of Newton's is shortened, on some processor, if rounding decides it.
SHORTENED = (12, 20, 21, 32, 75)


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("seed", [*range(5), *SHORTENED])
def test_all_rows_cancel(seed, sparse):
    rows = signed(*inseparable(seed, n=80, d=4), sparse=sparse)
    found = last(rows)
    assert isinstance(found, Weighting)
    p = np.zeros(rows.n_rows)
    p[found.index] = found.value
    # The search ends below 1e-14 of the multipliers, by its own sums.
    assert (np.abs(p @ dense(rows)) <= 1e-14 * p.sum() + dot_bound(p, dense(rows))).all()
    assert (p > 0).sum() > rows.n_columns + 1


@pytest.mark.parametrize("seed", range(5))
def test_separates_what_can_be_separated(seed):
    rows = signed(*separable(seed))
    found = last(rows)
    assert isinstance(found, Direction) and (rows.dot(found.w) > 0).all()


def test_rows_that_are_in_no_conflict_are_left_out():
    X = [[0.0, 0], [0, 1], [1, 0], [1, 1], [9, 9], [8, 9.5]]
    found = last(signed(X, [-1, 1, 1, -1, 1, 1]))
    assert np.asarray(found.index).tolist() == [0, 1, 2, 3, 4, 5] or len(found.index) >= 4


def test_random_labels_of_many_columns(monkeypatch):
    monkeypatch.setattr("hardlimit.certificates.certifying.find_suspects", lambda *given: [])
    monkeypatch.setattr("hardlimit.certificates.finders.logistic.FEW_COLUMNS", 100)
    generator = np.random.default_rng(0)
    n, d, each = 3000, 600, 8
    columns = np.concatenate([np.sort(generator.choice(d, each, replace=False)) for _ in range(n)])
    values = generator.integers(1, 6, n * each).astype(float)
    X = csr_matrix((values, columns, np.arange(0, n * each + 1, each)), (n, d))
    y = generator.choice([0, 1], n)
    verdict = certify(X, y, finders=["logistic"], seconds=math.inf, turns=40)
    assert (verdict.verdict, verdict.found_by) == ("not separable", "logistic")
    verdict.check(X, y)


def test_a_core_of_too_many_columns_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr("hardlimit.certificates.finders.logistic.MOST_COLUMNS", 20)
    X, y = without_repeats(*texts(1))
    verdict = certify(X, y, finders=["logistic"], seconds=math.inf, turns=100)
    assert verdict.verdict == "undecided" and "a core of" in verdict.tried[0]
