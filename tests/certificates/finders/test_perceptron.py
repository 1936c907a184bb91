"""The perceptron on integers: it decides, and its cycles are proofs."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hardlimit.certificates import finders
from hardlimit.certificates.finders.whole_rows import count_binary_places, to_whole_rows
from hardlimit.engine import exact_perceptron

from .drawn import bracket, signed

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


def run_of(rows, seed=0):
    return exact_perceptron(*to_whole_rows(rows).csr, rows.n_columns, seed)


def test_xor_is_back_at_its_start_after_four_corrections():
    run = run_of(signed(*XOR))
    run.advance(1 << 20)
    assert (run.ended, run.n_corrections, run.period) == ("repeated", 4, 4)
    assert run.weighting().tolist() == [1, 1, 1, 1]


def twin(Z):
    """Corrections in order, until clean or until weights come back."""
    w, seen, order, quiet = (0,) * Z.shape[1], {(0,) * Z.shape[1]: 0}, [], 0
    for i in itertools.cycle(range(len(Z))):
        if np.dot(Z[i], w) <= 0:
            w, quiet = tuple(np.add(w, Z[i]).tolist()), 0
            order.append(i)
            if w in seen:
                return "repeated", order, order[seen[w] :]
            seen[w] = len(order)
        else:
            quiet += 1
            if quiet == len(Z):
                return "separated", order, order


SMALL = st.integers(-4, 4)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(SMALL, SMALL, SMALL, st.booleans()), min_size=1, max_size=9))
def test_every_set_of_integers_is_decided(points):
    X, y = [p[:3] for p in points], [1 if p[3] else -1 for p in points]
    rows = signed(X, y)
    run = run_of(rows)
    run.advance(10_000_000)
    assume(run.ended)
    Z = rows.dense.astype(int)
    if run.n_corrections < 3000:
        ended, order, counted = twin(Z)
        assert run.ended == ended
        assert run.n_corrections == len(order)
        assert run.weighting().tolist() == np.bincount(counted, minlength=len(Z)).tolist()
    found = list(finders.Perceptron().findings(rows, 0))
    if run.ended == "separated":
        assert (Z @ run.direction() > 0).all()
        assert [int(v) for v in found[0].w] == run.direction().tolist()
    else:
        multipliers = run.weighting()
        assert multipliers.min() >= 0 and multipliers.sum() == run.period > 0
        assert not (multipliers @ Z).any()
        assert all(isinstance(v, int) for v in found[-1].value)


def test_no_seed_changes_what_is_found():
    runs = [run_of(signed(*XOR), seed) for seed in range(20)]
    for run in runs:
        run.advance(1000)
    assert {run.n_corrections for run in runs} == {4}


def test_a_cycle_longer_than_what_is_remembered():
    """After 2^20 corrections Brent's checkpoint takes over."""
    rows = signed([[1, 0], [-(2**21), 1], [0, -1]], [1, 1, 1], bias=None)
    run = run_of(rows)
    run.advance(1 << 30)
    multipliers = run.weighting()
    assert run.ended == "repeated"
    assert run.period == multipliers.sum() >= 2**20
    assert not (multipliers @ rows.dense.astype(int)).any()


def test_gives_up_before_integers_overflow():
    X, y = XOR
    rows = signed(np.array(X) * 2.0**30, y, bias=2.0**30)
    run = run_of(rows)
    run.advance(1000)
    assert run.ended == "too large"
    assert run.n_corrections < 4
    _, upper, _ = bracket(finders.Perceptron().findings(rows, 0), rows, most=20)
    assert upper < 2.0**15  # of unit rows from then on


def test_floats_that_a_power_of_two_makes_integers():
    rows = signed([[0.5, 0.125], [0.25, 3], [-1, 0.75]], [1, -1, 1])
    whole = to_whole_rows(rows)
    assert whole.shifts == [2, 3, 0]
    found, _ = finders.Perceptron().findings(rows, 0)
    assert all(isinstance(v, int) for v in found.w)
    assert (rows.dense @ np.array(found.w, float) > 0).all()


@pytest.mark.parametrize("value", [0.1, 2.0**40, 1e-30])
def test_floats_that_it_does_not(value):
    assert to_whole_rows(signed([[value], [1]], [1, -1])) is None


def test_arrays_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="contradict"):
        exact_perceptron(np.array([1]), np.array([5]), np.array([0, 1]), 2, 0)


@given(st.lists(st.floats(-1e9, 1e9).filter(bool), min_size=1, max_size=5))
def test_digits_behind_the_point(values):
    for value, digits in zip(values, count_binary_places(np.array(values)), strict=True):
        exact = Fraction(value)
        assert exact.denominator == 2 ** int(digits)
