"""Projectron and Projectron++, with the inverse of the supports' Gram matrix written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit import budgets
from hardlimit.foundation.exact_numbers import Scalar, Vector, dot
from hardlimit.textbook.memories import Memory


@dataclass(frozen=True)
class SupportProjection:
    """What the supports say of an example: nearest combination d, squared distance delta."""

    d: Vector
    delta: Any
    projected: bool
    tau: Any


class Projecting(Memory):
    """Held are the supports, each once."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.inverse: list[list[Any]] = []
        self.eta = self.number(self.budget.eta)

    def learn(self, i: int, margin: Scalar) -> bool:
        """A mistake moves the supports or adds one; a small margin may move them."""
        d, delta = self.nearest(i)
        if margin <= 0:
            # In floats a distance of rounding size would make the next inverse worthless.
            near = delta <= self.eta or (self.number is float and self.negligible(i, delta))
            self.told = SupportProjection(d, delta, near, self.number(1))
            return self.move(i, self.number(1), d) if near else self.grow(i, d, delta)
        tau = self.step(i, margin, delta)
        self.told = SupportProjection(d, delta, True, tau)
        return tau > 0 and self.move(i, tau, d)

    def nearest(self, i: int) -> tuple[Vector, Any]:
        """``d = K_S^-1 k`` and ``delta = K(x, x) - <k, d>``, clipped at 0."""
        k = [self.K[j][i] for j, _ in self.held]
        d = tuple(dot(row, k) for row in self.inverse)
        return d, max(self.number(0), self.K[i][i] - dot(k, d))

    def negligible(self, i: int, delta: Scalar) -> bool:
        """Whether the distance is nothing but rounding."""
        return bool(delta <= budgets.NEGLIGIBLE * self.K[i][i])

    def step(self, i: int, margin: Scalar, delta: Scalar) -> Any:
        """How far Projectron++ goes for a margin between 0 and 1."""
        loss, n = 1 - margin, self.K[i][i] - delta
        if self.budget.required == 0 or n <= 0:  # the Projectron, which corrects mistakes only
            return self.number(0)
        free = loss - delta / self.eta
        return min(loss / n, 2 * free / n, self.number(1)) if free > 0 else self.number(0)

    def move(self, i: int, tau: Scalar, d: Vector) -> bool:
        """``beta_S <- beta_S + tau t d``."""
        for entry, share in zip(self.held, d, strict=True):
            entry[1] += tau * self.t[i] * share
        return True

    def grow(self, i: int, d: Vector, delta: Scalar) -> bool:
        """A new support, and the inverse bordered by it."""
        for row, a in zip(self.inverse, d, strict=True):
            for column, b in enumerate(d):
                # The inverse of a bordered matrix: delta is the Schur complement of its corner.
                row[column] += a * b / delta
            row.append(-a / delta)
        self.inverse.append([*(-b / delta for b in d), 1 / delta])
        return self.add(i)
