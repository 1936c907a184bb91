"""What goes with kernels and what does not."""

from __future__ import annotations

from typing import Any

from hardlimit import guards, rules
from hardlimit.budgets import Budget
from hardlimit.classifiers.training import Method
from hardlimit.exceptions import InputError
from hardlimit.foundation.signature import asks_for
from hardlimit.keep import DEFAULT
from hardlimit.orders import Order


def check(method: Method, order: Order) -> None:
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


def check_budget(budget: Budget | None, method: Method) -> None:
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
    asked = any(asks_for(one, "wsq", "alpha_i") for one in (rule.tau, rule.required))
    shrinks = getattr(rule, "answers", "tau") != "tau"
    if shrinks or asked or _trick(method):
        raise InputError(
            f"budget: {type(rule).__name__} with these guards shrinks, or asks for ||w|| or "
            "alpha_i, which say something else once a correction was taken back; use the "
            "perceptron, its margin form, passive-aggressive or relaxation"
        )


def _trick(method: Method) -> bool:
    return any(isinstance(guard, guards.LambdaTrick) for guard in method.guards)


def kept(
    given: Any, possible: tuple[str, ...], budget: Budget | None, readout: str
) -> tuple[str, ...]:
    """The read-outs that a fit with kernels remembers; on a budget by default what answers."""
    if budget is not None and not budget.votes and "voted" in possible:
        if given != "all" or readout == "voted":
            raise InputError(
                f"keep and readout: 'voted' does not go with {type(budget).__name__}, which takes "
                "corrections back, so that the hypotheses do not follow from the corrections; use "
                "'last' or 'longest'"
            )
        possible = tuple(name for name in possible if name != "voted")
    if budget is not None and given != "all" and tuple(given) == DEFAULT:
        possible = tuple(name for name in possible if name in ("last", readout))
    if "pocket-ratchet" in possible and (given != "all" or readout == "pocket-ratchet"):
        raise InputError(
            "keep and readout: 'pocket-ratchet' does not go with kernels: each look at all "
            "examples would cost as much as an epoch; use 'pocket' or 'longest'"
        )
    return tuple(name for name in possible if name != "pocket-ratchet")
