"""A pass over all shards: calls out, answers in, the progress told, failures raised.

Which failure is raised does not depend on who was faster: it is that of the first shard that
failed, and it is known as soon as all shards before it are done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from hardlimit.distributed.calls import CallAnswer, Failure, JobOfShard, make_call, perform
from hardlimit.distributed.engines import Engine, Part
from hardlimit.distributed.progress import Watch

RETRIES = 3  # of a shard that met trouble which may pass
PAUSE = 0.5  # seconds before the first of them; twice as long before each later one

# Rows of a shard, by its place and its result, and the mistakes among them; None where there are
# none to be made.
Tally = Callable[[int, Any], tuple[int, int | None]]


def run_shards(
    engine: Engine,
    function: Callable[[tuple[Part, ...], Any], Any],
    parts: Sequence[Part],
    jobs: Sequence[JobOfShard],
    stage: str,
    *,
    epoch: int | None = None,
    epochs: int | None = None,
    tally: Tally = lambda place, result: (0, None),
) -> list[Any]:
    """Return ``function(parts, job)`` of each job, in the order of the jobs.

    Parameters
    ----------
    function : of a module that can be imported, and pure
    stage, epoch, epochs : what is told of the pass: see :class:`.Progress`
    tally : the rows of a shard, and the mistakes among them

    Raises
    ------
    HardlimitError
        What the first shard that failed has raised, with its place; an error of another kind by
        what it says. Trouble that may pass (a connection, a file server) is met again
        ``RETRIES`` times first.
    ClusterError
        Workers were lost again and again, or are of another version; nobody answers.
    """
    calls = [make_call(function, job) for job in jobs]
    answers = _Answers(len(jobs), Watch(stage, len(jobs), epoch, epochs), tally)
    pause = PAUSE
    for _ in range(RETRIES):
        if not _run(engine, parts, calls, answers):
            break
        time.sleep(pause)
        pause *= 2
    else:
        answers.is_last = True
        _run(engine, parts, calls, answers)
    return [answer.value for answer in answers.in_order()]


def _run(engine: Engine, parts: Sequence[Part], calls: Sequence[Any], answers: _Answers) -> bool:
    """Make the calls that are not answered; whether any is left."""
    places = answers.missing()
    engine.map_ordered(
        perform,
        parts,
        [calls[place] for place in places],
        lambda at, answer: answers.take(places[at], answer),
    )
    answers.raise_first()
    return bool(answers.missing())


class _Answers:
    """The answers so far.

    is_last : whether trouble that may pass is not met again.
    """

    def __init__(self, n: int, watch: Watch, tally: Tally) -> None:
        self._found: dict[int, CallAnswer] = {}
        self._n, self._watch, self._tally = n, watch, tally
        self._first: tuple[int, Failure] | None = None
        self.is_last = False

    def missing(self) -> list[int]:
        """Return the places without an answer."""
        return [place for place in range(self._n) if place not in self._found]

    def in_order(self) -> list[CallAnswer]:
        """Return the answers."""
        return [self._found[place] for place in range(self._n)]

    def take(self, place: int, answer: CallAnswer) -> None:
        """Take an answer; raise a failure before which no other can come any more."""
        failure = answer.failure
        if failure is None:
            self._found[place] = answer
            self._watch.add(*self._tally(place, answer.value))
        elif failure.passing and not self.is_last:
            return
        else:
            self._found[place] = answer
            if self._first is None or place < self._first[0]:
                self._first = place, failure
        if self._first is not None and all(one in self._found for one in range(self._first[0])):
            self.raise_first()

    def raise_first(self) -> None:
        """Raise the failure of the first shard that failed."""
        if self._first is not None:
            _, failure = self._first
            failure.error.add_note(failure.trace)
            raise failure.error
