"""Schedules of rules whose steps have a range: what leaves it diverges, and is refused.

Relaxation moves by ``eta * schedule.eta(step)`` of the way, which must lie between 0 and 2.
"""

from __future__ import annotations

import math
from typing import Any

from hardlimit.engine import eta_of
from hardlimit.exceptions import InputError


def check(rule: Any, schedule: Any) -> None:
    """Refuse a schedule that leaves the range of the rule's steps at its start."""
    if math.isfinite(_limit(rule)) and not getattr(schedule, "only_margin", False):
        Bounded(rule, schedule).eta(1)


def bounded(rule: Any, schedule: Any) -> Any:
    """The schedule, with a look at each step where it might leave the range later."""
    if schedule is None or math.isinf(_limit(rule)) or getattr(schedule, "only_margin", False):
        return schedule
    return schedule if getattr(schedule, "falls", False) else Bounded(rule, schedule)


def _limit(rule: Any) -> float:
    """What ``eta(step)`` must stay below."""
    return float(getattr(rule, "schedule_below", math.inf))


class Bounded:
    """A schedule that refuses a step that the rule does not allow."""

    def __init__(self, rule: Any, schedule: Any) -> None:
        self._rule, self._schedule = rule, schedule

    def eta(self, step: int) -> Any:
        """``eta(step)`` of the schedule.

        Raises
        ------
        InputError
            Outside of the range; what was learnt before stays.
        """
        eta, limit = eta_of(self._schedule, step), _limit(self._rule)
        if not 0 < eta < limit:
            raise InputError(
                f"schedule {self._schedule!r}: at step {step} it multiplies the step of "
                f"{self._rule!r} by {eta:g}, wanted a number > 0 and < {limit:g}: beyond it each "
                "step leads away from the solution; make the schedule or the rule's eta smaller"
            )
        return eta
