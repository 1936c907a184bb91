"""Powers and exponentials whose bits are the same on every machine.

Those of numpy and of the C library depend on the processor in their last bits.
"""

from __future__ import annotations

import numpy as np

from hardlimit import _native
from hardlimit.foundation.types import Array


def power(base: float, exponent: float) -> float:
    """``base^exponent`` of a base that is not negative, to three units in the last place.

    >>> power(4, 1.5), power(10, -2)
    (8.0, 0.01)
    """
    return _native.power(base, exponent)


def exponentials(numbers: Array) -> Array:
    """``e^x`` of each number, to one unit in the last place.

    >>> exponentials(np.array([[0.0, 1.0]])).round(6).tolist()
    [[1.0, 2.718282]]
    """
    found = np.array(numbers, np.float64, order="C")
    _native.exponentials(found.reshape(-1))
    return found


def ordered_sum(numbers: Array, axis: int = 0) -> Array:
    """The sum along an axis, added from the first number to the last.

    numpy's own sums are made of parts, which differ between its releases and kernels.

    >>> ordered_sum(np.array([[1.0, 2.0], [3.0, 4.0]]), axis=1).tolist()
    [3.0, 7.0]
    """
    if not numbers.shape[axis]:
        return np.zeros(numbers.shape[:axis] + numbers.shape[axis + 1 :])
    total: Array = np.add.accumulate(numbers, axis=axis).take(-1, axis=axis)
    return total
