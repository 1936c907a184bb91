"""What a schedule is."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from hardlimit.foundation.register import Choice


class ConvergenceVerdict(NamedTuple):
    """Whether a schedule meets the conditions of convergence, and why."""

    converges: bool
    reason: str


class Schedule(Choice):
    """Base of the schedules: frozen dataclasses with ``eta``."""

    search: ClassVar[bool] = False  # whether the batch loop finds the step itself
    only_margin: ClassVar[bool] = False  # whether the rule must require a margin above 0
    of_example: ClassVar[bool] = False  # whether ``eta`` depends on the example, and on that alone

    @property
    def falls(self) -> bool:
        """Whether ``eta(step)`` never grows, and is always > 0."""
        return False

    def eta(self, step: int) -> Any:
        """What multiplies ``tau`` at the correction (or iteration) number step = 1, 2, ..."""
        raise NotImplementedError

    def verdict(self) -> ConvergenceVerdict:
        """Whether ``sum eta`` diverges and ``sum eta^2 / (sum eta)^2`` tends to 0."""
        raise NotImplementedError
