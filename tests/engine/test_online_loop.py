"""The loop of rows one by one, against a slow loop of a few lines."""

import threading

import numpy as np
import pytest

from hardlimit import rules
from hardlimit.engine import engine_rule, new_state, pair_examples, rows_of, shuffle

from ..rounding import near

BIAS = 0.5
MUCH = 1 << 40


def board(seed=0, n=40, d=5, classes=2):
    """Whole numbers, so that every order of summation gives the same sums."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, d)).astype(float)
    return X, rng.integers(0, classes, n).astype(np.int32)


class Slow:
    """One neuron: all hypotheses are kept, one after each presentation."""

    def __init__(self, d, tau, required=0.0, shrink=None):
        self.w, self.tau, self.required, self.shrink = np.zeros(d + 1), tau, required, shrink
        self.hypotheses, self.mistakes, self.corrections = [self.w], 0, 0

    def show(self, x, y, weight=1.0):
        z = y * np.append(x, BIAS)
        margin = z @ self.w
        self.mistakes += margin <= 0
        if margin <= self.required:
            tau = self.tau(margin, z @ z, weight)
            factor = self.shrink(self.corrections) if self.shrink and self.corrections else 1.0
            self.w = factor * self.w + tau * z
            self.corrections += 1
        self.hypotheses.append(self.w)


RULES = {
    "perceptron": (rules.Perceptron(), lambda m, s, weight: weight, 0.0),
    "margin": (rules.MarginPerceptron(b=4.0), lambda m, s, weight: weight, 4.0),
    "relaxation": (rules.Relaxation(eta=1.5, b=2.0), lambda m, s, weight: 1.5 * (2.0 - m) / s, 2.0),
}


def weights_of(state, *mixture):
    return state.weights(*mixture).ravel()


@pytest.mark.parametrize("name", RULES)
def test_one_neuron_is_the_slow_loop(name):
    rule, tau, required = RULES[name]
    X, y = board()
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    state = new_state(engine_rule(rule), "single", X.shape[1], 1, True)
    examples = pair_examples(rows_of(X, BIAS), y, weights)
    slow = Slow(X.shape[1], tau, required)
    for epoch in range(3):
        order = shuffle(len(y), 7, epoch)
        examples.set_order(order)
        assert state.present(examples, 0, MUCH) == len(y)
        before = slow.mistakes, slow.corrections
        for i in order:
            slow.show(X[i], 2.0 * y[i] - 1, weights[i])
        expected = slow.mistakes - before[0], slow.corrections - before[1]
        assert state.take_tally()[0][:2] == expected
        assert weights_of(state, 1, 0, 1) == near(slow.w, 5000)
    n = state.presentations
    assert (n, state.corrections) == (3 * len(y), [slow.corrections])
    mean = np.mean(slow.hypotheses[1:], axis=0)
    assert weights_of(state, 1, 1, n) == near(mean, 20_000)
    before_each = np.mean(slow.hypotheses[:-1], axis=0)
    assert weights_of(state, 0, 1, n) == near(before_each, 20_000)
    scores = state.scores(rows_of(X, BIAS), 1, 1, n).ravel()
    assert scores == near(np.c_[X, np.full(len(X), BIAS)] @ mean, 20_000)


def test_a_rule_that_shrinks_is_the_slow_loop():
    X, y = board(3)
    lam = 2.0
    rule = rules.ShiftingPerceptron(lam=lam)
    state = new_state(engine_rule(rule), "single", X.shape[1], 1, True)
    examples = pair_examples(rows_of(X, BIAS), y, None)
    slow = Slow(X.shape[1], lambda m, s, weight: 1.0, shrink=lambda k: k / (lam + k))
    for _ in range(4):
        state.present(examples, 0, MUCH)
        for x, target in zip(X, y, strict=True):
            slow.show(x, 2.0 * target - 1)
    assert weights_of(state, 1, 0, 1) == near(slow.w, 20_000)
    mean = np.mean(slow.hypotheses[1:], axis=0)
    found = weights_of(state, 1, 1, state.presentations)
    assert found == near(mean, 10**6)
    ((shrinkage, *_),) = state.shrinkages
    assert shrinkage * state.array("w").ravel() == near(slow.w, 5000)


def slow_many(X, y, classes, coupled):
    """Many classes: the right one up and its best rival down, or each against the rest."""
    W, corrections = np.zeros((X.shape[1] + 1, classes)), np.zeros(classes, int)
    for x, target in zip(np.c_[X, np.full(len(X), BIAS)], y, strict=True):
        scores = x @ W
        if coupled:
            rivals = [k for k in range(classes) if k != target]
            rival = max(rivals, key=lambda k: (scores[k], -k))
            if scores[target] - scores[rival] <= 0:
                W[:, target] += x
                W[:, rival] -= x
                corrections[0] += 1
        else:
            for k in range(classes):
                sign = 1.0 if k == target else -1.0
                if sign * scores[k] <= 0:
                    W[:, k] += sign * x
                    corrections[k] += 1
    return W, corrections


@pytest.mark.parametrize("scheme", ["coupled", "independent"])
def test_many_classes_are_the_slow_loop(scheme):
    X, y = board(5, n=80, classes=4)
    state = new_state(engine_rule(rules.Perceptron()), scheme, X.shape[1], 4, False)
    state.present(pair_examples(rows_of(X, BIAS), y, None), 0, MUCH)
    W, corrections = slow_many(X, y, 4, scheme == "coupled")
    assert (state.array("w") == W).all()
    assert state.corrections == corrections[: len(state.corrections)].tolist()


@pytest.mark.parametrize("scheme", ["single", "coupled", "independent"])
@pytest.mark.parametrize("slice_", [1, 40, 1000])
def test_slices_change_nothing(scheme, slice_):
    X, y = board(6, classes=2)
    outputs = 1 if scheme == "single" else 2

    def run(work):
        state = new_state(engine_rule(rules.Perceptron()), scheme, X.shape[1], outputs, True)
        examples, position, calls = pair_examples(rows_of(X, BIAS), y, None), 0, 0
        while position < examples.length:
            position, calls = state.present(examples, position, work), calls + 1
        return state.array("w").tolist(), state.array("u").tolist(), calls

    *whole, once = run(MUCH)
    *parts, often = run(slice_)
    assert parts == whole
    assert once == 1
    assert often == len(y) or slice_ > 1


def test_those_that_are_present_are_shown_and_verified():
    X, y = board(8)
    present = np.arange(0, len(y), 3)
    state = new_state(engine_rule(rules.Perceptron()), "single", X.shape[1], 1, False)
    part = new_state(engine_rule(rules.Perceptron()), "single", X.shape[1], 1, False)
    examples = pair_examples(rows_of(X, BIAS), y, None)
    examples.set_present(present)
    few = pair_examples(rows_of(X[present], BIAS), y[present], None)
    order = shuffle(len(present), 0, 0)
    for one, shown in ((state, examples), (part, few)):
        shown.set_order(order)
        one.present(shown, 0, MUCH)
    assert examples.rows_at(0, 4) == present[order[:4]].tolist()
    assert state.array("w").tolist() == part.array("w").tolist()
    assert state.verify(examples) == part.verify(few)
    z = np.where(y == 1, 1.0, -1.0)[present, None] * np.c_[X, np.full(len(X), BIAS)][present]
    margins = (z @ part.array("w")).ravel()
    assert state.verify(examples) == [(int((margins <= 0).sum()), int((margins < 0).sum()))]


def test_a_neuron_that_rests_learns_nothing():
    X, y = board(9, classes=3)
    state = new_state(engine_rule(rules.Perceptron()), "independent", X.shape[1], 3, False)
    examples = pair_examples(rows_of(X, BIAS), y, None)
    state.rest(1)
    state.present(examples, 0, MUCH)
    assert state.resting == [False, True, False]
    assert not state.array("w")[:, 1].any()
    assert state.corrections[1] == 0
    state.wake()
    state.present(examples, 0, MUCH)
    assert state.corrections[1] > 0


def test_examples_belong_to_one_call_at_a_time():
    """A rule that turns to the very examples it is asked about."""
    seen = []

    class Curious(rules.Rule):
        required = 0

        def tau(self):
            with pytest.raises(ValueError, match="presented in another call"):
                other.present(examples, 0, 1 << 20)
            seen.append(other.presentations)
            return 1

    examples = pair_examples(rows_of(np.eye(3), 1.0), np.array([0, 1, 0], np.int32), None)
    state = new_state(engine_rule(Curious()), "single", 3, 1, False)
    other = new_state(engine_rule(rules.Perceptron()), "single", 3, 1, False)
    assert state.present(examples, 0, 1 << 20) == 3 and set(seen) == {0}
    assert other.present(examples, 0, 1 << 20) == 3, "and are free again"


def test_growing_keeps_what_was_learnt():
    X, y = board(10)
    state = new_state(engine_rule(rules.Perceptron()), "single", X.shape[1], 1, True)
    state.present(pair_examples(rows_of(X, BIAS), y, None), 0, MUCH)
    before = {name: state.array(name).ravel().tolist() for name in state.array_names}
    state.grow_columns(X.shape[1] + 3)
    for name, old in before.items():
        assert state.array(name).ravel().tolist() == [*old[:-1], 0.0, 0.0, 0.0, old[-1]]
    state.rearrange_outputs([-1, 0], [1.0, 0.5], "coupled")
    assert state.array("w")[:, 0].any() == np.False_
    assert (state.array("w")[:, 1] * 2).tolist() == [*before["w"][:-1], 0, 0, 0, before["w"][-1]]


def test_a_snapshot_goes_on_as_the_original():
    X, y = board(11)
    first = new_state(engine_rule(rules.ROMMA()), "single", X.shape[1], 1, True)
    examples = pair_examples(rows_of(X, BIAS), y, None)
    first.present(examples, 0, MUCH)
    copy = new_state(engine_rule(rules.ROMMA()), "single", X.shape[1], 1, True)
    for name in first.array_names:
        copy.set_array(name, first.array(name))
    copy.restore_counts(first.presentations, first.corrections, first.lengths)
    copy.shrinkages = first.shrinkages
    assert copy.has_weights(first.array("w"))
    for state in (first, copy):
        state.present(examples, 0, MUCH)
    assert copy.has_weights(first.array("w"))
    assert (copy.lengths, copy.shrinkages) == (first.lengths, first.shrinkages)


def test_arrays_are_whole_while_another_thread_makes_them_grow():
    """The size is read under the lock: a copy that began before and ended after would overrun."""
    state = new_state(engine_rule(rules.Perceptron()), "single", 10, 1, True)
    ended = threading.Event()

    def grow():
        for n in range(11, 4000, 7):
            state.grow_columns(n)
        ended.set()

    other = threading.Thread(target=grow)
    other.start()
    sizes = set()
    while not ended.is_set():
        w = state.array("w")
        assert not w.any()
        sizes.add(len(w))
    other.join()
    assert len(state.array("w")) == state.n_columns + 1 >= max(sizes, default=0)


WRONG = {
    "another number of columns": lambda s, e: s.present(
        pair_examples(rows_of(np.ones((1, 2)), 0), np.zeros(1, np.int32), None), 0, 1
    ),
    "begins at 0": lambda s, e: s.present(e, -1, 1),
    "no output": lambda s, e: s.present(
        pair_examples(rows_of(np.ones((1, 5)), 0), np.array([2], np.int32), None), 0, 1
    ),
    "do not fit the state": lambda s, e: s.set_array("w", np.zeros((2, 1))),
    "w, u, theta or sigma": lambda s, e: s.array("v"),
    "counts for each counter": lambda s, e: s.restore_counts(1, [1, 2], []),
    "nothing was kept": lambda s, e: s.hypothesis("longest"),
    "one of longest, pocket": lambda s, e: s.watch(["shortest"], 0),
    "a row that is not there": lambda s, e: e.set_order(np.array([40])),
    "there is no such output": lambda s, e: s.rearrange_outputs([3], [1.0], "single"),
}


@pytest.mark.parametrize("reason", WRONG)
def test_what_does_not_fit_is_refused(reason):
    X, y = board()
    state = new_state(engine_rule(rules.Perceptron()), "single", X.shape[1], 1, False)
    with pytest.raises(ValueError, match=reason):
        WRONG[reason](state, pair_examples(rows_of(X, BIAS), y, None))
