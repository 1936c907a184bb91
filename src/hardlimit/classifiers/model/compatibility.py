"""What does not go together, and why: one table, asked before anything is learnt.

Each row (:class:`Conflict`) names a parameter whose value is refused, when, why, and what to do
instead. Everything that depends on it is computed from the rows: the refusals of a fit and of a
stream, what ``keep="all"`` means, whether the neurons of a layer may learn apart, the tables of
``docs/choices.md`` and the pages of the rules.

>>> from hardlimit import orders, rules
>>> conflict = find_conflict(Combination(rules.ROMMA(), orders.Batch()))
>>> conflict.name, conflict.parameter, conflict.reason
('rule-without-batch', 'order', 'the rule has no batch form')
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from hardlimit import readouts, rules
from hardlimit.classifiers.model.ask import Ask
from hardlimit.classifiers.model.combination import Combination
from hardlimit.classifiers.model.conflict import Conflict
from hardlimit.classifiers.model.conflicts import (
    BUDGETS,
    CLASSES,
    GUARDS,
    KERNELS,
    MEANS,
    ORDERS,
    READOUTS,
    RESOLVED,
    SCHEDULES,
    STARTS,
    TABLE,
    WEIGHTS,
    multiplies_steps,
)
from hardlimit.classifiers.model.conflicts_of_requests import REQUESTS
from hardlimit.classifiers.model.conflicts_of_shards import MIXED
from hardlimit.classifiers.model.conflicts_of_ways import (
    COLUMNS_TO_COME,
    TRAINING_STATES,
    WAYS,
)
from hardlimit.classifiers.model.traits import compares_lives, kind_of_answer
from hardlimit.engine import eta_of
from hardlimit.exceptions import ConvergenceWarning, InputError, Suggestion, abbreviate
from hardlimit.foundation.package import caller_stacklevel
from hardlimit.rules import Rule
from hardlimit.schedules import Schedule

__all__ = ["RESOLVED", "TABLE", "Ask", "Combination", "Conflict"]


def find_conflict(asked: Ask, table: Iterable[Conflict] = TABLE) -> Conflict | None:
    """Return the first row that refuses this combination; None where everything goes together.

    Rows of resolved choices are passed over where an :class:`.Ask` has none.
    """
    resolved = isinstance(asked, Combination)
    for conflict in table:
        if (resolved or not conflict.of_choices) and conflict.applies(asked):
            return conflict
    return None


def _check(asked: Ask, table: Iterable[Conflict], parameter: str = "") -> None:
    for conflict in table:
        if conflict.applies(asked):
            raise conflict.error(asked, parameter)


def check_asked(combination: Combination) -> None:
    """Refuse what does not go with what is asked of the training beside its choices."""
    _check(combination, (*REQUESTS, *WAYS, *TRAINING_STATES))


def _rows_about(combination: Combination) -> Iterator[Conflict]:
    """The rows that may apply: what is not set, and an order row by row, conflicts with nothing."""
    if combination.guards:
        yield from GUARDS
    if combination.order.loop != "online":
        yield from ORDERS
    if combination.schedule is not None:
        yield from SCHEDULES
    if combination.mixed:
        yield from MIXED
    if combination.kernel is not None:
        yield from KERNELS
    if combination.budget is not None:
        yield from BUDGETS


def _rows_about_readout(readout: str) -> tuple[Conflict, ...]:
    """The rows that may apply to this read-out."""
    if readout == "last":  # what every fit ends with
        return ()
    return READOUTS if compares_lives(readout) else MEANS


def check_choices(combination: Combination) -> None:
    """Refuse a rule, an order, a schedule, guards, a kernel or a budget that do not go together.

    Raises
    ------
    InputError
        The first conflict of the table; or a schedule whose first step leaves the rule's range.
    """
    _check(combination, _rows_about(combination))
    if combination.schedule is not None and multiplies_steps(combination):
        check_first_step(combination.rule, combination.schedule)
        warn_of_divergence(combination.schedule)


def check_readout(combination: Combination, parameter: str = "readout") -> None:
    """Refuse a read-out that does not go with the rule, the order, the kernel or the budget."""
    _check(combination, _rows_about_readout(combination.readout), parameter)


def check_classes(combination: Combination) -> None:
    """Refuse more than two classes that share corrections, where the rule says why they cannot."""
    _check(combination, CLASSES)


def check_weighted(combination: Combination, parameter: str = "") -> None:
    """Refuse weights other than 0 and 1, where rule or schedule have no meaning for them."""
    _check(replace(combination, weighted=True), WEIGHTS, parameter)


def check_streamed(combination: Combination) -> None:
    """Refuse what batches cannot do, which show each example once and as a new one."""
    _check(combination, WAYS)


def check_growing(combination: Combination) -> None:
    """Refuse columns that come later, where the rule needs to know them at the start."""
    _check(replace(combination, growing=True), COLUMNS_TO_COME)


def check_started(combination: Combination, kept: Iterable[str] = ()) -> None:
    """Refuse weights at the start where they have no meaning for the rule or for what is kept."""
    for readout in dict.fromkeys([combination.readout, *kept]):
        _check(replace(combination, started=True, readout=readout), STARTS)


def resolve_kept(given: Any, combination: Combination, averaging: str) -> tuple[str, ...]:
    """Return the read-outs that a fit remembers; refuse a wish that does not go.

    ``keep="all"`` and the default mean all that goes with the choices; with a budget the default
    means what answers, since an average would hold on to all that it is the average of.
    """
    readout = combination.readout
    # Names first: a read-out that does not exist conflicts with nothing.
    names = readouts.check(given, readout, averaging)
    check_readout(combination)
    # The default was not asked for, so it may shrink to what goes; a wish may not.
    default = given != "all" and tuple(given) == readouts.DEFAULT
    if default and combination.budget is not None:
        names = tuple(name for name in names if name in ("last", readout))
    kept = []
    for name in names:
        rows = () if name == readout else _rows_about_readout(name)
        asked = replace(combination, readout=name) if rows else combination
        conflict = find_conflict(asked, rows) if rows else None
        if conflict is None:
            kept.append(name)
        elif given != "all" and not default:
            raise conflict.error(asked, "keep")
    return tuple(kept)


def learns_apart(combination: Combination, kept: Iterable[str]) -> bool:
    """Whether the neurons of a layer may be learnt by several threads and put side by side.

    A rule of a user's own is called under the interpreter's lock; a linked rule and a full
    covariance keep numbers that all neurons share; survivors are of one run.
    """
    rule = combination.rule
    return (
        combination.multiclass == "ovr"
        and rules.is_registered(rule)
        # Linked rules keep a number that all neurons share.
        and kind_of_answer(rule) in ("tau", "tau, beta", "factor")
        and getattr(rule, "covariance", "diagonal") != "full"
        and not any(map(compares_lives, kept))
    )


# Schedules of rules whose steps have a range. Relaxation moves by ``eta * schedule.eta(step)`` of
# the way, which must lie between 0 and 2: beyond it each step leads away from the solution.


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
    if schedule is None:
        return None
    limit = _limit(rule)
    if math.isfinite(below):
        limit = min(limit, below / _eta(rule))
    if math.isinf(limit) or getattr(schedule, "only_margin", False):
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
