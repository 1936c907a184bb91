"""What a cycle is seen by: kept states, bits after the point, steps of one length, memory."""

import math

import pytest

from hardlimit import rules, schedules
from hardlimit.theory.cycling import (
    MOST_BITS,
    KeptEpochs,
    bits_of,
    forgets,
    is_steady,
    step_of,
)


def test_the_state_is_kept_after_epochs_that_double():
    past, kept = KeptEpochs(), []
    for epoch in range(1, 40):
        if epoch == past.due:
            past.keep(epoch)
            kept.append(epoch)
    assert kept == [1, 2, 4, 8, 16, 32]


def test_a_period_counts_from_the_state_that_is_kept():
    past = KeptEpochs()
    past.corrections = 5
    past.keep(4)
    past.corrections += 7
    assert past.period(10) == (6, 7)
    past.keep(10)
    assert (past.before, past.corrections) == (12, 0)


@pytest.mark.parametrize("start", range(1, 9))
@pytest.mark.parametrize("period", range(1, 9))
def test_every_period_is_seen_whole_and_never_a_multiple_of_it(start, period):
    """States 0, 1, 2, ... that go round from ``start`` on; an epoch makes one correction."""
    past, kept = KeptEpochs(), 0
    for epoch in range(1, 200):
        state = epoch if epoch < start else start + (epoch - start) % period
        past.corrections += 1
        if state == kept:
            assert past.period(epoch) == (period, period)
            return
        if epoch == past.due:
            past.keep(epoch)
            kept = state
    pytest.fail("not seen")


@pytest.mark.parametrize(
    ("values", "bits"),
    [
        ([], 0),
        ([3.0, -7, 2.0**60], 0),
        ([0.5, 0.75, 1.0], 2),
        ([-(2.0**-MOST_BITS)], MOST_BITS),
        ([2.0 ** -(MOST_BITS + 1)], None),
        ([0.1], None),
        ([1e-300], None),
    ],
)
def test_bits_after_the_point(values, bits):
    assert bits_of(values) == bits
    if bits:
        scaled = [value * 2**bits for value in values]
        assert all(value == math.floor(value) for value in scaled)
        assert not all(value / 2 == math.floor(value / 2) for value in scaled)


class Doubled(rules.Perceptron):
    """A subclass: what it does is not known from its parent."""

    def tau(self, weight=1):
        return 2 * weight


@pytest.mark.parametrize(
    ("rule", "schedule", "step"),
    [
        (rules.Perceptron(), None, 1.0),
        (rules.MarginPerceptron(3), schedules.Constant(0.25), 0.25),
        (rules.DynamicMargin(), None, 1.0),
        (rules.Perceptron(), schedules.Inverse(), None),
        (rules.Relaxation(), None, None),
        (rules.AROW(), None, None),
        (rules.BalancedWinnow(), None, None),
        (Doubled(), None, None),
    ],
)
def test_steps_of_one_length(rule, schedule, step):
    assert step_of(rule, schedule) == step


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        (rules.Perceptron(), True),
        (rules.PAUM(), True),
        (rules.Relaxation(), True),
        (rules.PassiveAggressive(), True),
        (rules.DynamicMargin(), False),
        (rules.ALMA(), False),
        (rules.AdaTron(), False),
        (rules.ShiftingPerceptron(), False),
        (Doubled(), False),
    ],
)
def test_rules_without_memory(rule, answer):
    assert forgets(rule) is answer


def test_only_a_constant_is_steady():
    class Falling(schedules.Constant):
        def eta(self, step):
            return 1 / step

    assert is_steady(None) and is_steady(schedules.Constant(2.0))
    assert not is_steady(Falling(2.0)) and not is_steady(schedules.Inverse())
