"""The race: finders take turns, what they find is verified, until something is proved.

Turns go to the finder that has used the least time so far, where the time of the two who hold an
end of the bracket counts for a fraction, so that who is ahead runs most, and the first ones have a
head start, because preparing a large set for a finder takes as long as many turns. Floats sort out
what is worth an exact check: a direction once it separates in floats, multipliers once their sum is
nearly 0. Nothing but exact checks decides.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from hardlimit.certificates import checking
from hardlimit.certificates.checking import Smallest
from hardlimit.certificates.exact.integers import floats
from hardlimit.certificates.exact.multipliers import exact_multipliers
from hardlimit.certificates.finders import Direction, Finder, Finding, Weighting
from hardlimit.certificates.signed_rows import SignedRows, length
from hardlimit.exceptions import HardlimitError, ProofError

Array = np.ndarray[Any, Any]

_AHEAD = 0.15
_HEAD_START = 0.03  # of the time, before the one behind
_USUAL = 10.0
_NEARLY = 1e-6  # of the longest row: a sum of multipliers that may be 0 but for rounding
_MOST_COLUMNS_SMALL_SUM = 12  # beyond, the sum would have to be smaller than floats can make it
_PATIENCE = 0.2  # what may be spent on exact attempts, as a share of the time so far


@dataclass
class Best:
    """What the race knows so far.

    ``lo`` and ``hi`` are in floats; ``weights`` were checked exactly where ``separates``.
    """

    lo: float = -np.inf
    hi: float = np.inf
    weights: Any = None
    by: str = ""
    index: Any = None
    value: Any = None
    upper_by: str = ""
    separator: Any = None
    found_by: str = ""
    zero_sum: dict[int, int] = field(default_factory=dict)
    small_sum: dict[int, Any] = field(default_factory=dict)
    smallest: Smallest | None = None


@dataclass
class Runner:
    """A finder in the race, and what it used."""

    finder: Finder
    steps: Iterator[Finding | None]
    head_start: float = 0.0  # of those before it
    seconds: float = 0.0
    turns: int = 0
    said: str = ""

    def line(self) -> str:
        """Say what it did."""
        return f"{self.finder.name}: {self.turns} turns, {self.seconds:.1f} s{self.said}"


class Race:
    """Let finders look for a proof for so many seconds.

    Parameters
    ----------
    rows
        The signed rows.
    finders
        In the order of their first turns.
    seconds
        Of all turns together.
    gap
        Stop once ``(hi - lo) / hi`` is at most this, with a separator.
    seed
        Of random choices.
    """

    def __init__(
        self, rows: SignedRows, finders: Sequence[Finder], seconds: float, gap: float, seed: int
    ) -> None:
        self.rows, self.gap = rows, gap
        self.best = Best()
        self.tried: list[str] = []
        self._began = time.monotonic()
        self._ends = self._began + seconds
        self._exact_seconds = 0.0
        self._tried_at = np.inf
        self._runners: list[Runner] = []
        for finder in sorted(finders, key=lambda finder: finder.turn):
            reason = _missing(finder) or finder.suits(rows)
            if reason:
                self.tried.append(f"{finder.name}: left out: {reason}")
                continue
            timed = finder.within(seconds)
            late = len(self._runners) * _HEAD_START * min(seconds, _USUAL)
            self._runners.append(Runner(timed, timed.findings(rows, seed), late))

    def run(self) -> Best:
        """Take turns until something is proved to the gap, nothing is left, or time is over."""
        self._longest = float(self.rows.norms.max())
        self._start()
        running = list(self._runners)
        try:
            while running and not self._done():
                runner = min(running, key=self._waited)
                if not self._turn(runner):
                    running.remove(runner)
        finally:
            for runner in self._runners:
                with contextlib.suppress(Exception):
                    runner.steps.close()  # type: ignore[attr-defined]
        self.tried += [runner.line() for runner in self._runners]
        return self.best

    def _waited(self, runner: Runner) -> float:
        ahead = runner.finder.name in (self.best.by, self.best.upper_by)
        used = runner.seconds * (_AHEAD if ahead else 1) / runner.finder.share
        return runner.head_start + used

    def _start(self) -> None:
        """The shortest row is a first bound; a weight vector of some kind is a first direction."""
        i = int(self.rows.norms.argmin())
        self._weighting(Weighting([i], [1]), "the shortest row")
        self._direction(Direction(self.rows.transposed(np.ones(self.rows.n_rows))), "the mean")
        if self.best.weights is None:  # the rows cancel
            alone = (np.arange(self.rows.n_rows) == i).astype(float)
            self._direction(Direction(self.rows.transposed(alone)), "the shortest row")

    def _done(self) -> bool:
        best = self.best
        if best.zero_sum or best.small_sum or time.monotonic() > self._ends:
            return True
        return best.separator is not None and best.hi - best.lo <= self.gap * best.hi

    def _turn(self, runner: Runner) -> bool:
        began = time.monotonic()
        try:
            finding = next(runner.steps)
            runner.turns += 1
            runner.seconds += time.monotonic() - began
            self._heard(finding, runner.finder.name)
        except StopIteration:
            runner.said += ", done"
            return False
        except (HardlimitError, ArithmeticError, ValueError, MemoryError) as error:
            runner.said += f", failed: {error}"
            return False
        return True

    def _heard(self, finding: Finding | None, who: str) -> None:
        if isinstance(finding, Direction):
            self._direction(finding, who)
        elif isinstance(finding, Weighting):
            self._weighting(finding, who)

    def _direction(self, found: Direction, who: str) -> None:
        w = floats(found.w)
        long = length(w)
        if len(w) != self.rows.n_columns or not (0 < long < np.inf):
            return
        lo = float(self.rows.dot(w / long).min())
        if lo > self.best.lo:
            self.best.lo, self.best.weights, self.best.by = lo, found.w, who
        if lo > -1e-9 * self._longest and self.best.separator is None:
            self._verify(found, who)

    def _verify(self, found: Direction, who: str) -> None:
        weights = found.w.tolist() if isinstance(found.w, np.ndarray) else found.w
        with contextlib.suppress(ProofError):
            self.best.smallest = checking.check_separator(self.rows, weights)
            self.best.separator, self.best.found_by = weights, who

    def _weighting(self, found: Weighting, who: str) -> None:
        value = floats(found.value)
        index = np.asarray(found.index, np.int64)
        total = float(value.sum())
        if not len(index) or not (0 < total < np.inf) or value.min() < 0:
            return
        weights = np.zeros(self.rows.n_rows)
        weights[index] = value / total
        summed = self.rows.transposed(weights)
        hi = length(summed)
        if hi < self.best.hi:
            self.best.hi, self.best.index, self.best.value = hi, index, found.value
            self.best.upper_by = who
        if self.best.separator is None and hi <= _NEARLY * self._longest:
            self._attempt(hi, index, found.value, who)

    def _attempt(self, hi: float, index: Array, value: Any, who: str) -> None:
        """Make multipliers exact; again only where they are a good deal better than the last."""
        spent = time.monotonic() - self._began
        if hi > self._tried_at / 4 and self._exact_seconds > _PATIENCE * spent:
            return
        began = time.monotonic()
        self._tried_at = hi
        attempts = [exact_multipliers(self.rows, index, value)]
        if isinstance(value, list):  # integers may be a proof as they are, if one of more rows
            attempts.append(dict(zip(index.tolist(), value, strict=True)))
        for found in attempts:
            if found and not self.best.zero_sum:
                with contextlib.suppress(ProofError):
                    checking.check_zero_sum(self.rows, found)
                    self.best.zero_sum, self.best.found_by = found, who
        if not self.best.zero_sum and self.rows.is_integer:
            self._small_sum(dict(zip(index.tolist(), list(value), strict=True)), who)
        self._exact_seconds += time.monotonic() - began

    def _small_sum(self, multipliers: dict[int, Any], who: str) -> None:
        """On integers a sum that is small enough proves as much as one of 0."""
        if self.rows.n_columns > _MOST_COLUMNS_SMALL_SUM:
            return
        plain = {i: v.item() if isinstance(v, np.generic) else v for i, v in multipliers.items()}
        with contextlib.suppress(ProofError):
            checking.check_small_sum(self.rows, plain)
            self.best.small_sum, self.best.found_by = plain, who


def _missing(finder: Finder) -> str:
    """Name the extra that a finder needs and that is not installed."""
    if finder.needs and find_spec(finder.needs) is None:
        return f'it needs {finder.needs}: pip install "hardlimit[exact]"'
    return ""
