"""``NAME:VALUES``: every registered choice can be typed, by discovery over the registers."""

from __future__ import annotations

from fractions import Fraction

import click
import pytest

from hardlimit import rules, schedules
from hardlimit.cli import choice_options, commands
from hardlimit.cli.registers import REGISTERS, list_parameters
from hardlimit.cli.spelling import parse_choice, parse_choices, spell_choice

MEMBERS = [(option, name) for option, place in REGISTERS.items() for name in place.load().names()]
# The only choices without a default for each parameter, and values for the lists.
GIVEN = {"optimal-step": "optimal-step:w=1,1,-1"}


def same(one: object, other: object) -> bool:
    """Whether two choices are one; maps have no comparison of their own."""
    return type(one) is type(other) and one.get_params() == other.get_params()


def refusal(text: str, option: str) -> str:
    with pytest.raises(click.UsageError) as refused:
        parse_choice(text, REGISTERS[option].load(), f"--{option}")
    return refused.value.message


@pytest.mark.parametrize(("option", "name"), MEMBERS)
def test_every_choice_can_be_typed_and_is_spelled_as_it_is_typed(option, name) -> None:
    register = REGISTERS[option].load()
    made = parse_choice(GIVEN.get(name, name), register, f"--{option}")
    assert register.name_of(made) == name
    assert same(parse_choice(spell_choice(made, register), register, f"--{option}"), made)
    # Each value by its name and all in their order are the same choice.
    values = [value for value in made.get_params().values() if not isinstance(value, tuple)]
    typed = ["none" if value is None else str(value).lower() for value in values]
    keys = [key for key, is_list in list_parameters(type(made)).items() if not is_list]
    named = ",".join(f"{key}={value}" for key, value in zip(keys, typed, strict=True))
    if typed:
        for text in (f"{name}:{named}", f"{name}:{','.join(typed)}"):
            assert same(parse_choice(text, register, f"--{option}"), made)


@pytest.mark.parametrize(("option", "name"), MEMBERS)
def test_a_slip_is_answered_with_what_was_given_what_there_is_and_the_mend(option, name) -> None:
    slip = refusal(f"{name[:-1]}x", option)
    assert f"--{option} {name[:-1]}x: wanted one of " in slip and name in slip
    unknown = refusal(f"{name}:nothing=1", option)
    assert unknown.startswith(f"--{option} {name}:nothing=1: no parameter 'nothing', ")
    keys = list_parameters(REGISTERS[option].load().find(name))
    assert all(key in unknown for key in keys) and ("takes no values" in unknown) == (not keys)
    for key in keys:
        if len(key) > 3:
            assert f"did you mean '{key}'?" in refusal(f"{name}:{key[:-1]}=1", option)


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("rule", "paum:tau_plus=x", "--rule paum:tau_plus=x: wanted a number"),
        ("kernel", "polynomial:0.5", "--kernel polynomial:degree=0.5: wanted"),
        ("map", "polynomial:0.5", "--map polynomial:degree=0.5: wanted"),
        ("order", "batch:combine=max", "--order batch:combine=max: wanted 'sum', 'average'"),
        ("readout", "averaged:mean", "--readout averaged:averaging=mean: wanted one of post, pre"),
        ("rule", "paum:1,2,3", "too many values, wanted paum:TAU_PLUS,TAU_MINUS"),
        ("rule", "perceptron:1", "too many values, wanted perceptron"),
        ("rule", "paum:tau_plus=1,2", "got 2 values of tau_plus, wanted one"),
        ("rule", "paum:tau_plus=1,tau_plus=2", "tau_plus is given twice"),
        ("rule", "paum:tau_plus=", "a value is empty"),
        ("schedule", "1/step", "did you mean 'power'?"),
        ("schedule", "1/(10+step/5)", "did you mean 'inverse:a=10,b=5'?"),
    ],
)
def test_values_that_cannot_be(option, text, sentence) -> None:
    assert sentence in refusal(text, option)


def test_fractions_stay_exact_where_they_are_asked_for() -> None:
    made = parse_choice("margin-perceptron:b=1/3", rules.RULES, "--rule", exact=True)
    assert made.b == Fraction(1, 3)
    assert parse_choice("margin-perceptron:b=1/3", rules.RULES, "--rule").b == 1 / 3
    assert parse_choice("optimal-step:1/2,-1", schedules.SCHEDULES, "--schedule").w == (0.5, -1)


def test_a_search_tries_all_combinations_and_a_list_is_one_value() -> None:
    found = parse_choices("scw1:C=1,2,eta=0.8,0.9", rules.RULES, "--rule")
    assert [(one.C, one.eta) for one in found] == [(1, 0.8), (1, 0.9), (2, 0.8), (2, 0.9)]
    (step,) = parse_choices("optimal-step:w=1,2", schedules.SCHEDULES, "--schedule")
    assert step.w == (1, 2)


def test_every_register_has_an_option_of_train_and_names_are_completed() -> None:
    train = {one.name: one for one in commands.load("train").params}
    for option, place in REGISTERS.items():
        typed = train[option].type
        assert isinstance(typed, choice_options.Choice) and typed.name == option
        for name in place.load().names():
            offered = {one.value for one in typed.shell_complete(None, None, name)}
            assert name in offered
            keys = list_parameters(place.load().find(name))
            offered = {one.value for one in typed.shell_complete(None, None, f"{name}:")}
            assert offered == {f"{name}:{key}=" for key in keys}
