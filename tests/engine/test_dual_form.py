"""The dual form, against the primal one and against sums over all examples."""

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

MUCH = 1 << 40


def board(seed=0, n=60, d=6):
    rng = np.random.default_rng(seed)
    return rng.integers(-3, 4, (n, d)).astype(float), rng.integers(0, 2, n).astype(np.int32)


def combine(values, coefficients):
    return values @ coefficients


def learn(X, y, kernel, ahead, rule=None, bias=1.0, epochs=2, outputs=1, scheme="single"):
    """The coefficients of all examples, and the state."""
    points = Points.of(X)
    products = Products(kernel, bias, points, points)
    rule = engine_rule(rule or rules.Perceptron())
    state = DualState(rule, scheme, len(X), outputs, True)
    state.examples(products, 0, ahead, combine)
    examples = pair_examples(points.native, y, None)
    for _ in range(epochs):
        position = 0
        while position < examples.length:
            position = state.present(examples, position, MUCH)
    alpha = np.zeros((len(X), outputs))
    alpha[state.supports] = state.coefficients()
    return alpha, state, examples


AHEAD = ["nothing", "block", "all"]


@pytest.mark.parametrize("ahead", AHEAD)
def test_with_the_linear_kernel_it_is_the_primal_form(ahead):
    X, y = board()
    alpha, state, examples = learn(X, y, kernels.resolve("linear"), ahead)
    primal = new_state(engine_rule(rules.Perceptron()), "single", X.shape[1], 1, True)
    shown = pair_examples(rows_of(X, 1.0), y, None)
    for _ in range(2):
        primal.present(shown, 0, MUCH)
    assert (np.c_[X, np.ones(len(X))].T @ alpha).tolist() == primal.array("w").tolist()
    assert state.corrections == primal.corrections
    assert state.take_tally()[0][:2] == primal.take_tally()[0][:2]
    assert state.verify(examples) == primal.verify(shown)


def slow(K, y, epochs, required=0.0):
    """The kernel perceptron: alpha_i grows by 1 where y_i sum_j alpha_j y_j K_ij is short."""
    alpha, signs = np.zeros(len(y)), np.where(y == 1, 1.0, -1.0)
    for _ in range(epochs):
        for i in range(len(y)):
            if signs[i] * (alpha @ K[:, i]) <= required:
                alpha[i] += signs[i]
    return alpha


@pytest.mark.parametrize("ahead", AHEAD)
def test_polynomials_are_the_slow_loop(ahead):
    X, y = board(1)
    kernel = kernels.Polynomial(degree=3, c=1.0)
    K = (X @ X.T + 1.0) ** 3 + 1.0  # whole numbers below 2^53: all orders of summation agree
    alpha, _, _ = learn(X, y, kernel, ahead)
    assert alpha.ravel().tolist() == slow(K, y, 2).tolist()


@pytest.mark.parametrize("rule", [rules.Perceptron(), rules.PassiveAggressive(), rules.ROMMA()])
@pytest.mark.parametrize("kernel", [kernels.RBF(0.1), kernels.Polynomial(2)])
def test_whoever_multiplies_the_corrections_are_the_same(rule, kernel):
    X, y = board(2, n=300)
    X = X + np.random.default_rng(3).normal(size=X.shape)
    runs = [learn(X, y, kernel, ahead, rule) for ahead in AHEAD]
    assert (runs[0][0] == runs[1][0]).all()
    assert (runs[0][0] == runs[2][0]).all()
    assert runs[0][1].supports == runs[1][1].supports == runs[2][1].supports


@pytest.mark.parametrize("ahead", AHEAD)
@pytest.mark.parametrize("scheme", ["coupled", "independent"])
def test_many_classes_too(ahead, scheme):
    X, _ = board(4)
    y = np.random.default_rng(5).integers(0, 3, len(X)).astype(np.int32)
    alpha, state, _ = learn(X, y, kernels.resolve("linear"), ahead, outputs=3, scheme=scheme)
    primal = new_state(engine_rule(rules.Perceptron()), scheme, X.shape[1], 3, True)
    shown = pair_examples(rows_of(X, 1.0), y, None)
    for _ in range(2):
        primal.present(shown, 0, MUCH)
    assert (np.c_[X, np.ones(len(X))].T @ alpha).tolist() == primal.array("w").tolist()
    assert state.corrections == primal.corrections


def test_examples_leave_and_their_supports_stay():
    X, y = board(6)
    alpha, state, _ = learn(X, y, kernels.resolve("linear"), "block")
    before = state.coefficients()
    names = state.kept()
    state.compact()
    assert (state.coefficients() == before).all()
    assert state.supports == list(range(len(names)))
    assert (alpha[names] == before).all()
    state.release()
    with pytest.raises(ValueError, match="no examples are attached|other examples"):
        state.present_span(pair_examples(rows_of(X, 0.0), y, None), 0, 1, True)


def test_without_memory_all_examples_become_supports():
    X, y = board(6)
    alpha, state, _ = learn(X, y, kernels.resolve("linear"), "block")
    assert state.supports != sorted(state.supports)
    sums = state.array("u")
    averages = {name: sums[place] for place, name in enumerate(state.supports)}
    state.spread()
    assert (state.coefficients() == alpha).all()
    assert state.supports == list(range(len(X)))
    sums = state.array("u")
    assert all((sums[name] == average).all() for name, average in averages.items())


def test_it_is_for_rules_that_add():
    for rule in (rules.AROW(), rules.Winnow2(), rules.BalancedWinnow()):
        with pytest.raises(ValueError, match="add examples"):
            DualState(engine_rule(rule), "single", 3, 1, False)


def test_scores_ahead_must_fit():
    X, y = board(7, n=9)
    _, state, examples = learn(X, y, kernels.resolve("linear"), "nothing")
    ones = np.ones
    for shape in ((8, 1), (9, 2)):
        with pytest.raises(ValueError, match="do not fit"):
            state.set_scores_ahead(ones(shape), ones((9, 9)), ones(9), ones(9), [0.0], False)
    state.set_scores_ahead(ones((3, 1)), ones((3, 3)), ones(3), ones(3), [0.0], False)
    with pytest.raises(ValueError, match="not those of these rows"):
        state.present_span(examples, 0, 9, True)
    state.drop_scores_ahead()
    assert state.stale
    for span in ((-1, 2), (5, 3), (0, 10)):
        with pytest.raises(ValueError, match="not in the epoch"):
            state.present_span(examples, *span, True)
