"""What a rule and a schedule are asked with, and in which numbers."""

import functools
from fractions import Fraction

import pytest

from hardlimit import rules, schedules
from hardlimit.exceptions import InputError, KindError
from hardlimit.textbook.asking import ask, asks_for, make_eta, prepare_rule, violates

from .boards import modified_or

SCALARS = {"margin": 3, "sqnorm": 5, "step": 2}


def test_numbers_answer_themselves():
    assert ask(7, SCALARS) == 7


@pytest.mark.parametrize(
    "method",
    [
        lambda margin, sqnorm: margin - sqnorm,
        lambda sqnorm, margin: margin - sqnorm,
        lambda *, margin, sqnorm: margin - sqnorm,
        lambda margin, sqnorm, other=0: margin - sqnorm + other,
    ],
)
def test_methods_are_given_the_scalars_that_they_name(method):
    assert ask(method, SCALARS) == -2


def test_decorated_methods_are_asked_for_what_they_wrap():
    def twice(function):
        @functools.wraps(function)
        def doubled(*args, **kwargs):
            return 2 * function(*args, **kwargs)

        return doubled

    @twice
    def tau(margin):
        return margin

    assert ask(tau, SCALARS) == 6 and asks_for(tau, "margin") and not asks_for(tau, "step")


def test_bound_methods_leave_self_out():
    assert ask(rules.PassiveAggressive(C=1).tau, {"margin": 0, "sqnorm": 4, "weight": 1})
    assert not asks_for(rules.Perceptron().tau, "self")


def test_a_scalar_that_there_is_not_is_named():
    with pytest.raises(KindError) as caught:
        ask(lambda magic: magic, SCALARS)
    assert caught.value.got == "magic" and "margin, sqnorm, step" in caught.value.wanted


@pytest.mark.parametrize(
    ("rule", "margin", "violated"),
    [
        (rules.Perceptron(), 0, True),  # equality is a mistake
        (rules.Perceptron(), Fraction(1, 10**9), False),
        (rules.PassiveAggressive(), 1, False),  # loss 0 at the margin
        (rules.PassiveAggressive(), Fraction(999, 1000), True),
    ],
)
def test_equality_violates_where_the_rule_says_so(rule, margin, violated):
    assert violates(rule, margin, rule.required) is violated


def test_parameters_become_fractions_as_they_are_written():
    rule = prepare_rule(rules.MarginPerceptron(b=0.1), modified_or())
    assert rule.required == Fraction(1, 10)
    assert prepare_rule("perceptron", modified_or(number=float)).required == 0


def test_a_rule_of_roots_says_what_to_do():
    with pytest.raises(InputError) as caught:
        prepare_rule("alma", modified_or())
    assert caught.value.topic == "no-fractions" and "exact=False" in str(caught.value)


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (None, [1, 1, 1]),
        (0.1, [Fraction(1, 10)] * 3),
        ("1/3", [Fraction(1, 3)] * 3),
        (schedules.Inverse(), [Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)]),
        (schedules.Constant(0.5), [Fraction(1, 2)] * 3),
        (lambda step: 2 / step, [2, 1, Fraction(2, 3)]),
    ],
)
def test_learning_rates_in_fractions(schedule, values):
    eta = make_eta(schedule, modified_or())
    found = [eta({"step": Fraction(k)}) for k in (1, 2, 3)]
    assert found == values and all(isinstance(v, Fraction | int) for v in found)


def test_an_object_without_eta_is_none():
    with pytest.raises(KindError) as caught:
        make_eta(object(), modified_or())
    assert caught.value.parameter == "schedule"
