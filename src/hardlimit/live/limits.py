"""How much one author may change: the length of all their corrections, and how many in a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from hardlimit.exceptions import CorrectionError, InputError
from hardlimit.foundation.formatting import plural

# Corrections of one author that can be told from any number of them.
MOST = 1_000_000_000


class AuthorLimits:
    """Caps of one author's influence and rate; None for none.

    influence : the sum of the Euclidean lengths of an author's corrections that hold. It is at
        least the length of their sum, so that nobody moves the weights further than this.
    rate : corrections in ``seconds``, by the times of the ledger.
    """

    def __init__(self, influence: float | None, rate: tuple[int, float] | None) -> None:
        if influence is not None and not influence > 0:
            raise InputError(parameter="influence", got=influence, wanted="a number > 0, or None")
        pair: Any = rate
        is_pair = isinstance(pair, tuple | list) and len(pair) == 2 and type(pair[0]) is int
        if rate is not None and not (is_pair and 1 <= rate[0] <= MOST and rate[1] > 0):
            wanted = f"(corrections, seconds), 1 to {MOST} and > 0, or None"
            raise InputError(parameter="rate", got=rate, wanted=wanted)
        self.influence, self.rate = influence, rate
        self._times: dict[str, deque[float]] = {}

    def note(self, author: str, time: str) -> None:
        """Count an entry."""
        if self.rate is not None:
            times = self._times.setdefault(author, deque(maxlen=self.rate[0]))
            times.append(datetime.fromisoformat(time).timestamp())

    def check_rate(self, author: str, now: str, n: int = 1) -> None:
        """Refuse ``n`` corrections more where an author would have made more than may be."""
        if self.rate is None:
            return
        times, (most, seconds) = self._times.get(author, deque()), self.rate
        if n > most:
            raise CorrectionError(
                f"{plural(n, 'correction')} at once, and {most} in {seconds:g} seconds are allowed",
                who="correct",
                topic="rate",
                fix=f"make at most {most} at once",
                wait=seconds,
            )
        oldest = len(times) + n - most - 1
        if oldest < 0:
            return
        passed = datetime.fromisoformat(now).timestamp() - times[oldest]
        # Below 0 the clock went backwards: nobody is to wait for a year that never comes.
        if 0 <= passed < seconds:
            raise CorrectionError(
                f"{author or 'nobody'!r} has made {plural(len(times), 'correction')} in the last "
                f"{datetime.fromisoformat(now).timestamp() - times[0]:.0f} seconds, and {most} in "
                f"{seconds:g} are allowed",
                who="correct",
                topic="rate",
                fix=f"try again in {seconds - passed:.0f} seconds",
                wait=seconds - passed,
            )

    def check_influence(self, author: str, after: Mapping[str, float]) -> None:
        """Refuse a correction after which an author has moved the weights too far."""
        total = after.get(author, 0.0)
        if self.influence is not None and total > self.influence:
            raise CorrectionError(
                f"the author {author or 'nobody'!r} would have moved the weights by {total:.4g}, "
                f"and {self.influence:g} is allowed",
                who="correct",
                topic="influence",
                fix="undo earlier ones, or let somebody else confirm it",
            )


def utc_now() -> str:
    """Return the time of now, UTC, with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
