"""What rules and other choices do, as their attributes say: what the conflicts look at."""

from __future__ import annotations

from typing import Any

from hardlimit import readouts, rules
from hardlimit.classifiers.model.combination import Combination
from hardlimit.foundation.signature import scalars_of


def kind_of_answer(rule: rules.Rule) -> str:
    """What a correction of the rule does."""
    return rule.answers


def adds(rule: rules.Rule) -> bool:
    """Whether a correction adds a multiple of the example, and does at most shrink besides."""
    return kind_of_answer(rule) in ("tau", "shrink, tau")


def asked_scalars(rule: rules.Rule) -> set[str]:
    """The scalars that the rule asks for."""
    # Both methods are given the same scalars, so what either asks for has to be kept.
    return {*scalars_of(rule.tau), *_asked_by_required(rule)}


def _asked_by_required(rule: rules.Rule) -> tuple[str, ...]:
    return scalars_of(rule.required) if callable(rule.required) else ()


def knows_examples(rule: rules.Rule) -> bool:
    """Whether the rule asks what became of an example before."""
    return bool({"n_i", "alpha_i"} & asked_scalars(rule))


def has_coordinates(combination: Combination) -> bool:
    """Whether a guard gives each example a coordinate of its own."""
    return any(guard.coordinates for guard in combination.guards)


def knowing(combination: Combination) -> list[Any]:
    """The guards that know each training example again."""
    return [guard for guard in combination.guards if guard.by_example]


def compares_lives(readout: str) -> bool:
    """Whether this read-out tells hypotheses apart by how long they lived."""
    return readout not in readouts.STREAMED


def searches(combination: Combination) -> bool:
    """Whether the schedule looks for the step of a whole batch."""
    return bool(getattr(combination.schedule, "search", False))


def projects(combination: Combination) -> bool:
    """Whether the schedule takes each example to its required margin."""
    return bool(getattr(combination.schedule, "only_margin", False))


def aims(combination: Combination) -> bool:
    """Whether each example has a step of its own, towards a separator that is known."""
    return bool(getattr(combination.schedule, "of_example", False))
