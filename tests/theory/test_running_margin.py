"""The running bound ||w|| / k: who has one, what it counts, and that it bounds gamma."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules, schedules
from hardlimit.theory.running_margin import RunningMargin, running_margin

from ..rounding import near, roundings


class State:
    """What is asked of a training state."""

    n_columns, n_outputs = 3, 1

    def __init__(self, squared):
        self.squared = squared

    def squared_lengths(self):
        return [self.squared]


def test_the_length_over_step_times_corrections():
    bound = RunningMargin(0.5, n_rows=10, batch=False)
    assert bound.look(State(9.0), mistakes=1, corrections=2) == 3 / (0.5 * 2)
    assert bound.look(State(16.0), mistakes=0, corrections=2) == 4 / (0.5 * 4)


def test_batches_count_the_rows_of_each_correction():
    assert RunningMargin(1.0, 10, batch=True).look(State(9.0), mistakes=6, corrections=1) == 0.5


def test_before_the_first_correction_nothing_is_known():
    assert RunningMargin(1.0, 10, batch=False).look(State(0.0), 0, 0) is None


def test_weights_that_are_many_beside_the_rows_are_not_looked_at():
    state = State(1.0)
    state.n_columns = 4097
    assert RunningMargin(1.0, n_rows=10, batch=False).look(state, 1, 1) is None
    assert RunningMargin(1.0, n_rows=2000, batch=False).look(state, 1, 1) == 1.0


@pytest.mark.parametrize(
    ("rule", "schedule", "weighed"),
    [
        (rules.Relaxation(), None, False),
        (rules.Perceptron(), schedules.Inverse(), False),
        (rules.Perceptron(), None, True),
    ],
)
def test_weights_that_are_no_plain_sum_have_no_bound(rule, schedule, weighed):
    assert running_margin(rule, schedule, 10, weighed, None) is None


def test_it_is_never_below_the_best_margin_of_drawn_rows():
    rng = np.random.default_rng(3)
    u = rng.normal(size=4)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(200, 3))
    scores = X @ u[:3] + u[3]
    X, scores = X[abs(scores) > 0.2], scores[abs(scores) > 0.2]
    gamma = abs(scores).min()
    clf = LinearClassifier(order="cyclic", readout="last").fit(X, scores > 0)
    known = [e.gamma_at_most for e in clf.history_ if e.gamma_at_most is not None]
    assert known and all(bound >= gamma - roundings(10_000) for bound in known)
    assert known[-1] == near(clf.bounds_.gamma.most, 40)
