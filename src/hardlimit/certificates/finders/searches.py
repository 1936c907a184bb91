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

    A direction or a weighting is news when its end of the bracket is twice as good as when there
    was news of it last, or when the bracket is half as wide: about a hundred times in all.
    """

    def __init__(self) -> None:
        self.lower, self.upper = 0.0, float("inf")

    def _narrower(self, lower: float, upper: float) -> bool:
        if not (self.lower > 0 and np.isfinite(self.upper)):
            return False
        return 2 * (1 - lower / upper) < 1 - self.lower / self.upper

    def direction(self, smallest: float, done: bool) -> bool:
        """Whether to report a direction whose margin is ``smallest``."""
        better = smallest > max(self.lower, 0.0)
        news = better and (
            done or smallest > 2 * self.lower or self._narrower(smallest, self.upper)
        )
        if news:
            self.lower = smallest
        return news

    def weighting(self, length: float, done: bool) -> bool:
        """Whether to report multipliers whose combination has this length."""
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
        said = False
        if news.direction(search.smallest, done):
            said = True
            yield view.direction(search.direction())
        if news.weighting(search.length, done):
            weighting = view.weighting(search.weighting())
            if weighting is not None:
                said = True
                yield weighting
        if done:
            return
        if not said:
            yield None
