"""The race: finders take turns, what they find is verified, until something is proved.

Turns go to the finder that has used the least time so far, where the time of the two who hold an
end of the bracket counts for a fraction, so that who is ahead runs most, and the first ones have a
head start, because preparing a large set for a finder takes as long as many turns. Floats sort out
what is worth an exact check: a direction once it separates in floats, multipliers once their sum is
nearly 0. Nothing but exact checks decides.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np

from hardlimit.certificates import checking
from hardlimit.certificates.checking import Smallest
from hardlimit.certificates.exact.integers import to_floats
from hardlimit.certificates.exact.multipliers import exact_multipliers
from hardlimit.certificates.finders import Direction, Finder, Finding, Numbers, Weighting
from hardlimit.certificates.signed_rows import SignedRows, length
from hardlimit.exceptions import HardlimitError, InputError, ProofError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural

Array = np.ndarray[Any, Any]

_AHEAD = 0.15
_HEAD_START = 0.03  # of the time, before the one behind
_USUAL = 10.0
_NEARLY = 1e-6  # of the longest row: a sum of multipliers that may be 0 but for rounding
_MOST_COLUMNS_SMALL_SUM = 12  # beyond, the sum would have to be smaller than floats can make it
_PATIENCE = 0.2  # what may be spent on exact attempts, as a share of the time so far


@dataclass(frozen=True)
class Search:
    """How to search for a proof.

    Parameters
    ----------
    seconds
        Of all turns together, > 0.
    gap
        Stop once ``(hi - lo) / hi`` is at most this, with a separator; > 0.
    finders
        Who takes part, one or more; each knows its place in the order of first turns.
    seed
        Of random choices.
    turns
        Of all finders together, > 0; inf: no limit but time.
    """

    seconds: float
    gap: float
    finders: tuple[Finder, ...]
    seed: int = 0
    turns: float = math.inf

    def __post_init__(self) -> None:
        for name in ("seconds", "gap", "turns"):
            value = getattr(self, name)
            if not isinstance(value, int | float | np.number) or not value > 0:
                raise InputError(
                    who="certify", parameter=name, got=value, wanted="a number above 0"
                )


@dataclass
class Best:
    """What the race knows so far.

    ``lo`` and ``hi`` are in floats, of ``weights`` and of the multipliers ``value`` of the rows
    ``index``. ``separator`` and the two sums were checked exactly.
    """

    lo: float = -np.inf
    hi: float = np.inf
    weights: Any = None
    weights_by: str = ""
    index: Any = None
    value: Any = None
    multipliers_by: str = ""
    separator: Any = None
    found_by: str = ""
    zero_sum: dict[int, int] = field(default_factory=dict)
    small_sum: dict[int, Any] = field(default_factory=dict)
    smallest: Smallest | None = None


@dataclass
class Runner:
    """A finder in the race, and the time that it used."""

    finder: Finder
    steps: Iterator[Finding | None]
    head_start: float = 0.0  # of those before it
    seconds: float = 0.0
    turns: int = 0
    ended: str = ""

    def summarise(self) -> str:
        """Say what it did."""
        return f"{self.finder.name}: {plural(self.turns, 'turn')}, {self.seconds:.1f} s{self.ended}"


class Race:
    """Let finders look for a proof.

    Parameters
    ----------
    rows
        The signed rows.
    search
        Who takes part, for how long, and how near the ends of the bracket must come.
    """

    def __init__(self, rows: SignedRows, search: Search) -> None:
        self.rows, self.search = rows, search
        self.best = Best()
        self.tried: list[str] = []
        self._began = time.monotonic()
        self._ends = self._began + search.seconds
        self._exact_seconds = 0.0
        self._attempted_at = np.inf  # the length of the last sum that was made exact
        self._runners: list[Runner] = []
        for finder in sorted(search.finders, key=lambda finder: finder.turn):
            reason = _explain_missing(finder) or finder.suits(rows)
            if reason:
                self.tried.append(f"{finder.name}: left out: {reason}")
                continue
            timed = finder.within(search.seconds)
            # Preparing a large set takes a finder as long as many turns. Without a head start the
            # first turns of all of them would use up a short race before any has had a second one.
            late = len(self._runners) * _HEAD_START * min(search.seconds, _USUAL)
            self._runners.append(Runner(timed, timed.findings(rows, search.seed), late))

    def run(self) -> Best:
        """Take turns until something is proved to the gap, nothing is left, or time is over."""
        self._longest = float(self.rows.norms.max())
        self._take_first_bounds()
        running = list(self._runners)
        try:
            while running and not self._done():
                runner = min(running, key=self._priority)
                spent = time.monotonic() - self._began
                progress.report("looking for a proof", spent, self.search.seconds)
                if not self._take_turn(runner):
                    running.remove(runner)
                if self.best.separator is not None:  # from here on only margins count
                    running = [runner for runner in running if runner.finder.margins]
        finally:
            for runner in self._runners:
                with contextlib.suppress(Exception):
                    runner.steps.close()  # type: ignore[attr-defined]
        self.tried += [runner.summarise() for runner in self._runners]
        return self.best

    def _priority(self, runner: Runner) -> float:
        """Return how long a runner has had its share; the least is next."""
        # The time of those who hold an end of the bracket counts for a fraction: whoever is ahead
        # is the likeliest to finish, but the others are never shut out.
        ahead = runner.finder.name in (self.best.weights_by, self.best.multipliers_by)
        used = runner.seconds * (_AHEAD if ahead else 1) / runner.finder.share
        return runner.head_start + used

    def _take_first_bounds(self) -> None:
        """The shortest row is a first bound; a weight vector of some kind is a first direction."""
        i = int(self.rows.norms.argmin())
        self._take_weighting(Weighting([i], [1]), "the shortest row")
        self._take_direction(Direction(self.rows.transposed(np.ones(self.rows.n_rows))), "the mean")
        if self.best.weights is None:  # the rows cancel
            alone = (np.arange(self.rows.n_rows) == i).astype(float)
            self._take_direction(Direction(self.rows.transposed(alone)), "the shortest row")

    def _done(self) -> bool:
        best = self.best
        if best.zero_sum or best.small_sum or time.monotonic() > self._ends:
            return True
        if sum(runner.turns for runner in self._runners) >= self.search.turns:
            return True
        return best.separator is not None and best.hi - best.lo <= self.search.gap * best.hi

    def _take_turn(self, runner: Runner) -> bool:
        began = time.monotonic()
        try:
            finding = next(runner.steps)
            runner.turns += 1
            runner.seconds += time.monotonic() - began
            self._take(finding, runner.finder.name)
        except StopIteration:
            runner.ended += ", done"
            return False
        except (HardlimitError, ArithmeticError, ValueError, MemoryError) as error:
            runner.ended += f", failed: {error}"
            return False
        return True

    def _take(self, finding: Finding | None, who: str) -> None:
        if isinstance(finding, Direction):
            self._take_direction(finding, who)
        elif isinstance(finding, Weighting):
            self._take_weighting(finding, who)

    def _take_direction(self, direction: Direction, who: str) -> None:
        w = to_floats(direction.w)
        w_length = length(w)
        if len(w) != self.rows.n_columns or not (0 < w_length < np.inf):
            return
        lo = float(self.rows.dot(w / w_length).min())
        if lo > self.best.lo:
            self.best.lo, self.best.weights, self.best.weights_by = lo, direction.w, who
        # An exact look costs many turns, so that it waits until floats say yes, or cannot tell: a
        # margin of a hair's breadth may come out slightly below 0.
        if lo > -1e-9 * self._longest and self.best.separator is None:
            self._verify(direction, who)

    def _verify(self, direction: Direction, who: str) -> None:
        weights = direction.w.tolist() if isinstance(direction.w, np.ndarray) else direction.w
        with contextlib.suppress(ProofError):
            self.best.smallest = checking.check_separator(self.rows, weights)
            self.best.separator, self.best.found_by = weights, who

    def _take_weighting(self, weighting: Weighting, who: str) -> None:
        value = to_floats(weighting.value)
        index = np.asarray(weighting.index, np.int64)
        total = float(value.sum())
        if not len(index) or not (0 < total < np.inf) or value.min() < 0:
            return
        weights = np.zeros(self.rows.n_rows)
        weights[index] = value / total
        summed = self.rows.transposed(weights)
        hi = length(summed)
        if hi < self.best.hi:
            self.best.hi, self.best.index, self.best.value = hi, index, weighting.value
            self.best.multipliers_by = who
        if self.best.separator is None and hi <= _NEARLY * self._longest:
            self._attempt(hi, index, weighting.value, who)

    def _attempt(self, hi: float, index: Array, value: Numbers, who: str) -> None:
        """Make multipliers exact; again only where they are a good deal better than the last."""
        # Elimination over the integers takes seconds on large supports. Four times nearer to zero
        # is worth another attempt; else attempts may take a fifth of the race and no more.
        spent = time.monotonic() - self._began
        if hi > self._attempted_at / 4 and self._exact_seconds > _PATIENCE * spent:
            return
        began = time.monotonic()
        self._attempted_at = hi
        attempts = [exact_multipliers(self.rows, index, value)]
        if isinstance(value, list):  # integers may be a proof as they are, though of more rows
            attempts.append(dict(zip(index.tolist(), value, strict=True)))
        for multipliers in attempts:
            if multipliers and not self.best.zero_sum:
                with contextlib.suppress(ProofError):
                    checking.check_zero_sum(self.rows, multipliers)
                    self.best.zero_sum, self.best.found_by = multipliers, who
        if not self.best.zero_sum and self.rows.is_integer:
            self._attempt_small_sum(dict(zip(index.tolist(), list(value), strict=True)), who)
        self._exact_seconds += time.monotonic() - began

    def _attempt_small_sum(self, multipliers: dict[int, Any], who: str) -> None:
        """On integers a sum that is small enough proves as much as one of 0."""
        if self.rows.n_columns > _MOST_COLUMNS_SMALL_SUM:
            return
        plain = {i: v.item() if isinstance(v, np.generic) else v for i, v in multipliers.items()}
        with contextlib.suppress(ProofError):
            checking.check_small_sum(self.rows, plain)
            self.best.small_sum, self.best.found_by = plain, who


def _explain_missing(finder: Finder) -> str:
    """Name the extra that a finder needs and that is not installed."""
    if finder.needs and find_spec(finder.needs) is None:
        return f'it needs {finder.needs}: pip install "hardlimit[exact]"'
    return ""
