"""The lambda-trick: each example has a coordinate of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.exceptions import Suggestion
from hardlimit.foundation.register import check_in_range
from hardlimit.foundation.signature import asks_for
from hardlimit.guards._protocol import Guard, Refusal
from hardlimit.rules import AdditiveRule, Rule


@dataclass(frozen=True)
class LambdaTrick(Guard):
    """Judge example i by ``margin + lam * alpha_i`` while training; at prediction it plays no part.

    As if each example had a coordinate of its own, of squared length lam: the kernel
    ``<x_i, x_j> + lam [i = j]`` of the soft margin with squared losses. In that space every set is
    separable, so that training always ends, after at most ``n (radius^2 + lam) / lam`` corrections.

    lam : > 0, in the units of ``||x||^2``; larger lets more examples be wrong.
    """

    lam: float = 1.0
    place: ClassVar[int] = 0
    coordinates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_in_range(self, "lam", 0)

    def refusal(self, rule: Rule) -> Refusal | None:
        """Refused where a coordinate for each example would have to be kept."""
        # A `required` that asks for the margin is given it without the example's own coordinate.
        asks = asks_for(rule.required, "margin", "wsq") or asks_for(rule.tau, "wsq")
        if isinstance(rule, AdditiveRule) and not asks:
            return None
        return Refusal(
            "the rule does more than add multiples of the examples, or asks for ||w|| or for how "
            "far above the required a margin is, so that a coordinate for each example would have "
            "to be kept",
            ("use ", Suggestion("guards.AlphaBound"), ", or another rule"),
        )
