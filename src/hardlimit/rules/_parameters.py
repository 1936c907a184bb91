"""Checks of a rule's parameters, made when it is constructed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float

if TYPE_CHECKING:
    from hardlimit.rules._protocol import Rule


def check_positive(rule: Rule, name: str, *, finite: bool = True, zero: bool = False) -> None:
    """Refuse a parameter that is not a number above 0, or from 0 on with ``zero``."""
    number = as_float(getattr(rule, name))
    # Not "refuse what is below": NaN is neither below nor above.
    good = number >= 0 if zero else number > 0
    if not good or (finite and math.isinf(number)):
        allowed = "" if finite else ", inf allowed"
        raise _out_of_range(rule, name, f"a number {'>= 0' if zero else '> 0'}{allowed}")


def check_between(rule: Rule, name: str, low: float, high: float, *, top: bool = False) -> None:
    """Refuse a parameter that does not lie between two numbers; ``top`` allows the upper one."""
    number = as_float(getattr(rule, name))
    if low < number < high or (top and number == high):
        return
    above = f" and {'<=' if top else '<'} {high}"
    wanted = f"a finite number > {low}" if math.isinf(high) else f"a number > {low}{above}"
    raise _out_of_range(rule, name, wanted)


def check_finite(rule: Rule, name: str) -> None:
    """Refuse a parameter that is not a number."""
    if not math.isfinite(as_float(getattr(rule, name))):
        raise _out_of_range(rule, name, "a number")


def _out_of_range(rule: Rule, name: str, wanted: str) -> InputError:
    who = f"rules.{type(rule).__name__}"
    return InputError(who=who, parameter=name, got=getattr(rule, name), wanted=wanted)
