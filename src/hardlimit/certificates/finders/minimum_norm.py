"""Wolfe's algorithm: the nearest point of the hull, exactly but for rounding; the widest margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardlimit.certificates.finders._protocol import Direction, Finder, Finding
from hardlimit.certificates.finders.searches import follow_search
from hardlimit.certificates.finders.views import View
from hardlimit.certificates.signed_rows import SignedRows

MOST_COLUMNS = 2000


@dataclass(frozen=True)
class MinimumNorm(Finder):
    """The point ``w = sum p_i z_i`` of the hull of the rows that lies nearest to the origin.

    It is the direction of the widest margin, ``gamma = ||w||``, and p are the multipliers that
    prove so; where nothing separates it is 0, and the rows of the corral, affinely independent, at
    most rank + 1 of them, solve ``sum p_i z_i = 0`` uniquely, so that elimination makes p exact.

    Finite: each step has the row enter that is furthest behind w, then drops those whose weight
    would fall below 0, and makes ``||w||`` smaller (Wolfe, Mathematical Programming 11, 1976, in
    the form of Lawson and Hanson's non-negative least squares). The corral is kept as an orthogonal
    factor that is turned by reflections and rotations (``native/finders/orthogonal.hpp``), so that
    the condition of the rows is not squared. Rows as they are, not of unit length: gamma is the
    margin itself. Where nothing separates as far as floats can tell, it looks once more at columns
    of even size and rows of unit length, which may be easier to tell.

    Cost: a look at all non-zeros and O(columns^2) a step; refuses more than 2,000 columns.

    >>> import numpy as np
    >>> from hardlimit.certificates.exact.reading import read_entries
    >>> rows = SignedRows(read_entries([[3.0, 4], [9, 9]]), np.array([1, 1]), None)
    >>> direction, multipliers = MinimumNorm().findings(rows, 0)
    >>> (direction.w / direction.w[0]).round(6).tolist(), multipliers.index.tolist()
    ([1.0, 1.333333], [0])
    """

    name = "minimum-norm"
    turn = -2

    def suits(self, rows: SignedRows) -> str:
        """Say no to so many columns that their square does not fit."""
        if rows.n_columns > MOST_COLUMNS:
            return f"{rows.n_columns:,} columns are more than {MOST_COLUMNS:,}"
        return ""

    def findings(self, rows: SignedRows, seed: int) -> Iterator[Finding | None]:
        """Yield w where it separates, p as it comes nearer, and both at the end."""
        separated = False
        for finding in follow_search(View(rows, unit=False), "minimum-norm"):
            separated |= isinstance(finding, Direction)
            yield finding
        if not separated:
            yield from follow_search(View(rows, unit=True, even=True), "minimum-norm")
