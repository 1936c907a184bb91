"""One value of a table: whether it is missing, which number it is, how a category is spelled."""

from __future__ import annotations

import math
import numbers
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
_KINDS = (str, bool, int, float)
_NUMBERS = frozenset((bool, int, float))


def count_values(values: Sequence[Any]) -> list[tuple[Any, int]]:
    """Return each distinct value and how often it occurs, in the order of their first.

    Most columns have few distinct values, and what is asked of a value is asked once of each.

    >>> count_values(["a", "b", "a"]), count_values([[1], [1]])
    ([('a', 2), ('b', 1)], [([1], 1), ([1], 1)])
    """
    # 1, 1.0 and True are equal to Python, and not spelled alike.
    if len(set(map(type, values)) & _NUMBERS) > 1:
        return [(value, 1) for value in values]
    try:
        return list(Counter(values).items())
    except TypeError:  # lists and dicts
        return [(value, 1) for value in values]


def map_values(function: Callable[[Any], T], values: Sequence[Any]) -> list[T]:
    """Return what a function makes of each value, asked once of each distinct one.

    >>> map_values(str.upper, ["a", "b", "a"])
    ['A', 'B', 'A']
    """
    if len(values) == 1 or len(set(map(type, values)) & _NUMBERS) > 1:
        return list(map(function, values))
    try:
        distinct = dict.fromkeys(values)
    except TypeError:
        return list(map(function, values))
    known = {value: function(value) for value in distinct}
    return list(map(known.__getitem__, values))


def fold_spellings(spellings: Collection[str]) -> frozenset[str]:
    """Return spellings of missing values as `is_missing` compares them."""
    return frozenset(spelling.strip().casefold() for spelling in spellings)


def is_missing(value: object, spellings: Collection[str]) -> bool:
    """Tell whether a value is missing; None, NaN and white space always are.

    >>> [is_missing(v, {"?"}) for v in ("?", " ", None, float("nan"), "0", 0)]
    [True, True, True, True, False, False]
    """
    if type(value) is str:
        folded = value.strip()
        return not folded or folded.casefold() in spellings
    if value is None or value != value:  # NaN, and pandas' NaT
        return True
    if type(value).__name__ == "NAType":  # of pandas, whose comparisons are neither true nor false
        return True
    return bool(spellings) and str(value).casefold() in spellings


def as_number(value: object) -> float:
    """Return a value as a number; NaN for what is none, infinity for what is too large.

    >>> as_number(" 1e3 "), as_number("1_000"), as_number(True), as_number("inf")
    (1000.0, nan, 1.0, inf)
    """
    if type(value) is float or type(value) is int:
        return _as_float(value)
    if isinstance(value, str):
        # Python reads underscores between digits, and no file means them.
        return math.nan if "_" in value else _as_float(value)
    # numpy's own numbers, fractions, decimals; not what merely knows how to become a float
    return _as_float(value) if isinstance(value, numbers.Number) else math.nan


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def spell_category(value: object) -> str | None:
    """Return the name of a category; None for what can be none.

    A whole number is spelled alike however it is stored: pandas makes floats of whole numbers
    where one is missing.

    >>> [spell_category(v) for v in (" Ghent ", 3, 3.0, 0.5, True, [1])]
    ['Ghent', '3', '3', '0.5', 'True', None]
    """
    if type(value) is str:
        return value.strip()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if hasattr(value, "item") and not hasattr(value, "__len__"):  # numpy's own
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value).strip() if isinstance(value, _KINDS) else None
