"""A mistake is one thing in every loop: a margin of 0, and one that is not a number."""

import numpy as np
import pytest

from hardlimit import kernels, rules
from hardlimit.engine import (
    DualState,
    Points,
    Products,
    engine_rule,
    new_state,
    pair_examples,
    rows_of,
)

INF = np.inf
NAMES = ["perceptron", "margin-perceptron", "passive-aggressive", "romma"]


def primal(rule, weights):
    """A state of two columns with these weights, and one example of the first class."""
    state = new_state(rule, "single", 2, 1, False)
    state.set_array("w", np.array(weights, float).reshape(3, 1))
    rows = rows_of(np.ones((1, 2)), 0.0)
    return state, pair_examples(rows, np.zeros(1, np.int32), None)


def dual(rule, coefficients):
    """The same with two supports, of which each has a product of 1 with the example."""
    products = Products(kernels.resolve("precomputed"), 0.0, *[Points.of(np.ones((2, 2)))] * 2)
    state = DualState(rule, "single", 2, 1, False)
    state.examples(products, 2, "nothing", None)
    state.set_array("w", np.array([*coefficients[:2], 0.0]).reshape(3, 1))
    examples = pair_examples(products.rows.native, np.zeros(2, np.int32), None)
    examples.set_present(np.zeros(1, np.int64))
    return state, examples


@pytest.mark.parametrize("make", [primal, dual])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("weights", "mistakes"),
    [((INF, -INF, 0.0), 1), ((-1.0, 1.0, 0.0), 1), ((-1.0, 2.0, 0.0), 1), ((-3.0, 1.0, 0.0), 0)],
)
def test_mistakes_are_counted_alike(name, make, weights, mistakes):
    state, examples = make(engine_rule(rules.get(name)), weights)
    state.present(examples, 0, 1 << 20)
    assert [tally[0] for tally in state.take_tally()] == [mistakes]


@pytest.mark.parametrize("make", [primal, dual])
@pytest.mark.parametrize("name", NAMES)
def test_a_margin_that_is_no_number_corrects_nothing_and_is_no_silent_success(name, make):
    state, examples = make(engine_rule(rules.get(name)), (INF, -INF, 0.0))
    assert state.verify(examples)[0][0] == 1
    state.present(examples, 0, 1 << 20)
    assert state.corrections == [0]
    assert not state.finite


@pytest.mark.parametrize("name", ["arow", "scw1", "scw2", "second-order-perceptron", "winnow-2"])
def test_rules_of_other_kinds_count_them_too(name):
    state, examples = primal(engine_rule(rules.get(name)), (INF, -INF, 0.0))
    state.present(examples, 0, 1 << 20)
    assert [tally[:2] for tally in state.take_tally()] == [(1, 0)]


def test_a_batch_counts_them_too():
    state, examples = primal(engine_rule(rules.get("relaxation")), (INF, -INF, 0.0))
    state.gather(examples, 0, 1 << 20)
    assert state.take_tally() == [(1, 0, 0)]
    assert state.apply(examples, "sum") == [(0, False)]
