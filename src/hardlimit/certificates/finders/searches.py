"""What the finders over compiled searches share: slices of work, and when they say something."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hardlimit.certificates.finders._protocol import Finding
from hardlimit.certificates.finders.views import View
from hardlimit.engine import SLICE, new_search

NOTHING_LEFT = 1e-15
"""A combination this short, beside the longest row, is 0 as far as floats can tell."""


class NewsFilter:
    """Decides when a finding is news: each costs the race an exact look at all rows.

    An end of the bracket is news when it is twice as good as when it was news last; both are when
    the bracket is half as wide: about a hundred times in all.
    """

    def __init__(self) -> None:
        self.lower, self.upper = 0.0, float("inf")

    def choose(self, lower: float, upper: float, done: bool) -> tuple[bool, bool]:
        """Whether to report the direction, whose margin is ``lower``, and the multipliers.

        ``upper`` is the length of the multipliers' combination; ``done``: it is the last word.
        """
        # Of both ends together: each may have come half of the way, and neither goes on.
        every = done or self._halves(lower, upper)
        direction = lower > self.lower and (every or lower > 2 * self.lower)
        weighting = upper < self.upper and (every or 2 * upper < self.upper)
        if direction:
            self.lower = lower
        if weighting:
            self.upper = upper
        return direction, weighting

    def _halves(self, lower: float, upper: float) -> bool:
        """Whether the bracket is half as wide as the one that was reported."""
        if not (self.lower > 0 and np.isfinite(self.upper)):
            return False
        narrow = 1 - max(lower, self.lower) / min(upper, self.upper)
        return 2 * narrow < 1 - self.lower / self.upper


def follow_search(
    view: View, name: str, *, parameter: float = 0.0, seed: int = 0
) -> Iterator[Finding | None]:
    """Advance a compiled search slice by slice; yield what is news, or None."""
    # Unit rows do not exist where a row is 0; it is a proof by itself.
    zero = view.zero_row()
    if zero is not None:
        yield zero
        return
    search = new_search(name, view.matrix, view.n_columns, parameter=parameter, seed=seed)
    news = NewsFilter()
    while True:
        search.advance(SLICE)
        done = search.done or search.length < NOTHING_LEFT
        said, weighs = news.choose(search.smallest, search.length, done)
        if said:
            yield view.direction(search.direction())
        if weighs:
            weighting = view.weighting(search.weighting())
            if weighting is not None:
                said = True
                yield weighting
        if done:
            return
        if not said:
            yield None
