"""The loops of all violators at once and of the worst example, against slow loops."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from hardlimit import rules
from hardlimit.engine import engine_rule, new_state, pair_examples, rows_of

from ..rounding import near, roundings

MUCH = 1 << 40


def board(seed=0, n=30, d=4):
    """Whole numbers, and the signed rows."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, d)).astype(float)
    y = rng.integers(0, 2, n).astype(np.int32)
    return X, y, np.where(y == 1, 1.0, -1.0)[:, None] * np.c_[X, np.ones(n)]


def learn(state, examples, combine):
    position = 0
    while position < examples.length:
        position = state.gather(examples, position, 50)
    return state.apply(examples, combine)


@pytest.mark.parametrize("store", [np.array, sparse.csr_matrix])
@pytest.mark.parametrize("combine", ["sum", "average"])
def test_a_batch_is_the_slow_sum(combine, store):
    X, y, z = board()
    rule = rules.MarginPerceptron(b=3.0)
    state = new_state(engine_rule(rule), "single", 4, 1, True)
    examples = pair_examples(rows_of(store(X), 1.0), y, None)
    w, total = np.zeros(5), np.zeros(5)
    for step in range(6):
        violators = z[z @ w <= 3.0]
        total = total + w
        w = w + violators.sum(0) / (len(violators) if combine == "average" else 1)
        assert learn(state, examples, combine) == [(len(violators), True)]
        assert state.weights(1, 0, 1).ravel() == near(w, 2000)
        sums = state.weights(0, 1, 1).ravel()
        assert sums == near(total, 2000)
        assert (state.presentations, state.corrections) == (step + 1, [step + 1])


@dataclass(frozen=True)
class Lengthening(rules.Rule):
    """A rule of one's own that asks for the length of the weights."""

    equality_violates = True

    def required(self, wsq):
        return 1.0 + wsq / 8

    def tau(self):
        return 1.0


def test_a_batch_knows_the_length_of_its_weights():
    X, y, z = board()
    state = new_state(engine_rule(Lengthening()), "single", 4, 1, False)
    examples = pair_examples(rows_of(X, 1.0), y, None)
    w = np.zeros(5)
    for _ in range(8):
        violators = z[z @ w <= 1 + w @ w / 8]
        w = w + violators.mean(0)
        assert learn(state, examples, "average") == [(len(violators), True)]
        assert state.weights(1, 0, 1).ravel() == near(w, 2000)


def test_corrections_that_cancel_move_nothing():
    X = np.array([[1.0, 2.0], [1.0, 2.0]])
    state = new_state(engine_rule(rules.Perceptron()), "single", 2, 1, False)
    examples = pair_examples(rows_of(X, 1.0), np.array([0, 1], np.int32), None)
    assert learn(state, examples, "sum") == [(2, False)]
    assert state.corrections == [0]


def test_a_line_search_does_not_grow_the_criterion():
    X, y, z = board(2)
    state = new_state(engine_rule(rules.Relaxation(eta=1.0, b=1.0)), "single", 4, 1, False)
    examples = pair_examples(rows_of(X, 1.0), y, None)
    lengths = (z**2).sum(1)

    def criterion():
        short = np.maximum(0, 1.0 - z @ state.weights(1, 0, 1).ravel())
        return (short**2 / (2 * lengths)).sum()

    values = [criterion()]
    for _ in range(8):
        learn(state, examples, "line-search")
        values.append(criterion())
    assert all(b <= a * (1 + roundings(1000)) for a, b in zip(values, values[1:], strict=False))
    assert values[-1] < values[0]


def test_the_largest_eigenvalue_is_that_of_the_unit_rows():
    X, y, z = board(3)
    units = z / np.sqrt((z**2).sum(1, keepdims=True))
    state = new_state(engine_rule(rules.Relaxation()), "single", 4, 1, False)
    found = state.largest_eigenvalue(pair_examples(rows_of(X, 1.0), y, None))
    # The search for the eigenvalue ends when a step changes less than a millionth of it.
    assert found == pytest.approx(np.linalg.eigvalsh(units.T @ units)[-1], rel=1e-6)


def slow_worst(z, required, steps):
    """At each step the first of those with the smallest margin, until none is short."""
    w, picks = np.zeros(z.shape[1]), []
    for _ in range(steps):
        margins = z @ w
        worst = int(margins.argmin())
        if margins[worst] > required:
            break
        w = w + z[worst]
        picks.append(worst)
    return w, picks


@pytest.mark.parametrize("bytes_", [0, 1 << 20])
@pytest.mark.parametrize("required", [0.0, 2.0])
@pytest.mark.parametrize("work", [300, MUCH])
def test_the_worst_first_is_the_slow_loop(bytes_, required, work):
    X, y, z = board(4)
    separable = z @ np.array([1.0, 2.0, -1.0, 3.0, 0.5]) > 0
    X, y, z = X[separable], y[separable], z[separable]
    state = new_state(engine_rule(rules.MarginPerceptron(b=required)), "single", 4, 1, False)
    examples = pair_examples(rows_of(X, 1.0), y, None)
    state.begin_worst(examples, bytes_)
    made, ended = 0, False
    while not ended and made < 300:
        steps, ended = state.search(examples, 300 - made, work)
        made += steps
    w, picks = slow_worst(z, required, 300)
    assert (made, ended) == (len(picks), len(picks) < 300)
    assert state.array("w").ravel().tolist() == w.tolist()


@pytest.mark.parametrize("required", [0.0, 2.0])
def test_a_pick_may_cost_more_than_the_whole_work_limit(required):
    """Each call makes one step, and the call that finds no violator says so itself."""
    X, y, z = board(4)
    separable = z @ np.array([1.0, 2.0, -1.0, 3.0, 0.5]) > 0
    X, y, z = X[separable], y[separable], z[separable]
    state = new_state(engine_rule(rules.MarginPerceptron(b=required)), "single", 4, 1, False)
    examples = pair_examples(rows_of(X, 1.0), y, None)
    state.begin_worst(examples, 0)
    _, picks = slow_worst(z, required, 300)
    calls = [state.search(examples, 300, 1) for _ in range(len(picks) + 1)]
    assert calls == [(1, False)] * len(picks) + [(0, True)]


def test_a_search_that_was_interrupted_goes_on():
    X, y, z = board(5)
    runs = []
    for parts in ([40], [1, 2, 37]):
        state = new_state(engine_rule(rules.Perceptron()), "single", 4, 1, False)
        examples = pair_examples(rows_of(X, 1.0), y, None)
        state.begin_worst(examples, 1 << 16)
        for steps in parts:
            state.search(examples, steps, MUCH)
        runs.append(state.array("w").tolist())
    assert runs[0] == runs[1]
    assert runs[0] == slow_worst(z, 0.0, 40)[0].reshape(-1, 1).tolist()
