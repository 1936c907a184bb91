"""The exact minimum along the direction of a batch step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit.exceptions import InputError
from hardlimit.schedules._protocol import ConvergenceVerdict, Schedule


@dataclass(frozen=True)
class LineSearch(Schedule):
    """``eta = ||g||^2 / <g, H g>``, for the batch form of a rule with a quadratic criterion.

    ``g`` is the gradient and ``H`` the Hessian of the criterion at the present violators, those of
    equality included. They join and leave along the way, so that the step is halved while the
    criterion would grow. The rule's own eta then stretches the step: 1 goes to the minimum.

    The perceptron's criterion is refused: it is piecewise linear, its Hessian is 0, and the formula
    divides by 0 (a common slip names it there).
    """

    search: ClassVar[bool] = True

    def eta(self, step: int) -> Any:
        """Not a function of the step."""
        raise InputError("schedules.LineSearch: its step depends on all violators, not on `step`")

    def verdict(self) -> ConvergenceVerdict:
        """Descent by construction."""
        return ConvergenceVerdict(True, "the criterion falls at every step")
