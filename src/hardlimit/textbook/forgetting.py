"""The self-tuned Forgetron, as its paper writes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hardlimit.exceptions import InputError
from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.memories import Memory


@dataclass(frozen=True)
class Forgetting:
    """What the Forgetron did: the shrink, the damage so far, the mistakes so far."""

    phi: float
    damage: float  # Q
    mistakes: int  # M


class Forgetful(Memory):
    """Forgetron: shrink all, then drop the oldest."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.number is not float:
            raise InputError(
                "the Forgetron takes a square root, which is no fraction",
                topic="no-fractions",
                fix="make the examples with number=float",
            )
        self.damage, self.mistakes = 0.0, 0

    def learn(self, i: int, margin: Scalar) -> bool:
        """Add the new one first; the oldest is judged with it."""
        self.add(i)
        self.mistakes += 1
        phi = self.forget() if len(self.held) > self.budget.size else 1.0
        self.told = Forgetting(phi, self.damage, self.mistakes)
        return True

    def forget(self) -> float:
        """Shrink as little as is allowed and drop the oldest."""
        r, c = self.held[0]
        s, f = self.t[r] * c, self.margin(r)
        phi = shrink(s, f, self.damage - 15 / 32 * self.mistakes)
        for entry in self.held:
            entry[1] *= phi
        self.damage += (phi * s) ** 2 + 2 * phi * s - 2 * phi * s * (phi * f)
        # The damage was counted for the oldest as it stands after the shrink.
        self.held.pop(0)
        return phi


def shrink(s: float, f: float, c: float) -> float:
    """The largest phi up to 1 with ``(s^2 - 2 s f) phi^2 + 2 s phi + c <= 0``.

    >>> round(shrink(1.0, 0.0, -15 / 32), 6)  # phi^2 + 2 phi = 15/32
    0.21192
    """
    a, b = s * s - 2 * s * f, 2 * s
    # A quadratic in phi: the largest root up to 1, or 1 where all of [0, 1] is allowed.
    D = b * b - 4 * a * c
    if a == 0:
        return min(1.0, -c / b)
    if a > 0 or (D > 0 and (-b - math.sqrt(D)) / (2 * a) > 1):
        return min(1.0, (-b + math.sqrt(D)) / (2 * a))
    return 1.0
