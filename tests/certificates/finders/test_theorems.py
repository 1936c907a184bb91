"""What the papers promise, on drawn data."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.certificates import finders

from ...rounding import roundings
from .drawn import bracket, dense, inseparable, search_of, separable, signed

SEEDS = st.integers(0, 10_000)


def margin_of_unit_rows(rows):
    search = search_of(rows, "minimum-norm")
    while not search.done:
        search.advance(1 << 22)
    # The search ends where the squares agree to 1e-9.
    assert search.smallest == pytest.approx(search.length, rel=2e-9)
    return search.length


def until_found(rows, name, most):
    search = search_of(rows, name)
    while search.found_at < 0 and not search.done and search.iterations <= most + 1:
        search.advance(1)
    return search.found_at


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_normalised_perceptron_within_one_over_gamma_squared(seed):
    rows = signed(*separable(seed, n=30, d=3, distance=0.3))
    most = 1 / margin_of_unit_rows(rows) ** 2
    assert 0 <= until_found(rows, "normalised-perceptron", most) <= most + most * roundings(1000)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_smooth_perceptron_within_its_bound(seed):
    rows = signed(*separable(seed, n=60, d=6, distance=0.05))
    most = 2 * math.sqrt(math.log(rows.n_rows)) / margin_of_unit_rows(rows) - 1
    assert 0 <= until_found(rows, "smooth-entropy", most) <= most


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_perceptron_within_novikoffs_bound(seed):
    rows = signed(*separable(seed, n=60, d=4))
    search = search_of(rows, "perceptron")
    while not search.done:
        search.advance(1 << 20)
        assert margin_of_unit_rows(rows) <= search.length * (1 + roundings(10_000))
    assert search.iterations <= 1 / margin_of_unit_rows(rows) ** 2


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.sampled_from([0.5, 0.1, 0.02]))
def test_dynamic_margin_reaches_what_was_asked_for(seed, eps):
    rows = signed(*separable(seed, n=40, d=3, distance=0.3))
    lower, upper, _ = bracket(finders.DynamicMargin(eps).findings(rows, 0), rows)
    assert lower > (1 - eps) * upper * (1 - roundings(10_000))


@pytest.mark.parametrize("name", ["von-neumann", "normalised-perceptron"])
@pytest.mark.parametrize("seed", range(4))
def test_multipliers_at_most_one_over_root_k(name, seed):
    search = search_of(signed(*inseparable(seed)), name)
    for _ in range(200):
        search.advance(1)
        if search.iterations > 1:
            assert search.length <= 1 / math.sqrt(search.iterations - 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_corral_of_the_nearest_point_is_affinely_independent(seed):
    rows = signed(*(inseparable if seed % 2 else separable)(seed, n=300, d=12))
    (found,) = [
        f for f in finders.MinimumNorm().findings(rows, 0) if isinstance(f, finders.Weighting)
    ][-1:]
    lifted = np.hstack([dense(rows)[found.index], np.ones((len(found.index), 1))])
    assert np.linalg.matrix_rank(lifted) == len(found.index) <= rows.n_columns + 1
    assert min(found.value) > 0


@pytest.mark.parametrize("seed", range(3))
def test_rescaling_finds_what_the_perceptron_would_take_long_for(seed):
    """A margin of 1e-6: Novikoff's bound is 1e12."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    y = np.where(X[:, 0] > 0, 1, -1)
    rows = signed(X * [1e-5, 1, 1, 1], y, bias=None)
    lower, _, _ = bracket(finders.Rescaling().findings(rows, seed), rows, until=1.0)
    assert lower > 0
