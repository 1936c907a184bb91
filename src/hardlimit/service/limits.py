"""How many requests are worked on at once, and how many a key may make in a second."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from hardlimit.service.problems import Problem


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
    """Places for requests that are under way."""

    def __init__(self, places: int) -> None:
        self.places, self.taken = places, 0

    def __enter__(self) -> None:
        if self.taken >= self.places:
            raise Problem(
                503,
                "busy",
                f"{self.places} requests are under way",
                headers=((b"retry-after", b"1"),),
                fix="try again in a second",
            )
        self.taken += 1

    def __exit__(self, *_: object) -> None:
        self.taken -= 1
