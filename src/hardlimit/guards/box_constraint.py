"""The box constraint of the soft margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.foundation.register import check_in_range
from hardlimit.guards._protocol import Guard


@dataclass(frozen=True)
class BoxConstraint(Guard):
    """Leave an example alone whose ``alpha_i``, the sum of its ``tau``, has reached ``C``.

    The bound ``alpha_i <= C`` of the soft margin with linear losses, for rules whose steps have
    lengths of their own: an example of the perceptron, whose steps are 1, is corrected C times at
    most, as by :class:`AlphaBound`. The last correction may pass C by less than its own tau. Where
    every tau is at least t, an example is corrected at most ``C / t + 1`` times, so that training
    ends.

    C : > 0, in the units of tau; smaller trusts each label less.

    Cortes and Vapnik, "Support-vector networks", Machine Learning 20 (1995).
    """

    C: float = 1.0
    place: ClassVar[int] = 3

    def __post_init__(self) -> None:
        check_in_range(self, "C", 0)
