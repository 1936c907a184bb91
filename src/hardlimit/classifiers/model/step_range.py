"""Schedules of rules whose steps have a range: what leaves it diverges, and is refused.

Relaxation moves by ``eta * schedule.eta(step)`` of the way, which must lie between 0 and 2: beyond
it each step leads away from the solution.
"""

from __future__ import annotations

import math
import warnings

from hardlimit.engine import eta_of
from hardlimit.exceptions import ConvergenceWarning, InputError, Suggestion, abbreviate
from hardlimit.foundation.stacklevel import caller_stacklevel
from hardlimit.rules import Rule
from hardlimit.schedules import Schedule


def warn_of_divergence(schedule: Schedule) -> None:
    """Warn of a schedule that breaks the conditions of convergence."""
    verdict = schedule.verdict() if hasattr(schedule, "verdict") else None
    if verdict is not None and not verdict.converges:
        warnings.warn(
            ConvergenceWarning(
                f"separable examples may never be separated: {verdict.reason}",
                parameter="schedule",
                got=schedule,
            ),
            stacklevel=caller_stacklevel(),
        )


def check_first_step(rule: Rule, schedule: Schedule) -> None:
    """Refuse a schedule that leaves the range of the rule's steps at its start."""
    limit = _limit(rule)
    if math.isfinite(limit) and not getattr(schedule, "only_margin", False):
        BoundedSchedule(rule, schedule, limit).eta(1)


def bound_schedule(
    rule: Rule, schedule: Schedule | None, below: float = math.inf
) -> Schedule | None:
    """Return the schedule, with a look at each step where it might leave the range later.

    below : what ``rule.eta * eta(step)`` must stay below besides: of a batch on its examples.
    """
    limit = _limit(rule)
    if math.isfinite(below):
        limit = min(limit, below / _eta(rule))
    if schedule is None or math.isinf(limit) or getattr(schedule, "only_margin", False):
        return schedule
    return schedule if getattr(schedule, "falls", False) else BoundedSchedule(rule, schedule, limit)


def _limit(rule: Rule) -> float:
    """What ``eta(step)`` must stay below."""
    return float(getattr(rule, "schedule_below", math.inf))


def _eta(rule: Rule) -> float:
    """The share of the way of a quadratic rule."""
    eta: float = getattr(rule, "eta", 1.0)
    return eta


class BoundedSchedule(Schedule):
    """A schedule that refuses a step that the rule does not allow."""

    def __init__(self, rule: Rule, schedule: Schedule, limit: float) -> None:
        self._rule, self._schedule, self._limit = rule, schedule, limit

    def eta(self, step: int) -> float:
        """``eta(step)`` of the schedule.

        Raises
        ------
        InputError
            Outside of the range; what was learnt before stays.
        """
        eta = eta_of(self._schedule, step)
        if not 0 < eta < self._limit:
            raise InputError(
                f"at step {step} it multiplies the step of {self._rule!r} by {eta:g}, wanted a "
                f"number > 0 and < {self._limit:.4g}: beyond it each step leads away from the "
                "solution",
                parameter="schedule",
                got=self._schedule,
                fix="make the schedule or the rule's eta smaller",
            )
        return eta


def check_sum(rule: Rule, schedule: Schedule | None, largest: float) -> None:
    """Refuse an eta with which the plain sum of batch relaxation diverges.

    The criterion has curvature up to ``largest``, the largest eigenvalue of ``sum x x' / ||x||^2``.
    """
    eta = _eta(rule) * (1 if schedule is None else eta_of(schedule, 1))
    if eta * largest >= 2:
        raise InputError(
            "beyond it the plain sum of a batch diverges",
            who=abbreviate(rule),
            parameter="eta",
            got=eta,
            wanted=f"eta < {2 / largest:.4g} = 2 / {largest:.4g} on these examples",
            fix=("make eta smaller, or use ", Suggestion("orders.Batch", combine="average")),
        )
