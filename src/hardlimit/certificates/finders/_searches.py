"""What the finders over compiled searches share: the rows they see, and when they say something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hardlimit.certificates.finders._protocol import Direction, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows
from hardlimit.engine import SLICE, new_search

Array = np.ndarray[Any, Any]

NOTHING_LEFT = 1e-15
"""A combination this short, beside the longest row, is 0 as far as floats can tell."""


class View:
    """Signed rows as a search sees them, and the way back.

    Parameters
    ----------
    rows
        The signed rows.
    unit
        Whether the search sees rows of unit length; else all rows by one power of two, so that the
        longest has a length of about 1. Either way norms neither over- nor underflow.
    """

    def __init__(self, rows: SignedRows, *, unit: bool) -> None:
        self.rows = rows
        self.largest = largest_values(rows)
        self.divisors = self._lengths() if unit else self._one_for_all()
        self.matrix = divided(rows, self.divisors)

    def _lengths(self) -> Array:
        scaled = divided(self.rows, self.largest)
        values = scaled[0] if isinstance(scaled, tuple) else scaled.ravel()
        counts = np.diff(self.rows.indptr) if isinstance(scaled, tuple) else scaled.shape[1]
        row = np.repeat(np.arange(self.rows.n_rows), counts)
        lengths: Array = self.largest * np.sqrt(np.bincount(row, values * values, self.rows.n_rows))
        return lengths

    def _one_for_all(self) -> Array:
        most = self.largest.max(initial=0.0)
        return np.full(self.rows.n_rows, np.exp2(np.floor(np.log2(most))) if most > 0 else 1.0)

    def zero_row(self) -> Weighting | None:
        """The proof that a row of zeros is, if there is one."""
        zero = np.flatnonzero(self.largest == 0)
        return Weighting([int(zero[0])], [1]) if len(zero) else None

    def weighting(self, multipliers: Array) -> Weighting | None:
        """Multipliers of the rows as given; those too small to tell are dropped."""
        used = np.flatnonzero(multipliers > 1e-14 * multipliers.max(initial=0.0))
        if not len(used):
            return None
        shares = multipliers[used] / self.divisors[used] * self.divisors[used].min()
        return Weighting(used, shares)


def largest_values(rows: SignedRows) -> Array:
    """The largest absolute value of each row."""
    if rows.dense is not None:
        most: Array = np.abs(rows.dense).max(1, initial=0.0)
        return most
    most = np.zeros(rows.n_rows)
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.indptr))
    np.maximum.at(most, row, np.abs(rows.data))
    return most


def divided(rows: SignedRows, divisors: Array) -> Any:
    """Each row divided by a number of its own; a row of zeros is left as it is."""
    divisors = np.where(divisors > 0, divisors, 1.0)
    if rows.dense is not None:
        return rows.dense / divisors[:, None]
    by_value = np.repeat(divisors, np.diff(rows.indptr))
    return rows.data / by_value, rows.indices, rows.indptr


class Telling:
    """Decides when a finding is news: each costs the race an exact look at all rows.

    A direction or a weighting is told when its end of the bracket is twice as good as when it was
    last told, or when the bracket is half as wide: about a hundred times in all.
    """

    def __init__(self) -> None:
        self.lower, self.upper = 0.0, float("inf")

    def _narrower(self, lower: float, upper: float) -> bool:
        if not (self.lower > 0 and np.isfinite(self.upper)):
            return False
        return 2 * (1 - lower / upper) < 1 - self.lower / self.upper

    def direction(self, smallest: float, done: bool) -> bool:
        """Whether to tell a direction whose margin is ``smallest``."""
        better = smallest > max(self.lower, 0.0)
        news = better and (
            done or smallest > 2 * self.lower or self._narrower(smallest, self.upper)
        )
        if news:
            self.lower = smallest
        return news

    def weighting(self, length: float, done: bool) -> bool:
        """Whether to tell multipliers whose combination has this length."""
        better = length < self.upper
        news = better and (
            done
            or not np.isfinite(self.upper)
            or 2 * length < self.upper
            or self._narrower(self.lower, length)
        )
        if news:
            self.upper = length
        return news


def followed(
    rows: SignedRows, name: str, *, unit: bool, parameter: float = 0.0, seed: int = 0
) -> Iterator[Finding | None]:
    """Advance a compiled search slice by slice; yield what is news, or None.

    ``unit``: see :class:`View`.
    """
    view = View(rows, unit=unit)
    zero = view.zero_row()
    if zero is not None:
        yield zero
        return
    search = new_search(name, view.matrix, rows.n_columns, parameter=parameter, seed=seed)
    telling = Telling()
    while True:
        search.advance(SLICE)
        done = search.done or search.length < NOTHING_LEFT
        said = False
        if telling.direction(search.smallest, done):
            said = True
            yield Direction(search.direction())
        if telling.weighting(search.length, done):
            weighting = view.weighting(search.weighting())
            if weighting is not None:
                said = True
                yield weighting
        if done:
            return
        if not said:
            yield None
