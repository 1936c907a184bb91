"""More connections than there may be: the one that waits longest for its client gives way.

So nobody can keep others out by connections that do nothing: a new one is always taken, as long as
one of the others waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any, Protocol

# What a connection waits for, in the order in which they give way: a request, which anybody may
# keep others waiting for; the rest of a request, or that its answer is taken.
REQUEST, REST = range(2)
Wait = tuple[int, float]


class Waiting(Protocol):
    """A connection."""

    def waiting(self) -> Wait | None:
        """Return what it waits for, and since when; None of one that is worked on."""

    def give_way(self) -> None:
        """End it."""


class Crowd:
    """The order in which connections give way."""

    def __init__(self) -> None:
        # Made for many at once: looking at all of them for each new one would take too long.
        self._next: deque[tuple[Wait, Any]] = deque()

    def make_room(self, connections: Collection[Any], new: Waiting) -> bool:
        """End one connection; return False if none of them waits."""
        return self._end_next(connections) or (
            self._look(connections, new) and self._end_next(connections)
        )

    def _end_next(self, connections: Collection[Any]) -> bool:
        while self._next:
            wait, one = self._next.popleft()
            if one in connections and one.waiting() == wait:
                one.give_way()
                return True
        return False

    def _look(self, connections: Collection[Any], new: Waiting) -> bool:
        found = [(wait, one) for one in connections if one is not new and (wait := one.waiting())]
        first = min((wait[0] for wait, _ in found), default=None)
        kept = [pair for pair in found if pair[0][0] == first]
        self._next = deque(sorted(kept, key=lambda pair: pair[0]))
        return bool(kept)
