"""The members of a criterion in plain Python, slow and obvious.

Ints are read as Fractions, so that what divides stays exact; a float makes floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar, dot
from hardlimit.theory.criteria._checks import check_length, check_numbers, check_sqnorm


@dataclass(frozen=True)
class Violator:
    """One signed row with its margin ``z w``."""

    z: Sequence[Any]
    margin: Any

    @property
    def sqnorm(self) -> Any:
        """``||z||^2``, > 0."""
        square = dot(self.z, [to_exact(a) for a in self.z])
        check_sqnorm(square)
        return square


@dataclass(frozen=True)
class Violators:
    """The rows with ``z w <= required``."""

    index: list[int]
    rows: list[Violator]
    n_columns: int

    def total(self, formula: Callable[[Any], Any]) -> Any:
        """Return the sum of a formula over the rows."""
        return sum(formula(v) for v in self.rows)

    def combine(
        self, formula: Callable[[Any], Any], direction: Sequence[Scalar] | None = None
    ) -> list[Any]:
        """Return ``sum formula(z) z``; with a direction ``sum formula(z) (z direction) z``."""
        factors = [formula(v) for v in self.rows]
        if direction is not None:
            check_numbers(direction)
            check_length("direction", len(direction), self.n_columns)
            along = [to_exact(a) for a in direction]
            factors = [f * dot(v.z, along) for f, v in zip(factors, self.rows, strict=True)]
        return [
            sum(f * v.z[j] for f, v in zip(factors, self.rows, strict=True))
            for j in range(self.n_columns)
        ]

    def normalise(self, g: list[Any]) -> list[Any]:
        """Return ``g`` with its largest entry 1."""
        most = max(map(abs, g), default=0)
        return [a / most for a in g] if most else g


def to_exact(a: Scalar) -> Scalar:
    """Return the number itself, an int as a Fraction."""
    return Fraction(a) if isinstance(a, Rational) else a
