"""Numbers as they stand in tables and in JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hardlimit.foundation.exact_numbers import Scalar

LONGEST = 11


def format_number(value: Scalar, digits: int = 6, longest: int = LONGEST) -> str:
    """Return a number as on the blackboard; a fraction too long for it is rounded, and has a ``~``.

    >>> from fractions import Fraction
    >>> [format_number(x) for x in (Fraction(1, 2), Fraction(-3), 0.1 + 0.2)]
    ['1/2', '-3', '0.3']
    >>> format_number(Fraction(2**50, 3**40))
    '~9.26082e-05'
    """
    if isinstance(value, float):
        return f"{value + 0.0:.{digits}g}"  # no -0
    text = str(value)
    return text if len(text) <= longest else f"~{approximate(value):.{digits}g}"


def format_short(value: Scalar) -> str:
    """Return the same for the cell of a table: floats have four digits.

    >>> format_short(2 / 3)
    '0.6667'
    """
    return format_number(value, 4)


def format_shorter(value: Scalar) -> str:
    """Return the same where the table is too wide with fractions that long.

    >>> from fractions import Fraction
    >>> format_shorter(Fraction(16349, 19683)), format_shorter(Fraction(-25, 16))
    ('~0.8306', '-25/16')
    """
    return format_number(value, 4, longest=7)


def approximate(value: Scalar) -> float:
    """Return a float near a fraction, infinite where there is none."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def format_exactly(value: Scalar) -> str:
    """Return a number with all its digits: ``1/2``, or the float that reads back the same.

    >>> from fractions import Fraction
    >>> format_exactly(Fraction(1, 2)), format_exactly(0.1)
    ('1/2', '0.1')
    """
    return repr(value) if isinstance(value, float) else str(value)


def to_plain_json(value: object) -> Any:
    """Return what JSON can hold: other fractions than whole numbers as ``"1/2"``."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, tuple | list):
        return [to_plain_json(item) for item in value]
    return value
