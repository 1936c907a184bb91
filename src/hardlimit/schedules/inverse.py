"""A step that falls like 1/step, from later on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.register import check_in_range
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class Inverse(Schedule):
    """``eta(step) = 1 / (a + step / b)``: about ``1/a`` for the first ``a b`` corrections.

    a : >= 0; the step begins at about 1/a.
    b : > 0; larger falls later.

    >>> Inverse(a=1, b=10).eta(10)
    0.5
    """

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        check_in_range(self, "b", 0)
        if as_float(self.a) != 0:
            check_in_range(self, "a", 0)

    @property
    def falls(self) -> bool:
        """Always."""
        return True

    def eta(self, step: int) -> Any:
        """``1 / (a + step / b)``."""
        return 1 / (self.a + step / self.b)

    def verdict(self) -> ConvergenceVerdict:
        """Always met."""
        return ConvergenceVerdict(
            True, "the sum grows like b log m, and the sum of squares is finite"
        )
