"""Floats that bracket a rational or its square root, rounded outward."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

_BITS = 64  # of the quotient, beyond the 53 of a float
_LONGEST = 1 << 16  # bits of an integer that is brought to lowest terms


def round_down(value: Fraction) -> float:
    """The largest float that is not above.

    >>> round_down(Fraction(1, 3)) < Fraction(1, 3) < round_up(Fraction(1, 3))
    True
    """
    try:
        near = float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -math.inf
    # float() rounds to nearest, so that the neighbour below is at most one step away.
    return near if Fraction(near) <= value else math.nextafter(near, -math.inf)


def round_up(value: Fraction) -> float:
    """The least float that is not below."""
    return -round_down(-value)


def bracket_ratio(above: int, below: int, *, up: bool) -> Fraction:
    """Return ``above / below``, or of very long integers a number near it that is not above it.

    up : a number that is not below it. Lowest terms cost the square of the digits, and a proof that
    a stranger made may have millions; 65,536 bits are kept.

    >>> bracket_ratio(6, 4, up=False)
    Fraction(3, 2)
    """
    surplus, lack = (max(0, n.bit_length() - _LONGEST) for n in (above, below))
    above = (above >> surplus) + (1 if up and surplus else 0)
    below = (below >> lack) + (1 if lack and not up else 0)
    return Fraction(above << max(surplus - lack, 0), below << max(lack - surplus, 0))


def root_rounded_down(square: Fraction) -> float:
    """A float that is at most the root of a number >= 0, and near it.

    >>> root_rounded_down(Fraction(2)) <= 2**0.5 <= root_rounded_up(Fraction(2))
    True
    """
    return round_down(_root(square, 0))


def root_rounded_up(square: Fraction) -> float:
    """A float that is at least the root of a number >= 0, and near it."""
    return round_up(_root(square, 1)) if square else 0.0


def _root(square: Fraction, more: int) -> Fraction:
    """The root of n/d is that of n d 4^k over d 2^k; ``more`` is added to the whole part."""
    n, d = square.numerator, square.denominator
    product = n * d
    # So many bits that adding 1 moves the root by less than a float can show.
    k = max(0, _BITS - product.bit_length() // 2)
    return Fraction(math.isqrt(product << 2 * k) + more, d << k)
