"""What goes together and what does not: rule, order, schedule, guards and read-outs of one fit."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from hardlimit import guards, orders
from hardlimit.classifiers import stepping
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import eta_of
from hardlimit.exceptions import ConvergenceWarning, InputError
from hardlimit.foundation.stacklevel import caller_stacklevel


class Method(NamedTuple):
    """What corrects, where there are no choices of a fit."""

    rule: Any
    schedule: Any
    guards: tuple[Any, ...]


def check(method: Choices | Method, order: orders.Order) -> None:
    """Refuse, with the reason, what cannot work together.

    Raises
    ------
    InputError
        An order, a schedule or a guard that the rule does not allow.
    """
    guards.check(method.guards, method.rule)
    _check_order(method.rule, order)
    _check_schedule(method, order)


def check_sum(rule: Any, schedule: Any, largest: float) -> None:
    """Refuse an eta with which the plain sum of batch relaxation diverges.

    The criterion has curvature up to ``largest``, the largest eigenvalue of ``sum x x' / ||x||^2``.
    """
    eta = rule.eta * (1 if schedule is None else eta_of(schedule, 1))
    if eta * largest >= 2:
        raise InputError(
            f"orders.Batch(combine='sum'): {rule!r} steps by eta={eta:g}, wanted eta < "
            f"{2 / largest:.4g} = 2 / {largest:.4g} on these examples: beyond it the plain sum "
            "diverges; make eta smaller, or use combine='average'"
        )


def check_streamed(training: Training, order: orders.Order) -> None:
    """Refuse what a stream cannot do, which shows each example once and as a new one."""
    if order.loop != "online":
        raise InputError(
            f"partial_fit: got order={order.loop!r}, which needs all examples at once, and a "
            "stream presents each once, as it comes: use fit, or order='cyclic'"
        )
    if getattr(training.choices.schedule, "search", False):
        raise InputError(
            f"partial_fit: {training.choices.schedule!r} looks for the step of a whole batch, and "
            "a stream has none: use fit, or another schedule"
        )
    knowing = tuple(guard for guard in training.choices.guards if guard.by_example)
    if knowing:
        raise InputError(
            f"guard: {knowing!r} know each training example again, and in a stream every "
            "example is new: use fit, guards.Margin, or guard=None"
        )
    if training.state.needs_example:
        raise InputError(
            f"{training.rule!r} asks for n_i or alpha_i, what became of this example before; in a "
            "stream no example is known again: use fit"
        )


def _check_order(rule: Any, order: orders.Order) -> None:
    name = type(rule).__name__
    if order.loop == "batch" and not getattr(rule, "batch", ""):
        raise InputError(
            f"order='batch': {name} has no batch form; wanted one of the perceptrons or "
            "relaxation, or another order"
        )
    additive = getattr(rule, "answers", "tau") in ("tau", "shrink, tau")
    if order.loop == "worst" and not additive:
        raise InputError(
            f"order='worst': {name} does not add multiples of the examples, so that the scores of "
            "all rows cannot be kept; use another order"
        )


def _check_schedule(method: Choices | Method, order: orders.Order) -> None:
    rule, schedule = method.rule, method.schedule
    if schedule is None:
        return
    name, rule_name = type(schedule).__name__, type(rule).__name__
    if getattr(schedule, "search", False):
        if not getattr(rule, "quadratic", False):
            raise InputError(
                f"schedules.{name}: {rule_name} has no quadratic criterion; that of the perceptron "
                "is piecewise linear, its Hessian is 0 and the step would be divided by it; use "
                "rules.Relaxation, or another schedule"
            )
        if order.loop != "batch":
            raise InputError(
                f"schedules.{name}: it looks for the step of a whole batch; use order='batch'"
            )
        if guards.numbers_of(method.guards)["lam"] > 0:
            raise InputError(
                f"schedules.{name}: the lambda-trick gives each example a coordinate of its own, "
                "which the line does not follow; use guards.AlphaBound, or another schedule"
            )
        return
    if not getattr(rule, "takes_schedule", False):
        raise InputError(
            f"schedule: {rule_name} finds the length of its steps itself, and to multiply them "
            "would break what it promises; use the perceptron, its margin form or relaxation"
        )
    if getattr(schedule, "only_margin", False):
        _check_projection(rule, f"schedules.{name}", order)
    stepping.check(rule, schedule)
    warn_of(schedule)


def _check_projection(rule: Any, name: str, order: orders.Order) -> None:
    """A projection is of one example, onto a margin above 0, by a rule that does not project."""
    rule_name = type(rule).__name__
    if order.loop == "batch":
        raise InputError(
            f"{name}: it takes one example to the margin that is required, and in a batch each has "
            "a step of its own; use an online order, or rules.Relaxation in batches"
        )
    if getattr(rule, "quadratic", False):
        raise InputError(
            f"{name}: {rule_name} projects by itself, and the two would multiply; leave the "
            "schedule out (eta=1 is the exact projection)"
        )
    if callable(rule.required) or not rule.required > 0:
        raise InputError(
            f"{name}: {rule_name} would be projected onto the margin 0, which is a mistake for "
            "ever; use rules.MarginPerceptron(b=1)"
        )


def warn_of(schedule: Any) -> None:
    """Warn of a schedule that breaks the conditions of convergence."""
    verdict = schedule.verdict() if hasattr(schedule, "verdict") else None
    if verdict is not None and not verdict.converges:
        warnings.warn(
            f"schedule {schedule!r}: separable examples may never be separated: {verdict.reason}",
            ConvergenceWarning,
            stacklevel=caller_stacklevel(),
        )
