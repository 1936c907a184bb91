"""What goes with kernels and what does not."""

from __future__ import annotations

from hardlimit import guards, rules
from hardlimit.budgets import Budget
from hardlimit.classifiers.model.choices import Choices
from hardlimit.exceptions import InputError
from hardlimit.orders import Order


def check(method: Choices, order: Order) -> None:
    """Refuse what has no dual form, with the reason.

    Raises
    ------
    InputError
        A rule whose corrections are no multiples of the examples; an order that looks at all of
        them before each correction.
    """
    name, answers = type(method.rule).__name__, getattr(method.rule, "answers", "tau")
    if answers not in ("tau", "shrink, tau"):
        raise InputError(
            f"kernel: {name} does more than add multiples of the examples, so that its weights "
            "are no sum over supports; use a rule that adds, such as the perceptron or "
            "passive-aggressive"
        )
    if getattr(method.rule, "nonnegative", False):
        raise InputError(
            f"kernel: {name} is for columns that are not negative; use LinearClassifier"
        )
    if order.loop != "online":
        raise InputError(
            f"order={order.loop!r}: with kernels the examples come one by one; use 'shuffled', "
            "'cyclic' or 'random'"
        )


def check_budget(budget: Budget | None, method: Choices) -> None:
    """Refuse a rule or guard whose corrections cannot be taken back or projected.

    Raises
    ------
    InputError
        With the reason and the mend.
    """
    if budget is None:
        return
    name, rule = type(budget).__name__, method.rule
    plain = rule == rules.get("perceptron")
    plain = plain and method.schedule is None and not method.guards
    if budget.only_perceptron and not plain:
        raise InputError(
            f"budget: {name} goes with the perceptron alone, without a schedule or guards: "
            f"{budget.only_perceptron}; use rule='perceptron', or budgets.RemoveOldest(size)"
        )
    asked = rule.tau.__code__.co_varnames[: rule.tau.__code__.co_argcount]
    if callable(rule.required):
        asked += rule.required.__code__.co_varnames[: rule.required.__code__.co_argcount]
    shrinks = getattr(rule, "answers", "tau") != "tau"
    if shrinks or {"wsq", "alpha_i"} & {*asked} or _trick(method):
        raise InputError(
            f"budget: {type(rule).__name__} with these guards shrinks, or asks for ||w|| or "
            "alpha_i, which say something else once a correction was taken back; use the "
            "perceptron, its margin form, passive-aggressive or relaxation"
        )


def _trick(method: Choices) -> bool:
    return any(isinstance(guard, guards.LambdaTrick) for guard in method.guards)
