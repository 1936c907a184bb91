"""How many requests and connections may be at once, and how many requests in a second."""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import Any, Protocol

from hardlimit.service.problems import Problem, busy


class Rates:
    """A bucket of tokens for each key: one second's worth may come at once."""

    def __init__(self, rate: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self._now = rate, now
        self._buckets: dict[str, tuple[float, float]] = {}

    def check(self, name: str) -> None:
        """Count one request; refuse it where the bucket is empty."""
        if self.rate is None:
            return
        now, full = self._now(), max(1.0, self.rate)
        left, since = self._buckets.get(name, (full, now))
        left = min(full, left + (now - since) * self.rate)
        if left < 1:
            wait = math.ceil((1 - left) / self.rate)
            raise Problem(
                429,
                "rate",
                f"more than {self.rate:g} requests in a second",
                headers=((b"retry-after", str(wait).encode()),),
                fix=f"try again in {wait} s, or send several texts in one request",
            )
        self._buckets[name] = (left - 1, now)


class Room:
    """Places for requests; one key has at most half of them.

    what : the requests do, in the sentence that refuses one more
    """

    def __init__(
        self,
        places: int,
        now: Callable[[], float] = time.monotonic,
        what: str = "are under way",
    ) -> None:
        self.places, self.share, self._now, self._what = (
            max(1, places),
            max(1, places // 2),
            now,
            what,
        )
        # Whose each request is, and since when it has its place; the oldest first.
        self._begun: dict[object, tuple[str, float]] = {}

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return len(self._begun)

    @contextlib.contextmanager
    def place(self, key: str = "") -> Iterator[None]:
        """Take a place; refuse where there is none.

        key : its name; "" without keys, where all clients are one
        """
        if self.taken >= self.places:
            raise busy(f"{self.places} requests {self._what}")
        if key and sum(holder == key for holder, _ in self._begun.values()) >= self.share:
            raise busy(f"{self.share} requests of this key are under way")
        ticket = object()
        self._begun[ticket] = key, self._now()
        try:
            yield
        finally:
            del self._begun[ticket]

    def longest(self) -> float:
        """Return for how many seconds the oldest request has been worked on."""
        return max((self._now() - begun for _, begun in self._begun.values()), default=0.0)


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
    """The order in which connections give way: the one that waits longest for its client first.

    So nobody can keep others out by connections that do nothing: a new one is always taken, as long
    as one of the others waits.
    """

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
