"""Schedules ``eta(step)``, one a file: what multiplies the ``tau`` of a correction.

``step`` = 1, 2, ... counts corrections (batch: iterations). For separable examples the corrections
end if ``eta >= 0``, ``sum eta`` diverges and ``sum eta^2 / (sum eta)^2`` tends to 0 (Duda, Hart and
Stork, Pattern Classification, 2nd ed., section 5.5); a schedule that breaks this warns.

By name: ``constant`` or a number, ``1/step``, ``1/sqrt(step)``, ``1/(a+step/b)`` with numbers for a
and b, ``line-search``, ``projection``. Any object with a method ``eta(step)`` will do as well.

>>> from hardlimit import schedules
>>> schedules.resolve("1/sqrt(step)"), schedules.resolve("1/(10+step/5)"), schedules.resolve("0.5")
(Power(exponent=0.5), Inverse(a=10.0, b=5.0), Constant(value=0.5))
"""

from __future__ import annotations

import inspect
import re
from numbers import Rational
from typing import Any

from hardlimit.exceptions import InputError, KindError
from hardlimit.foundation.register import Register
from hardlimit.schedules._protocol import Schedule, Verdict

__all__ = ["Schedule", "Verdict", "names", "resolve"]

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
    ]


def resolve(schedule: Any) -> Any:
    """The schedule that a text or a number means, or the object itself; None stays None.

    Raises
    ------
    InputError
        A text that names no schedule.
    """
    if schedule is None or hasattr(schedule, "eta"):
        if isinstance(schedule, type):
            raise KindError(f"schedule: got the class {schedule.__name__}, wanted an object")
        if schedule is not None and not _takes_a_step(schedule.eta):
            raise KindError(f"schedule: got {schedule!r}, whose eta cannot be asked as eta(step)")
        return schedule
    if isinstance(schedule, dict):
        return SCHEDULES.from_json(schedule)
    if isinstance(schedule, float | Rational) and not isinstance(schedule, bool):
        return SCHEDULES.get("constant", value=schedule)
    if not isinstance(schedule, str):
        raise KindError(
            f"schedule: got {schedule!r}, wanted a number, a name, or an object with a method "
            "eta(step)"
        )
    return _parsed(schedule.replace(" ", ""))


def _takes_a_step(eta: Any) -> bool:
    try:
        inspect.signature(eta).bind(1)
    except TypeError:
        return False
    except ValueError:  # compiled, without a signature
        return callable(eta)
    return True


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
    if text in SCHEDULES.members:
        return SCHEDULES.get(text)
    raise InputError(parameter="schedule", got=text, wanted=", ".join(names()))
