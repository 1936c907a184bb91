"""Every finite float is a rational: columns scaled to integers, and vectors to common integers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hardlimit.certificates.exact.entries import Entries, Exact
from hardlimit.foundation import progress

Array = np.ndarray[Any, Any]

_PURPOSE = "turning the numbers into integers"
_REPORTED = 1 << 16  # numbers between two reports of progress
_FLOAT_BITS = 450  # of 1024: room for squares and sums of them


def to_integers(entries: Entries) -> tuple[list[int], list[int]]:
    """The CSR values as integers, after scaling each column by one number.

    Returns the integers, and the scale of each column: the least power of two that clears its
    floats, the least common denominator of its fractions; 1 for integers.

    >>> import numpy as np
    >>> to_integers(Entries((2, 2), np.array([[0.5, 3.0], [0.75, -1.0]])))
    ([2, 3, 3, -1], [4, 1])
    """
    n_columns = entries.shape[1]
    if entries.exact is not None:
        return _of_fractions(entries.exact, entries.indices, n_columns)
    progress.report(_PURPOSE)
    mantissa, exponent = split_floats(entries.values)
    lowest = np.zeros(n_columns, np.int64)
    np.minimum.at(lowest, entries.indices, exponent)
    shift = exponent - lowest[entries.indices]
    scales = [1 << -e for e in lowest.tolist()]
    return shift_left(mantissa, shift), scales


def split_floats(values: Array) -> tuple[Array, Array]:
    """Odd integers and exponents with ``values == mantissa * 2 ** exponent``, exactly; 0 for 0."""
    # frexp: values = fraction 2^exponent with 1/2 <= |fraction| < 1, so that 53 bits make an
    # integer of it; its trailing zeros then go into the exponent.
    fraction, exponent = np.frexp(values)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    trailing = _trailing_zeros(mantissa)
    odd_exponent = np.where(mantissa == 0, 0, exponent.astype(np.int64) - 53 + trailing)
    return mantissa >> trailing, odd_exponent


def _trailing_zeros(numbers: Array) -> Array:
    # x & -x is the lowest bit that is set, a power of two, whose exponent frexp tells.
    lowest = numbers & -numbers
    zeros = np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1
    return np.maximum(zeros, 0)


def shift_left(mantissa: Array, shift: Array) -> list[int]:
    """Integers ``mantissa << shift``, as Python's, which have no limit."""
    if not len(shift) or int(shift.max()) <= 9:  # 53 bits and 9 more fit into 64
        small: list[int] = (mantissa << shift).tolist()
        return small
    large: list[int] = []
    for first in range(0, len(shift), _REPORTED):
        progress.report(_PURPOSE, first, len(shift))
        part = slice(first, first + _REPORTED)
        large += [
            m << s for m, s in zip(mantissa[part].tolist(), shift[part].tolist(), strict=True)
        ]
    return large


def _of_fractions(
    exact: Sequence[Exact], indices: Array, n_columns: int
) -> tuple[list[int], list[int]]:
    scales = [1] * n_columns
    columns = indices.tolist()
    for value, j in zip(exact, columns, strict=True):
        if isinstance(value, Fraction):
            scales[j] = math.lcm(scales[j], value.denominator)
    pairs = zip(exact, columns, strict=True)
    return [_whole(value * scales[j]) for value, j in pairs], scales


def _whole(value: Exact) -> int:
    return value if isinstance(value, int) else value.numerator


def common_integers(values: Iterable[Exact | float]) -> tuple[list[int], int]:
    """Integers and the one positive divisor that gives the values back, exactly.

    >>> common_integers([0.5, Fraction(1, 3)])
    ([3, 2], 6)
    """
    ratios = [v.as_integer_ratio() for v in values]
    divisor = math.lcm(*{below for _, below in ratios})
    return [above * (divisor // below) for above, below in ratios], divisor


def to_floats(numbers: Array | Sequence[Any]) -> Array:
    """A vector of float64; exact numbers beyond floats are brought down together.

    >>> to_floats([1 << 2000, 3 << 2000]).tolist() == [2.0**448, 3 * 2.0**448]
    True
    """
    if isinstance(numbers, np.ndarray):
        return numbers.astype(np.float64, copy=False)
    largest = max((abs(v) for v in numbers), default=0)
    # One shift for all: only ratios count, and they stay what they are.
    shift = max(0, int(largest).bit_length() - _FLOAT_BITS)
    return np.array([float(v / (1 << shift)) if shift else float(v) for v in numbers])
