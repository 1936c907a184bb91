"""Fractions that have grown too long to be read, and soon to be computed with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from hardlimit.exceptions import InputError, Setting
from hardlimit.foundation.formatting import plural

# Some rules double the digits of a fraction every few corrections; Python prints 4,300 at most.
MOST_DIGITS = 2_000
_MOST_BITS = int(MOST_DIGITS * math.log2(10))


def refuse_long(line: object, steps: int) -> None:
    """Refuse a step or an outcome with a numerator or denominator of more than `MOST_DIGITS`.

    >>> from hardlimit.textbook import Outcome
    >>> refuse_long(Outcome("max_iter", (Fraction(1, 10**2001),), 1, 1, (), (), ()), steps=4)
    Traceback (most recent call last):
    hardlimit.exceptions.InputError: trace: after 4 steps a fraction has more than 2,000 digits,
    and the next ones have more; take floats (exact=False, or number=float), or fewer steps
    """
    for value in _fractions(vars(line).values()):
        # Bits instead of digits: writing a long number out costs the square of its length.
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise InputError(
                f"after {plural(steps, 'step')} a fraction has more than {MOST_DIGITS:,} digits, "
                "and the next ones have more",
                who="trace",
                fix=(
                    "take floats (",
                    Setting("exact", False),
                    ", or number=float), or fewer steps",
                ),
                topic="long-fractions",
            )


def _fractions(values: Iterable[Any]) -> Iterator[Fraction]:
    for value in values:
        if isinstance(value, Fraction):
            yield value
        elif isinstance(value, tuple):
            yield from _fractions(value)
