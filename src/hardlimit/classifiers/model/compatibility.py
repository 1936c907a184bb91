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

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from hardlimit import readouts, rules
from hardlimit.classifiers.model.conflicts import (
    BUDGETS,
    CLASSES,
    GUARDS,
    KERNELS,
    ORDERS,
    READOUTS,
    SCHEDULES,
    STREAMS,
    TABLE,
    WEIGHTS,
    Combination,
    Conflict,
    compares_lives,
    kind_of_answer,
    multiplies_steps,
)
from hardlimit.classifiers.model.step_range import check_first_step, warn_of_divergence

__all__ = ["TABLE", "Combination", "Conflict"]


def find_conflict(combination: Combination, table: Iterable[Conflict] = TABLE) -> Conflict | None:
    """Return the first row that refuses this combination; None where everything goes together."""
    for conflict in table:
        if conflict.applies(combination):
            return conflict
    return None


def _check(combination: Combination, table: Iterable[Conflict], parameter: str = "") -> None:
    conflict = find_conflict(combination, table)
    if conflict is not None:
        raise conflict.error(combination, parameter)


def _rows_about(combination: Combination) -> Iterator[Conflict]:
    """The rows that may apply: what is not set, and an order row by row, conflicts with nothing."""
    if combination.guards:
        yield from GUARDS
    if combination.order.loop != "online":
        yield from ORDERS
    if combination.schedule is not None:
        yield from SCHEDULES
    if combination.kernel is not None:
        yield from KERNELS
    if combination.budget is not None:
        yield from BUDGETS


def check_choices(combination: Combination) -> None:
    """Refuse a rule, an order, a schedule, guards, a kernel or a budget that do not go together.

    Raises
    ------
    InputError
        The first conflict of the table; or a schedule whose first step leaves the rule's range.
    """
    _check(combination, _rows_about(combination))
    if multiplies_steps(combination):
        check_first_step(combination.rule, combination.schedule)
        warn_of_divergence(combination.schedule)


def check_readout(combination: Combination, parameter: str = "readout") -> None:
    """Refuse a read-out that does not go with the rule, the order, the kernel or the budget."""
    _check(combination, READOUTS, parameter)


def check_classes(combination: Combination) -> None:
    """Refuse more than two classes that share corrections, where the rule says why they cannot."""
    _check(combination, CLASSES)


def check_weighted(combination: Combination, parameter: str = "") -> None:
    """Refuse weights other than 0 and 1, where rule or schedule have no meaning for them."""
    _check(replace(combination, weighted=True), WEIGHTS, parameter)


def check_streamed(combination: Combination) -> None:
    """Refuse what a stream cannot do, which shows each example once and as a new one."""
    _check(replace(combination, streamed=True), STREAMS)


def check_growing(combination: Combination) -> None:
    """Refuse columns that come later, where the rule needs to know them at the start."""
    _check(replace(combination, growing=True), STREAMS)


def resolve_kept(given: Any, combination: Combination, averaging: str) -> tuple[str, ...]:
    """Return the read-outs that a fit remembers; refuse a wish that does not go.

    ``keep="all"`` and the default mean all that goes with the choices; with a budget the default
    means what answers, since an average would hold on to all that it is the average of.
    """
    readout = combination.readout
    names = readouts.check(given, readout, averaging)
    check_readout(combination)
    default = given != "all" and tuple(given) == readouts.DEFAULT
    if default and combination.budget is not None:
        names = tuple(name for name in names if name in ("last", readout))
    kept = []
    for name in names:
        asked = combination if name == readout else replace(combination, readout=name)
        conflict = None if name == readout else find_conflict(asked, READOUTS)
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
        and kind_of_answer(rule) in ("tau", "tau, beta", "factor")
        and getattr(rule, "covariance", "diagonal") != "full"
        and not any(map(compares_lives, kept))
    )
