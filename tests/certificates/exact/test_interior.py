"""Multipliers of all rows made exact at once."""

import numpy as np
import pytest

from hardlimit.certificates import SignedRows
from hardlimit.certificates.checking import check_zero_sum
from hardlimit.certificates.exact import interior
from hardlimit.certificates.exact.interior import cancel_many
from hardlimit.certificates.exact.multipliers import exact_multipliers
from hardlimit.certificates.exact.reading import read_entries


def balanced(seed, n=600, d=8, integer=True):
    """Rows that cancel with multipliers near 1, an equal column and one that others add up to."""
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n, d))
    if integer:
        X = np.round(3 * X)
        X = np.hstack([X, X[:, :1], X[:, 1:2] + X[:, 2:3]])
    rows = SignedRows(read_entries(X), generator.choice([-1.0, 1.0], n), 1.0)
    Z = rows.dense
    weights = 1 - Z @ np.linalg.lstsq(Z.T @ Z, Z.sum(0), rcond=None)[0]
    assert weights.min() > 0.1
    order = np.argsort(-weights)
    return rows, order, weights[order]


@pytest.fixture(autouse=True)
def few_columns_are_many(monkeypatch):
    monkeypatch.setattr(interior, "MANY_COLUMNS", 5)


@pytest.mark.parametrize("integer", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_they_cancel_exactly_and_stay_near(seed, integer):
    rows, support, weights = balanced(seed, integer=integer)
    found = cancel_many(rows, support, weights)
    check_zero_sum(rows, found)
    assert set(found) == set(support.tolist())
    first = found[int(support[0])]
    ratios = np.array([found[int(i)] / first for i in support])
    # The weights move by what floats left of their sum, far below a millionth of them.
    assert ratios == pytest.approx(weights / weights[0], rel=1e-6)


def test_rows_that_do_not_cancel_have_none():
    rows, support, weights = balanced(0)
    assert cancel_many(rows, support[:8], weights[:8]) is None, "independent"
    uneven = np.where(np.arange(len(weights)) < 60, 1.0, 1e-6)
    found = cancel_many(rows, support, uneven)
    if found is not None:
        check_zero_sum(rows, found)


def test_many_rows_take_this_way(monkeypatch):
    theirs = exact_multipliers.__globals__["cancel_many"].__globals__
    if theirs is not vars(interior):  # set there already, and undone once
        monkeypatch.setitem(theirs, "MANY_COLUMNS", 5)
    rows, support, weights = balanced(1)
    found = exact_multipliers(rows, support, weights)
    check_zero_sum(rows, found)
    assert len(found) == len(support)


def test_without_scipy_it_is_left_to_others(monkeypatch):
    monkeypatch.setattr(interior, "find_spec", lambda name: None)
    assert cancel_many(*balanced(0)) is None
