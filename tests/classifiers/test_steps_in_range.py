"""Relaxation's step, times the schedule, stays between 0 and 2, from the first to the last."""

from dataclasses import dataclass

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules, schedules
from hardlimit.exceptions import InputError

X = np.random.default_rng(0).normal(size=(30, 3))
Y = np.random.default_rng(1).integers(0, 2, 30)


@dataclass(frozen=True)
class Growing:
    """eta = step / 4."""

    def eta(self, step):
        return step / 4


def fit(schedule, eta=1.0, **settings):
    rule = rules.Relaxation(eta=eta)
    return LinearClassifier(rule, schedule=schedule, until=None, max_iter=12, **settings)


@pytest.mark.parametrize(
    ("schedule", "eta"),
    [("2", 1.0), ("1.1", 1.9), ("1/(0.1+step/10)", 1.0), (schedules.Constant(4.0), 0.5)],
)
@pytest.mark.parametrize("order", ["shuffled", "batch"])
def test_a_start_out_of_range_is_refused_before_anything_is_learnt(schedule, eta, order):
    clf = fit(schedule, eta, order=order)
    with pytest.raises(InputError, match="at step 1 .*wanted a number > 0 and <"):
        clf.fit(X, Y)
    with pytest.raises(InputError, match="at step 1"):
        fit(schedule, eta).partial_fit(X, Y)


@pytest.mark.parametrize("schedule", [Growing(), schedules.Power(-0.5)])
@pytest.mark.parametrize("order", ["shuffled", "batch", "worst"])
def test_a_step_that_grows_out_of_range_ends_the_fit(schedule, order):
    with pytest.raises(InputError, match=r"at step (8|4) it multiplies"):
        fit(schedule, order=order).fit(X, Y)


def test_what_stays_in_range_is_not_looked_at():
    for schedule in ("1", "1.99", "1/step", "1/sqrt(step)"):
        fit(schedule).fit(X, Y)
    fit(Growing(), eta=0.001).fit(X, Y)
    LinearClassifier("perceptron", schedule="4", until=None, max_iter=2).fit(X, Y)
