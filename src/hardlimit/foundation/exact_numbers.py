"""Numbers as on the blackboard: vectors as tuples, and decimals as they are written."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, SupportsFloat, TypeVar

from hardlimit.exceptions import InputError, KindError

# What runs are made of: Fractions and ints, or floats. The arithmetic is the same for all of them.
Scalar = int | float | Fraction
Vector = tuple[Any, ...]
Number = Callable[[Any], Any]

T = TypeVar("T")


def exact(value: object) -> Fraction:
    """Return the number as it is written: 0.1 is 1/10, not the binary fraction nearest to it.

    Takes ints, floats, Fractions, Decimals, numpy's numbers, and strings such as "0.1" or "1/3".

    >>> exact(0.1), exact("1/3"), exact(2)
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 1))
    """
    try:
        # the shortest decimal that gives the same float back is the one that was typed
        return value if isinstance(value, Fraction) else Fraction(str(value))
    except ValueError:
        raise InputError(who="textbook", got=value, wanted="a finite number") from None
    except ZeroDivisionError:
        raise InputError(
            "it divides by zero", who="textbook", got=value, wanted="a finite number"
        ) from None


def to_float(value: SupportsFloat | str) -> float:
    """Return a finite float.

    >>> to_float("0.5")
    0.5
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise KindError(who="textbook", got=value, wanted="a number") from None
    except OverflowError:
        raise InputError(who="textbook", got=value, wanted="a finite number") from None
    if not math.isfinite(number):
        raise InputError(who="textbook", got=value, wanted="a finite number")
    return number


def with_exact_parameters(thing: T) -> T:
    """Return a rule or a schedule with its parameters as Fractions; infinity stays what it is.

    >>> from hardlimit import rules
    >>> with_exact_parameters(rules.MarginPerceptron(b=0.1))
    MarginPerceptron(b=Fraction(1, 10))
    """
    if not dataclasses.is_dataclass(thing) or isinstance(thing, type):
        return thing
    fields = {f.name: getattr(thing, f.name) for f in dataclasses.fields(thing) if f.init}
    return dataclasses.replace(
        thing, **{name: _to_exact(v) for name, v in fields.items() if _is_convertible(v)}
    )


def _to_exact(value: object) -> Any:
    return tuple(map(exact, value)) if isinstance(value, tuple) else exact(value)


def _is_convertible(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(_is_convertible, value))
    if isinstance(value, Fraction):
        return True
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value)


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """Return ``<a, b>``, from left to right.

    >>> dot((1, 2), (3, 4))
    11
    """
    return sum(p * q for p, q in zip(a, b, strict=True))


def add(a: Vector, b: Vector) -> Vector:
    """Return ``a + b``."""
    return tuple(p + q for p, q in zip(a, b, strict=True))


def subtract(a: Vector, b: Vector) -> Vector:
    """Return ``a - b``."""
    return tuple(p - q for p, q in zip(a, b, strict=True))


def scale(factor: Scalar, a: Sequence[Any]) -> Vector:
    """Return ``factor a``."""
    return tuple(factor * p for p in a)


def total(vectors: Iterable[Vector], columns: int) -> Vector:
    """Return the sum of vectors; zeros where there is none."""
    added = (0,) * columns
    for vector in vectors:
        added = add(added, vector)
    return added


def sign(value: Scalar) -> int:
    """Return -1, 0 or +1: the sign of 0 is neither class."""
    return int(value > 0) - int(value < 0)
