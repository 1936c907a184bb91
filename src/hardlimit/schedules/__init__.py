"""Schedules ``eta(step)``, one a file: what multiplies the ``tau`` of a correction.

``step`` = 1, 2, ... counts corrections (batch: iterations). For separable examples the corrections
end if ``eta >= 0``, ``sum eta`` diverges and ``sum eta^2 / (sum eta)^2`` tends to 0 (Duda, Hart and
Stork, Pattern Classification, 2nd ed., section 5.5); a schedule that breaks this warns.

By name: ``constant`` or a number, ``1/step``, ``1/sqrt(step)``, ``1/(a+step/b)`` with numbers for a
and b, ``line-search``, ``projection``, ``optimal(w1,w2,...)`` for a known separator. Any object
with a method ``eta(step)`` will do as well.

>>> from hardlimit import schedules
>>> schedules.resolve("1/sqrt(step)"), schedules.resolve("1/(10+step/5)"), schedules.resolve("0.5")
(Power(exponent=0.5), Inverse(a=10.0, b=5.0), Constant(value=0.5))
"""

from __future__ import annotations

import re
from numbers import Rational
from typing import Any

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.register import Register
from hardlimit.foundation.signature import asks_for, called_with_step
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule

__all__ = ["Schedule", "ConvergenceVerdict", "names", "resolve"]

SCHEDULES: Register[Schedule] = Register("schedule", Schedule)
SCHEDULES.discover(globals())
_NUMBER = r"([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|\.[0-9]+(?:e[+-]?[0-9]+)?)"


def names() -> list[str]:
    """How schedules are written where a text names them."""
    return [
        "constant",
        "NUMBER",
        "1/step",
        "1/sqrt(step)",
        "1/(A+step/B)",
        "line-search",
        "projection",
        "optimal(W1,W2,...)",
    ]


def resolve(schedule: object) -> Any:
    """The schedule that a text or a number means, or the object itself; None stays None.

    Raises
    ------
    InputError
        A text that names no schedule.
    """
    if schedule is None or hasattr(schedule, "eta"):
        if schedule is not None:
            _check_schedule(schedule)
        return schedule
    if isinstance(schedule, dict):
        return SCHEDULES.from_json(schedule)
    if isinstance(schedule, float | Rational) and not isinstance(schedule, bool):
        return SCHEDULES.get("constant", value=schedule)
    if not isinstance(schedule, str):
        raise KindError(
            parameter="schedule",
            got=schedule,
            wanted="a number, a name, or an object with a method eta(step)",
        )
    return _parsed(schedule.replace(" ", ""))


def _check_schedule(schedule: Any) -> None:
    """Refuse an object whose ``eta`` cannot be asked for the step alone."""
    if isinstance(schedule, type):
        raise SCHEDULES.wrong_kind(schedule)
    try:
        called_with_step(schedule.eta)
    except KindError as error:
        raise error.replaced(who="", parameter="schedule", got=schedule) from None
    # The compiled projection is told the margin; a Python object is asked for the step alone, and
    # would quietly go on with its defaults.
    if not SCHEDULES.holds(schedule) and asks_for(schedule.eta, "margin", "sqnorm", "required"):
        raise KindError(
            "its eta asks for more than the step, which only hardlimit's own Projection is told",
            parameter="schedule",
            got=schedule,
            fix="give it a method eta(step), or write a rule whose tau asks for the margin",
        )


def _read_numbers(text: str, listed: str) -> tuple[Any, ...]:
    from fractions import Fraction  # start-up: few schedules hold numbers

    try:
        # Fractions, which the textbook takes as they are; a fit makes floats of them.
        return tuple(Fraction(part) for part in listed.split(","))
    except (ValueError, ZeroDivisionError):
        raise InputError(
            parameter="schedule", got=text, wanted="optimal(W1,W2,...), the bias's weight last"
        ) from None


def _parsed(text: str) -> Any:
    if text in ("1/step", "1/sqrt(step)"):
        return SCHEDULES.get("power", exponent=1.0 if text == "1/step" else 0.5)
    if re.fullmatch(_NUMBER, text):
        return SCHEDULES.get("constant", value=float(text))
    fraction = re.fullmatch(rf"{_NUMBER}/{_NUMBER}", text)
    if fraction and float(fraction[2]) > 0:
        return SCHEDULES.get("constant", value=float(fraction[1]) / float(fraction[2]))
    inverse = re.fullmatch(rf"1/\({_NUMBER}\+step/{_NUMBER}\)", text)
    if inverse:
        return SCHEDULES.get("inverse", a=float(inverse[1]), b=float(inverse[2]))
    known = re.fullmatch(r"optimal\((.*)\)", text)
    if known:
        return SCHEDULES.get("optimal-step", w=_read_numbers(text, known[1]))
    if text in SCHEDULES.members:
        return SCHEDULES.get(text)
    raise InputError(parameter="schedule", got=text, wanted=", ".join(names()))
