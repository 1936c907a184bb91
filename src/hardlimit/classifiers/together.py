"""The table of :mod:`hardlimit.classifiers.model.compatibility`, asked by a method and an order."""

from __future__ import annotations

from typing import Any

from hardlimit import orders
from hardlimit.classifiers.model import compatibility
from hardlimit.classifiers.model.compatibility import Combination
from hardlimit.classifiers.model.step_range import check_sum, warn_of_divergence
from hardlimit.classifiers.training import Method, Training

__all__ = ["check", "check_streamed", "check_sum", "combination", "kept", "warn_of_divergence"]


def check(method: Method, order: orders.Order) -> None:
    """Refuse, with the reason, what cannot work together."""
    compatibility.check_choices(Combination(method.rule, order, method.schedule, method.guards))


def combination(method: Method, order: orders.Order) -> str:
    """How the corrections of a batch are combined: sum, average or line-search."""
    if not isinstance(order, orders.Batch):
        return "sum"
    if getattr(method.schedule, "search", False):
        return "line-search"
    return order.combine or method.rule.batch


def kept(
    given: Any, readout: str, averaging: str, rule: Any, order: orders.Order
) -> tuple[str, ...]:
    """The read-outs that this fit remembers."""
    asked = Combination(rule, order, readout=readout)
    return compatibility.resolve_kept(given, asked, averaging)


def check_streamed(training: Training, order: orders.Order) -> None:
    """Refuse what a stream cannot do, which shows each example once and as a new one."""
    compatibility.check_streamed(
        Combination(training.rule, order, training.schedule, training.guards)
    )
