"""What rows, weights and directions must fulfil before a criterion is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Rational, Real

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.foundation.parameters import as_float


def check_numbers(values: Sequence[object]) -> None:
    """Refuse what is no real number, and beside floats an int that no float can hold."""
    for a in values:
        if not isinstance(a, Real):
            raise KindError(who="criteria", got=a, wanted="real numbers")
    rationals = [a for a in values if isinstance(a, Rational)]
    if len(rationals) == len(values):
        return
    for a in rationals:
        if math.isnan(as_float(a)):
            raise InputError(
                "it stands beside floats, none of which is so large",
                who="criteria",
                got=a,
                wanted="ints and Fractions only, or smaller numbers",
            )


def check_length(what: str, length: int, n_columns: int) -> None:
    """Refuse a vector that does not fit the rows."""
    if length != n_columns:
        raise InputError(
            who="criteria",
            got=Given(f"{what} of length {length}"),
            wanted=f"{n_columns}, as the rows have",
        )


def check_margin(margin: Scalar, row: int) -> None:
    """Refuse NaN, whose every comparison is false (the row would count as right), and infinity."""
    if margin != margin or margin in (math.inf, -math.inf):
        raise InputError(
            f"row {row} times w is {margin}", who="criteria", fix="give finite rows and weights"
        )


def check_sqnorm(sqnorm: Scalar) -> None:
    """Refuse a row without length where it is divided by."""
    if sqnorm == 0:
        raise InputError(
            "a row is all zeros, and its distance to a half-space does not exist",
            who="criteria",
            fix="leave it out, or give the rows a bias feature",
        )
