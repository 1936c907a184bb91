"""The table of :mod:`hardlimit.classifiers.model.compatibility`, asked for kernels and budgets."""

from __future__ import annotations

from typing import Any

from hardlimit import kernels
from hardlimit.budgets import Budget
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.classifiers.training import Method
from hardlimit.orders import Order


def check(method: Method, order: Order, kernel: kernels.Kernel, budget: Budget | None) -> None:
    """Refuse what has no dual form or does not go with the budget, with the reason."""
    rule, schedule, guards = method
    compatibility.check_choices(
        Combination(rule, order, schedule, guards, kernel=kernel, budget=budget)
    )


def kept(
    given: Any,
    averaging: str,
    combination: tuple[Any, Order, kernels.Kernel, Budget | None],
    readout: str,
) -> tuple[str, ...]:
    """The read-outs that a fit with kernels remembers; on a budget by default what answers."""
    rule, order, kernel, budget = combination
    asked = Combination(rule, order, kernel=kernel, budget=budget, readout=readout)
    return compatibility.resolve_kept(given, asked, averaging)
