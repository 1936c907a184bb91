"""Schedules and guards around a rule, number by number."""

import math

import numpy as np
import pytest

from hardlimit import _native, rules, schedules
from hardlimit.engine import compose_rule, engine_rule, new_state, pair_examples, rows_of

SCALARS = {"margin": -0.3, "sqnorm": 2.7, "step": 5, "weight": 1.5, "n_i": 2, "alpha_i": 1.1}
NEUTRAL: dict[str, dict[str, float]] = {}


def guards_of(b=0.0, lam=0.0, alpha=math.inf):
    """The guards that are not neutral, by their names."""
    given = {"margin": {"b": b}, "lambda-trick": {"lam": lam}, "alpha-bound": {"alpha": alpha}}
    return {
        name: numbers
        for name, numbers in given.items()
        if {0.0, math.inf}.isdisjoint(numbers.values())
    }


def perceptron():
    return engine_rule(rules.Perceptron())


def test_every_guard_has_its_place():
    names = [name for name in _native.guard_names() if name in guards_of(1, 1, 1)]
    assert names == ["margin", "lambda-trick", "alpha-bound"]
    with pytest.raises(ValueError, match="no guard is named 'none'"):
        _native.guarded(perceptron(), "none", {})


@pytest.mark.parametrize("b", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("lam", [0.0, 0.7])
@pytest.mark.parametrize("alpha", [math.inf, 2.0, 3.0])
def test_guards_together_are_the_formula(b, lam, alpha):
    numbers = guards_of(b, lam, alpha)
    guarded = compose_rule(engine_rule(rules.PassiveAggressive(C=math.inf)), None, numbers)
    required = -math.inf if SCALARS["n_i"] >= alpha else 1 + b - lam * SCALARS["alpha_i"]
    assert guarded.required(SCALARS) == required
    margin, sqnorm = -0.3 + lam * 1.1, 2.7 + lam
    loss = SCALARS["weight"] - margin  # a heavy example
    assert guarded.change(SCALARS) == (loss / sqnorm, 1.0, 0.0)
    assert guarded.needs_example == (lam > 0 or alpha < math.inf)


def test_the_order_of_roundings_is_that_of_the_registry():
    """What the margin adds is rounded before what the lambda-trick takes away."""
    scalars = SCALARS | {"alpha_i": 1.0}
    guarded = compose_rule(perceptron(), None, guards_of(b=1.0, lam=1e16))
    assert guarded.required(scalars) == 0 + 1.0 - 1e16 == -1e16 + 1 - 1
    assert guarded.required(scalars | {"alpha_i": 1e-16}) == 0.0


def test_without_guards_and_schedule_the_rule_is_the_rule():
    rule = perceptron()
    assert compose_rule(rule, None, NEUTRAL) is rule


SCHEDULES = {
    "constant": (schedules.Constant(0.25), lambda step: 0.25),
    "power": (schedules.Power(0.5), lambda step: 1 / math.sqrt(step)),
    "inverse": (schedules.Inverse(a=2.0, b=4.0), lambda step: 1 / (2 + step / 4)),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_multiplies_tau(name):
    schedule, eta = SCHEDULES[name]
    rule = compose_rule(perceptron(), schedule, NEUTRAL)
    for step in (1, 2, 17, 10**6):
        tau, shrink, beta = rule.change(SCALARS | {"step": step})
        assert (tau, shrink, beta) == (1.5 * eta(step), 1.0, 0.0)


class Halving:
    """A schedule of one's own."""

    asked = ()

    def eta(self, step):
        self.asked = (*self.asked, step)
        return 0.5**step


def test_a_schedule_of_ones_own_is_asked_once_a_correction():
    schedule = Halving()
    rule = compose_rule(perceptron(), schedule, NEUTRAL)
    assert rule.is_python
    X = np.array([[1.0], [-1.0], [2.0]])
    state = new_state(rule, "single", 1, 1, False)
    state.present(pair_examples(rows_of(X, 0.0), np.array([1, 1, 0], np.int32), None), 0, 100)
    # 0.5 from row 0; row 1 scores -0.5 and takes 0.25; row 2 scores 0.5 and takes 0.125 * 2.
    assert schedule.asked == (1, 2, 3)
    assert state.array("w").ravel().tolist() == [0.5 - 0.25 - 0.25, 0.0]


@pytest.mark.parametrize("name", ["longest", "pocket", "pocket-ratchet", "random"])
def test_read_outs_of_a_stream_of_one_class(name):
    """One correction, then silence: every kept hypothesis is the last one."""
    state = new_state(perceptron(), "single", 1, 1, False)
    state.watch([name, "voted"], 3)
    examples = pair_examples(rows_of(np.ones((9, 1)), 0.0), np.ones(9, np.int32), None)
    state.present(examples, 0, 1000)
    state.close(examples)
    assert state.hypothesis(name).ravel().tolist() == [1.0, 0.0]
    assert state.hypothesis(name, True).dtype == np.float32
    with pytest.raises(ValueError, match="nothing was kept"):
        state.hypothesis("voted")
