"""A constant step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.foundation.register import check_in_range
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class Constant(Schedule):
    """``eta(step) = value``.

    value : > 0. From zero weights it only scales a rule that requires the margin 0; beside a margin
        b only ``b / value`` matters. A common slip demands that eta tend to 0: that is sufficient
        for convergence on separable examples, not necessary.

    >>> Constant(0.5).eta(3)
    0.5
    """

    value: float = 1.0

    def __post_init__(self) -> None:
        check_in_range(self, "value", 0)

    @property
    def falls(self) -> bool:
        """Always."""
        return True

    def eta(self, step: int) -> Any:
        """The value."""
        return self.value

    def verdict(self) -> ConvergenceVerdict:
        """Always met."""
        return ConvergenceVerdict(
            True, "the sum grows like m, the sum of squares over its square like 1/m"
        )
