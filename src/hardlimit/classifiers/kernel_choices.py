"""What goes with kernels and what does not."""

from __future__ import annotations

from typing import Any

from hardlimit.classifiers.training import Method
from hardlimit.exceptions import InputError
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


def kept(given: Any, possible: tuple[str, ...]) -> tuple[str, ...]:
    """The read-outs that a fit with kernels remembers."""
    if given != "all" and "pocket-ratchet" in possible:
        raise InputError(
            "keep: 'pocket-ratchet' does not go with kernels: each look at all examples would cost "
            "as much as an epoch; use 'pocket' or 'longest'"
        )
    return tuple(name for name in possible if name != "pocket-ratchet")
