"""Which worker did the job of a place last: it remembers the rows of that shard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
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

    def __init__(self) -> None:
        self._of: dict[int, Worker] = {}
        self._n = 0

    def begin(self, n_jobs: int, workers: Collection[Worker]) -> None:
        """Begin a pass over so many jobs, with the workers that are there."""
        if n_jobs != self._n:
            self._of.clear()
        self._n = n_jobs
        self._of = {place: one for place, one in self._of.items() if one in workers}

    def note(self, place: int, worker: Worker) -> None:
        """Say who did a job."""
        self._of[place] = worker

    def forget(self, worker: Worker) -> None:
        """Say that a worker is gone."""
        self._of = {place: one for place, one in self._of.items() if one != worker}

    def choose(self, waiting: Sequence[int], worker: Worker) -> int | None:
        """Return the job that a free worker should do next; None: it is better left to another.

        Its own come first, then those of nobody. To make rows anew takes longer than to learn from
        them, so that it helps out only one that has two or more to begin, with the last of those.
        """
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
        if unowned is not None or not others:
            return unowned
        busiest, most = others.most_common(1)[0]
        return last[busiest] if most > 1 else None
