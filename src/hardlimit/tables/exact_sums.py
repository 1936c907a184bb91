"""Sums of numbers that come some at a time, exact until they are asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITS, _LOW = 53, 26  # of a mantissa, and of its lower part
_MOST = 1 << 30  # numbers whose parts are added up in 64 bits


class ExactSum:
    """A sum whose value is the one of ``math.fsum`` over all numbers, whatever their order.

    Each finite number is an integer times a power of two; integers of one power are added up.
    Memory: an integer for each power that occurs, 2,100 at most. Cost: some 30 ns a number.

    >>> import numpy as np
    >>> total = ExactSum()
    >>> for part in ([1e100, 1.0], [-1e100, 2.0**-60]):
    ...     total.add(np.array(part))
    >>> total.value == 1.0 + 2.0**-60, total.value
    (True, 1.0)
    """

    def __init__(self) -> None:
        self.sums: dict[int, int] = {}

    def add(self, numbers: NDArray[Any]) -> None:
        """Add finite numbers."""
        import numpy as np

        for begin in range(0, len(numbers), _MOST):
            mantissas, exponents = np.frexp(numbers[begin : begin + _MOST])
            whole = np.ldexp(mantissas, _BITS).astype(np.int64)
            high, low = whole >> _LOW, whole & ((1 << _LOW) - 1)
            powers, places = np.unique(exponents, return_inverse=True)
            highs, lows = np.zeros(len(powers), np.int64), np.zeros(len(powers), np.int64)
            np.add.at(highs, places, high)
            np.add.at(lows, places, low)
            for power, above, below in zip(*map(list, (powers, highs, lows)), strict=True):
                whole_sum = (int(above) << _LOW) + int(below)
                self.sums[int(power)] = self.sums.get(int(power), 0) + whole_sum

    def merge(self, other: ExactSum) -> None:
        """Add what another sum holds."""
        for power, whole in other.sums.items():
            self.sums[power] = self.sums.get(power, 0) + whole

    @property
    def value(self) -> float:
        """The nearest double of the sum."""
        if not self.sums:
            return 0.0
        least = min(self.sums)
        total = sum(whole << (power - least) for power, whole in self.sums.items())
        shift = least - _BITS
        # Whole numbers are divided to the nearest double.
        return float(total << shift) if shift >= 0 else total / (1 << -shift)


class NumberSums:
    """The sums of a column of numbers, some of which are missing (NaN)."""

    def __init__(self) -> None:
        self.total, self.squares = ExactSum(), ExactSum()
        self.n, self.missing = 0, False
        self.low, self.high = math.inf, -math.inf

    def add(self, numbers: NDArray[Any]) -> None:
        """Look at some values for the mean."""
        there = numbers[numbers == numbers]
        self.missing |= len(there) < len(numbers)
        if len(there):
            self.total.add(there)
            self.n += len(there)
            self.low = min(self.low, float(there.min()))
            self.high = max(self.high, float(there.max()))

    def add_squares(self, numbers: NDArray[Any], mean: float) -> None:
        """Look at some values for the deviation."""
        apart = numbers[numbers == numbers] - mean
        self.squares.add(apart * apart)

    def merge(self, other: NumberSums) -> NumberSums:
        """Add what was seen of other values; return this."""
        self.total.merge(other.total)
        self.squares.merge(other.squares)
        self.n, self.missing = self.n + other.n, self.missing or other.missing
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        return self

    @property
    def mean(self) -> float:
        """The mean; of equal values that value."""
        if self.low == self.high:
            return self.low
        return self.total.value / self.n if self.n else 0.0
