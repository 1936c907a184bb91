"""The nearest point in exact arithmetic: margins far below what floats can tell."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit.certificates import SignedRows, finders
from hardlimit.certificates.exact.reading import read_entries
from hardlimit.certificates.finders.exact_minimum_norm import scale_to_integers

from .drawn import inseparable, separable, signed

SMALL = st.integers(-3, 3)


def verdict(rows):
    """Decide by the finder, and look at its answer exactly."""
    found = [f for f in finders.get("exact-minimum-norm").findings(rows, 0) if f is not None]
    Z = scale_to_integers(rows)
    directions = [f for f in found if isinstance(f, finders.Direction)]
    if directions:
        for w in (f.w for f in directions):
            assert min(sum(a * b for a, b in zip(z, w, strict=True)) for z in Z) > 0
        return "separable"
    (last,) = found
    assert min(last.value) > 0
    for column in zip(*(Z[i] for i in last.index), strict=True):
        assert sum(a * b for a, b in zip(column, last.value, strict=True)) == 0
    return "not"


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(SMALL, SMALL, st.booleans()), min_size=1, max_size=8))
def test_agrees_with_the_perceptron_on_integers(points):
    rows = signed([p[:2] for p in points], [1 if p[2] else -1 for p in points])
    found = list(finders.Perceptron().findings(rows, 0))
    separable = any(isinstance(f, finders.Direction) for f in found)
    assert verdict(rows) == ("separable" if separable else "not")


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
def test_drawn_floats(sparse):
    for seed in range(3):
        assert verdict(signed(*separable(seed), sparse=sparse)) == "separable"
        assert verdict(signed(*inseparable(seed), sparse=sparse)) == "not"


@pytest.mark.parametrize(("roots", "wanted"), [(26, "separable"), (29, "not")])
def test_powers_of_one_number(roots, wanted):
    """A margin of 1e-13: beyond floats, which end at 1e-13 of the longest row."""
    x = np.linspace(-1, 1, 60)
    y = np.where(np.searchsorted(np.linspace(-0.97, 0.97, roots), x) % 2, -1, 1)
    assert verdict(signed(np.vander(x, 28)[:, :-1], y)) == wanted


def test_weights_that_double_with_each_column():
    """Row i wants w_i to exceed the sum of those before it; the margin is about 2^-60."""
    n = 60
    Z = np.eye(n) - np.tril(np.ones((n, n)), -1)
    assert verdict(signed(Z, np.ones(n), bias=None)) == "separable"
    Z[-1, 0] -= 2
    closed = np.vstack([Z, -Z.sum(0)])
    assert verdict(signed(closed, np.ones(n + 1), bias=None)) == "not"


def test_it_comes_to_the_widest_margin():
    X, y = separable(3)
    rows = signed(X, y)
    (*_, direction, multipliers) = (
        f for f in finders.get("exact-minimum-norm").findings(rows, 0) if f is not None
    )
    w = np.array([float(Fraction(v, max(map(abs, direction.w)))) for v in direction.w])
    p = np.array([float(Fraction(v, sum(multipliers.value))) for v in multipliers.value])
    margin = (rows.dense @ w).min() / np.linalg.norm(w)
    # The finder closes its bracket to a thousandth, at each end.
    assert margin == pytest.approx(np.linalg.norm(p @ rows.dense[multipliers.index]), rel=2e-3)


def test_fractions():
    third = Fraction(1, 3)
    rows = SignedRows(read_entries([[third, 1], [1, 3]]), np.array([1.0, -1.0]), None)
    assert verdict(rows) == "not"
    tiny = Fraction(1, 10**40)
    rows = SignedRows(read_entries([[third + tiny, 1], [1, 3]]), np.array([1.0, -1.0]), None)
    assert verdict(rows) == "separable"


def test_what_takes_long_is_refused():
    finder = finders.get("exact-minimum-norm")
    assert "65 columns" in finder.suits(signed(np.ones((2, 65)), [1, 1], bias=None))
    assert "numbers" in finder.suits(
        signed(np.ones((math.ceil(200_001 / 4), 4)), [1] * 50_001, bias=None)
    )
