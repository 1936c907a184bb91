"""A margin required from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.foundation.register import check_in_range
from hardlimit.guards._protocol import Guard, Refusal
from hardlimit.rules import Rule


@dataclass(frozen=True)
class Margin(Guard):
    """Require a margin of ``b`` of a rule that requires 0; the perceptron becomes its margin form.

    b : > 0, in the units of ``<w, x>``; ``10 * mean ||x||^2`` is a strong setting under noise.
    """

    b: float = 1.0
    place: ClassVar[int] = 2
    by_example: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_in_range(self, "b", 0)

    def refusal(self, rule: Rule) -> Refusal | None:
        """Refused by rules whose steps are made for a margin of their own."""
        if rule.takes_margin:
            return None
        return Refusal(
            "the rule takes no margin from outside, since its steps are made for the one that it "
            "requires itself",
            "use the perceptron, or the rule's own parameters",
        )
