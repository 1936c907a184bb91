"""Sparse sets of more than 2,000 columns, whose conflicts lie in few rows."""

import importlib.util
import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hardlimit import certify
from hardlimit.certificates import finders


def texts(seed, n=1500, d=2100, each=6, wrong=0.1):
    """Draw rows whose columns are as frequent as words are, with labels of which some are wrong."""
    generator = np.random.default_rng(seed)
    columns = np.minimum(generator.zipf(1.35, (n, each)) - 1, d - 1)
    X = csr_matrix((np.ones(n * each), columns.ravel(), np.arange(0, n * each + 1, each)), (n, d))
    X.sum_duplicates()
    w = generator.standard_normal(d)
    y = np.where(X @ w > 0, 1, -1)
    return X, np.where(generator.random(n) < wrong, -y, y)


def without_repeats(X, y):
    """Rows that occur twice with two labels would be found without a search."""
    seen, kept = set(), []
    for i in range(X.shape[0]):
        row = X[i]
        row.sort_indices()
        key = (row.indices.tobytes(), row.data.tobytes())
        if key not in seen:
            seen.add(key)
            kept.append(i)
    return X[kept], y[kept]


@pytest.mark.parametrize("scipy_is_there", [True, False])
def test_wrong_labels_of_many_columns_are_proved(scipy_is_there, monkeypatch):
    if not scipy_is_there:
        find = importlib.util.find_spec
        monkeypatch.setattr(
            "hardlimit.certificates.finders.sparse_core.find_spec",
            lambda name: None if name == "scipy" else find(name),
        )
    monkeypatch.setattr("hardlimit.certificates.certifying.find_suspects", lambda *given: [])
    X, y = without_repeats(*texts(0))
    assert X.shape[1] > 2000
    verdict = certify(X, y, finders=["sparse-core"], seconds=math.inf, turns=3000)
    assert (verdict.verdict, verdict.found_by) == ("not separable", "sparse-core")
    assert len(verdict.conflict) < len(y) / 2
    verdict.check(X, y)


def test_rows_with_a_column_of_their_own_are_separable_at_the_first_turn():
    X = csr_matrix(np.eye(2500))
    y = np.where(np.arange(2500) % 2, 1, -1)
    verdict = certify(X, y, finders=["sparse-core"], gap=math.inf, turns=1, seconds=math.inf)
    assert verdict.verdict == "separable"
    verdict.check(X, y)


def test_zero_rows_and_repeated_rows_through_the_origin():
    X = csr_matrix([[1.0, 0], [1, 0], [0, 1], [0, 0]])
    settings = {"finders": ["sparse-core"], "fit_intercept": False, "gap": math.inf}
    zero = certify(X, [0, 0, 1, 1], **settings)
    assert zero.multipliers == {3: 1}
    some = certify(X[:3], [0, 0, 1], **settings)
    assert some.verdict == "separable"


def test_where_every_column_has_both_signs_there_is_nothing_to_leave_out():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    verdict = certify(X - 0.5, [0, 1, 1, 0], finders=["sparse-core"], seconds=math.inf)
    assert verdict.verdict == "undecided" and verdict.tried == ["sparse-core: 0 turns, 0.0 s, done"]
    assert "sparse-core" in finders.names()
