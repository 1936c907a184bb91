"""Which worker did the job of a place last: it remembers the rows of that shard."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Generic, TypeVar

Worker = TypeVar("Worker")


class Homes(Generic[Worker]):
    """The worker of each place, while there are as many jobs as before.

    >>> homes = Homes()
    >>> homes.begin(3, ["a", "b"])
    >>> homes.note(0, "a"); homes.note(1, "b"); homes.note(2, "a")
    >>> homes.choose([0, 1, 2], "b"), homes.choose([0, 2], "b"), homes.choose([2], "b")
    (1, 2, None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._of: dict[int, Worker] = {}
        self._n, self._clock = 0, clock
        self._began: dict[int, float] = {}
        self._seconds: list[float] = []  # of the jobs of this pass
        self._most = 0.0  # seconds of a job in the slowest pass so far, which made the rows

    def begin(self, n_jobs: int, workers: Collection[Worker]) -> None:
        """Begin a pass over so many jobs, with the workers that are there."""
        if n_jobs != self._n:
            self._of.clear()
        self._n = n_jobs
        self._most, self._seconds = max(self._most, self._mean()), []
        self._of = {place: one for place, one in self._of.items() if one in workers}

    def note(self, place: int, worker: Worker) -> None:
        """Say who did a job."""
        if place in self._began:
            self._seconds.append(self._clock() - self._began.pop(place))
        self._of[place] = worker

    def forget(self, worker: Worker) -> None:
        """Say that a worker is gone."""
        self._of = {place: one for place, one in self._of.items() if one != worker}

    def choose(self, waiting: Sequence[int], worker: Worker) -> int | None:
        """Return the job that a free worker should begin; None: it is better left to another.

        Its own come first, then those of nobody. To make rows anew takes longer than to learn from
        them, so that it helps out only where jobs take as long as that anyway, and only a worker
        that has two or more to begin, with the last of those.
        """
        place = self._find(waiting, worker)
        if place is not None:
            self._began[place] = self._clock()
        return place

    def _mean(self) -> float:
        return sum(self._seconds) / len(self._seconds) if self._seconds else 0.0

    def _find(self, waiting: Sequence[int], worker: Worker) -> int | None:
        unowned: int | None = None
        others: Counter[int] = Counter()
        last: dict[int, int] = {}
        for place in waiting:
            home = self._of.get(place)
            if home == worker:
                return place
            if home is None:
                unowned = place if unowned is None else unowned
            else:
                others[id(home)] += 1
                last[id(home)] = place
        if unowned is not None or not others or self._mean() < self._most / 2:
            return unowned
        busiest, most = others.most_common(1)[0]
        return last[busiest] if most > 1 else None
