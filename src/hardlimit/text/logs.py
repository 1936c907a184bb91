"""Logarithms of whole numbers, correctly rounded by :mod:`decimal`, each computed once."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from functools import lru_cache

# The C library's log differs in its last bit between machines, and model files must not. 36 digits:
# what is added up below is right to 1e-33, far below half a unit of a double, so that one rounding
# at the end gives the nearest double on every machine.
_CONTEXT = Context(prec=36)
_FACTORS = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79)


@lru_cache(maxsize=1 << 20)
def log(number: int) -> Decimal:
    """Return ln(number) for a whole number >= 1, to 33 digits or more.

    The decimal module's own ``ln`` takes 100 microseconds. A number with a small factor is the sum
    of its factors, another one n the even number before it and ``2 atanh(1 / (2n - 1))``, whose
    series is short: about 5 microseconds, and each number once.

    >>> float(log(2)), float(log(7))
    (0.6931471805599453, 1.9459101490553132)
    """
    if number < 3:
        return Decimal(number).ln(_CONTEXT)
    for factor in _FACTORS:
        if number % factor == 0 and number > factor:
            return _CONTEXT.add(log(factor), log(number // factor))
    return _CONTEXT.add(log(number - 1), _twice_atanh_of_inverse(2 * number - 1))


def _twice_atanh_of_inverse(x: int) -> Decimal:
    """Return 2 (1/x + 1/(3 x^3) + 1/(5 x^5) + ...)."""
    power = _CONTEXT.divide(Decimal(2), Decimal(x))
    square = Decimal(x * x)
    total, divisor = power, 1
    while power > Decimal("1e-37"):
        power = _CONTEXT.divide(power, square)
        divisor += 2
        total = _CONTEXT.add(total, _CONTEXT.divide(power, Decimal(divisor)))
    return total


@lru_cache(maxsize=1 << 12)  # a row of a stream asks for the same few
def sublinear(count: int) -> float:
    """Return 1 + ln(count), rounded once.

    >>> sublinear(1)
    1.0
    """
    return float(_CONTEXT.add(1, log(count)))


@lru_cache(maxsize=1 << 12)  # the blocks of a row have as many documents
def smooth_idf(n_documents: int, frequency: int) -> float:
    """Return ln((1 + n) / (1 + df)) + 1, rounded once.

    >>> smooth_idf(9, 9)
    1.0
    """
    difference = _CONTEXT.subtract(log(1 + n_documents), log(1 + frequency))
    return float(_CONTEXT.add(1, difference))


def ratio_idf(n_documents: int, frequency: int) -> float:
    """Return 1 / df, so that a weight is tf / df; a df of 0 counts as 1.

    >>> ratio_idf(9, 4)
    0.25
    """
    return 1.0 / max(frequency, 1)


IDF: dict[str, Callable[[int, int], float]] = {"smooth": smooth_idf, "ratio": ratio_idf}
