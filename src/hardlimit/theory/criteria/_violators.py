"""The members of a criterion in plain Python, slow and obvious, and who chooses between the two.

Ints are read as Fractions, so that what divides stays exact; a float makes floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from hardlimit.exceptions import InputError, KindError, abbreviate
from hardlimit.foundation.parameters import as_float


@dataclass(frozen=True)
class Violator:
    """One signed row with its margin ``z w``."""

    z: Sequence[Any]
    margin: Any

    @property
    def sqnorm(self) -> Any:
        """``||z||^2``, > 0."""
        return check_sqnorm(dot(self.z, [exact(a) for a in self.z]))


@dataclass(frozen=True)
class Violators:
    """The rows with ``z w <= required``."""

    index: list[int]
    rows: list[Violator]
    n_columns: int

    def total(self, formula: Callable[[Any], Any]) -> Any:
        """The sum of a formula over the rows."""
        return sum(formula(v) for v in self.rows)

    def combined(self, formula: Callable[[Any], Any], direction: Any = None) -> list[Any]:
        """``sum formula(z) z``; with a direction ``sum formula(z) (z direction) z``."""
        factors = [formula(v) for v in self.rows]
        if direction is not None:
            check_numbers(direction)
            direction = [exact(a) for a in check_length("direction", direction, self.n_columns)]
            factors = [f * dot(v.z, direction) for f, v in zip(factors, self.rows, strict=True)]
        return [
            sum(f * v.z[j] for f, v in zip(factors, self.rows, strict=True))
            for j in range(self.n_columns)
        ]

    def scaled(self, g: list[Any]) -> list[Any]:
        """``g`` with its largest entry 1."""
        most = max(map(abs, g), default=0)
        return [a / most for a in g] if most else g


def exact(a: Any) -> Any:
    """The number itself, an int as a Fraction."""
    return Fraction(a) if isinstance(a, Rational) else a


def dot(z: Sequence[Any], w: Sequence[Any]) -> Any:
    """``<z, w>``, from left to right."""
    return sum(a * b for a, b in zip(z, w, strict=True))


def check_numbers(values: Sequence[Any]) -> None:
    """Refuse what is no real number, and beside floats an int that no float can hold."""
    for a in values:
        if not isinstance(a, Real):
            raise KindError(f"criteria: got {abbreviate(a)}, wanted real numbers")
    rationals = [a for a in values if isinstance(a, Rational)]
    if len(rationals) == len(values):
        return
    for a in rationals:
        if math.isnan(as_float(a)):
            raise InputError(
                f"criteria: got {abbreviate(a)} beside floats, none of which is so large; "
                "wanted ints "
                "and Fractions only, or smaller numbers"
            )


def check_length(what: str, w: Any, n_columns: int) -> Any:
    """Refuse a vector that does not fit the rows."""
    if len(w) != n_columns:
        raise InputError(f"criteria: got {what} of length {len(w)}, the rows have {n_columns}")
    return w


def check_margin(margin: Any, row: int) -> None:
    """Refuse NaN, whose every comparison is false (the row would count as right), and infinity."""
    if margin != margin or margin in (math.inf, -math.inf):
        raise InputError(
            f"criteria: row {row} times w is {margin}; rows and weights must be finite"
        )


def check_sqnorm(sqnorm: Any) -> Any:
    """Refuse a row without length where it is divided by."""
    if sqnorm == 0:
        raise InputError(
            "criteria: a row is all zeros, and its distance to a half-space does not exist; "
            "leave it out, or give the rows a bias feature"
        )
    return sqnorm


def violators_of(criterion: Any, Z: Any, w: Any) -> tuple[Any, Any]:
    """The criterion in the numbers of the rows, and the members at ``w``."""
    if hasattr(Z, "dtype") and Z.dtype == object:
        Z = Z.tolist()  # an array of Fractions stays exact
    if hasattr(Z, "dtype"):
        from hardlimit.theory.criteria._arrays import array_violators

        criterion = criterion.converted(float)
        return criterion, array_violators(criterion.required, Z, w)
    if not isinstance(Z, Sequence) or isinstance(Z, str):
        raise KindError(
            f"criteria: got {type(Z).__name__}, wanted a list of rows, an array or a CSR matrix; "
            "signed_rows(X, y) makes one"
        )
    check_numbers([*w, *(a for z in Z for a in z)])
    weights = [exact(a) for a in w]
    margins = []
    for i, z in enumerate(Z):
        if len(z) != len(weights):
            raise InputError(f"criteria: row {i} has {len(z)} values, w has {len(weights)}")
        margins.append(dot(z, weights))
        check_margin(margins[i], i)
    is_exact = all(isinstance(margin, Rational) for margin in margins)
    criterion = criterion.converted(Fraction if is_exact else float)
    index = [i for i, margin in enumerate(margins) if margin <= criterion.required]
    rows = [Violator(Z[i], margins[i]) for i in index]
    return criterion, Violators(index, rows, len(weights))
