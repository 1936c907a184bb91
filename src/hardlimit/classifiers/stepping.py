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
    limit = _limit(rule)
    if math.isfinite(limit) and not getattr(schedule, "only_margin", False):
        Bounded(rule, schedule, limit).eta(1)


def bounded(rule: Any, schedule: Any, below: float = math.inf) -> Any:
    """The schedule, with a look at each step where it might leave the range later.

    below : what ``rule.eta * eta(step)`` must stay below besides.
    """
    limit = _limit(rule)
    if math.isfinite(below):
        limit = min(limit, below / rule.eta)
    if schedule is None or math.isinf(limit) or getattr(schedule, "only_margin", False):
        return schedule
    return schedule if getattr(schedule, "falls", False) else Bounded(rule, schedule, limit)


def _limit(rule: Any) -> float:
    """What ``eta(step)`` must stay below."""
    return float(getattr(rule, "schedule_below", math.inf))


class Bounded:
    """A schedule that refuses a step that the rule does not allow."""

    def __init__(self, rule: Any, schedule: Any, limit: float) -> None:
        self._rule, self._schedule, self._limit = rule, schedule, limit

    def eta(self, step: int) -> Any:
        """``eta(step)`` of the schedule.

        Raises
        ------
        InputError
            Outside of the range; what was learnt before stays.
        """
        eta = eta_of(self._schedule, step)
        if not 0 < eta < self._limit:
            raise InputError(
                f"schedule {self._schedule!r}: at step {step} it multiplies the step of "
                f"{self._rule!r} by {eta:g}, wanted a number > 0 and < {self._limit:.4g}: beyond "
                "it each step leads away from the solution; make the schedule or the rule's eta "
                "smaller"
            )
        return eta
