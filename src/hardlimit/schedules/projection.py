"""The step that brings the margin to what is required."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class Projection(Schedule):
    """``eta = (required - margin) / ||x||^2``: after the correction the margin is what is required.

    A stand-in for the best possible step, ``<a, x> / ||x||^2``, which needs the solution a that is
    looked for: any eta below twice that brings w nearer to a. Common slips: w in the place of a
    there, which leaves no eta at all, since the margin of a mistake is <= 0; and to conclude from
    the bound of this step that the perceptron converges with eta = 1, whose bound is Novikoff's.

    The rule must require a margin above 0: a projection onto margin 0 leaves a mistake for ever.
    With the margin perceptron this is :class:`~hardlimit.rules.Relaxation` with eta = 1.

    >>> Projection().eta(1, margin=-2, sqnorm=6, required=1)
    0.5
    """

    only_margin: ClassVar[bool] = True

    def eta(self, step: int, margin: Any = 0, sqnorm: Any = 1, required: Any = 0) -> Any:
        """``(required - margin) / sqnorm``."""
        return (required - margin) / sqnorm

    def verdict(self) -> ConvergenceVerdict:
        """As relaxation with eta = 1."""
        return ConvergenceVerdict(
            True, "each step is a projection onto a half-space that holds the solution"
        )
