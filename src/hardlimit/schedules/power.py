"""A step that falls, or grows, with a power of the number of corrections."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hardlimit.engine import power
from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class Power(Schedule):
    """``eta(step) = 1 / step^exponent``; ``step`` counts corrections, never examples.

    exponent : any number; 1 is ``1/step``, 1/2 is ``1/sqrt(step)``. The conditions are met up to 1;
        above, the steps add up to a finite length, and separable examples may never be separated.
        With 1/step the sum grows like a logarithm: expect many more corrections.

    >>> Power(1).eta(4), Power(0.5).eta(4)
    (0.25, 0.5)
    """

    exponent: float = 1.0

    def __post_init__(self) -> None:
        if not math.isfinite(as_float(self.exponent)):
            raise InputError(
                who="Power", parameter="exponent", got=self.exponent, wanted="a finite number"
            )

    @property
    def falls(self) -> bool:
        """For exponents from 0 on."""
        return self.exponent >= 0

    def eta(self, step: int) -> Any:
        """``step^-exponent``."""
        if self.exponent == 0:
            return 1
        if self.exponent == 0.5:
            return 1 / math.sqrt(step)
        if self.exponent == 1:
            return 1 / step
        return power(step, -self.exponent)

    def verdict(self) -> ConvergenceVerdict:
        """Met for exponents up to 1."""
        if self.exponent <= 1:
            return ConvergenceVerdict(True, "the sum of 1/step^p diverges for p <= 1")
        return ConvergenceVerdict(False, f"the sum of 1/step^{self.exponent:g} is finite")
