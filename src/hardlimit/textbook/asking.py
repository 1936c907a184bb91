"""Asking a rule and a schedule, in the numbers of the run."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Rational
from typing import Any

from hardlimit import rules
from hardlimit.exceptions import InputError, KindError, Setting
from hardlimit.foundation.exact_numbers import Scalar, exact, with_exact_parameters
from hardlimit.foundation.signature import asks_for, called_in_order, called_with_step, scalars_of
from hardlimit.rules import Rule
from hardlimit.schedules import Schedule
from hardlimit.textbook.data import Examples

RuleLike = Rule | str
ScheduleLike = Schedule | Callable[..., Any] | int | float | str | Rational | None

TAKE_FLOATS = ("take floats (", Setting("exact", False), ", or number=float)")


def prepare_rule(rule: RuleLike, examples: Examples) -> Rule:
    """Return the rule with its parameters in the numbers of the examples."""
    resolved: Rule = rules.resolve(rule)
    if examples.number is not exact:
        return resolved
    if not resolved.exact:
        raise InputError(
            f"{resolved.class_name} takes square roots, which are no fractions",
            topic="no-fractions",
            fix=TAKE_FLOATS,
        )
    own: RuleLike = with_exact_parameters(resolved.own)
    return rules.resolve(own)


def ask(answer: object, scalars: dict[str, Any]) -> Any:
    """Return a number as it is; call a method with the scalars that its parameters name.

    >>> ask(1, {}), ask(lambda margin: 1 - margin, {"margin": 3, "step": 1})
    (1, -2)
    """
    if not callable(answer):
        return answer
    names = scalars_of(answer, scalars)
    return called_in_order(answer, names)(*(scalars[name] for name in names))


def violates(rule: Rule, margin: Scalar, required: Scalar) -> bool:
    """Whether an example with that margin is to be corrected."""
    return bool(margin < required or (rule.equality_violates and margin == required))


def make_eta(schedule: ScheduleLike, examples: Examples) -> Callable[[dict[str, Any]], Any]:
    """Return the learning rate as a function of the scalars of a correction; None is 1 throughout.

    A schedule is an object with ``eta(step)``, a function of the step, or a number. It is given the
    step in the numbers of the run, so that ``1 / step`` is exact where they are; a root is taken to
    the digits of a float.
    """
    number = examples.number
    if schedule is None:
        return lambda scalars: number(1)
    if isinstance(schedule, int | float | str | Rational):
        constant = number(schedule)
        return lambda scalars: constant
    # A rate of 0.1 is meant as one tenth, not as the float next to it.
    if number is exact:
        schedule = with_exact_parameters(schedule)
    function = getattr(schedule, "eta", schedule)
    if not callable(function):
        raise KindError(parameter="schedule", got=schedule, wanted="one with eta(step)")
    # Projection and the optimal step look at the example; all others see the step alone.
    if asks_for(function, "margin", "z"):
        return lambda scalars: ask(function, scalars)
    of_step = called_with_step(function)
    return lambda scalars: number(of_step(scalars["step"]))
