"""What may have been meant, asked of every register."""

from __future__ import annotations

import itertools

import pytest

from hardlimit import budgets, guards, kernels, orders, readouts, rules, scaling, schedules
from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.register import Members
from hardlimit.foundation.suggesting import find_nearest, suggest

REGISTERS = {
    register.kind: register
    for module in (budgets, guards, kernels, orders, readouts, rules, scaling, schedules)
    for register in list(vars(module).values())  # files are imported meanwhile
    if isinstance(register, Members) and len(register.members) > 2
}


@pytest.mark.parametrize("kind", REGISTERS)
def test_slips_in_any_register_find_the_name(kind: str) -> None:
    register = REGISTERS[kind]
    for name in register.names():
        for slip in (name.title().replace("-", ""), name.replace("-", "_"), f"{name}x"):
            if slip == name:
                continue
            with pytest.raises(HardlimitError) as caught:
                register.find(slip)
            assert repr(name) in str(caught.value.fix), (slip, caught.value.fix)


def test_other_names_are_of_one_member_and_no_member() -> None:
    for register in REGISTERS.values():
        others = [o for m in register.members.values() for o in getattr(m, "also_called", ())]
        assert len(set(others)) == len(others) and not set(others) & set(register.members)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("pa", "passive-aggressive"),
        ("PA", "passive-aggressive"),
        ("pa2", "passive-aggressive-2"),
        ("PA-I", "passive-aggressive"),
        ("cw", "scw1"),
        ("sop", "second-order-perceptron"),
        ("percep", "perceptron"),
        ("perceptorn", "perceptron"),
    ],
)
def test_rules_by_their_usual_names(given: str, meant: str) -> None:
    with pytest.raises(HardlimitError) as caught:
        rules.get(given)
    assert caught.value.fix == f"did you mean {meant!r}?"


def test_what_is_near_nothing_finds_nothing() -> None:
    for given in ("", "-", "q", 7, None, "zzzzzz"):
        assert suggest(given, ["perceptron", "winnow-1"]) == ""


def test_the_nearest_of_some_names():
    assert find_nearest("labl", ["text", "label", "labels"]) == "label"
    assert find_nearest("zzz", ["text", "label"]) is None


def test_no_more_than_some_thousand_names_are_compared():
    assert find_nearest("labl", itertools.cycle(["text", "label"])) == "label"


def test_long_names_are_not_compared():
    assert find_nearest("a" * 10**6, ["a" * 10**6]) is None
    assert find_nearest("a" * 199, ["a" * 10**6, "a" * 198]) == "a" * 198
