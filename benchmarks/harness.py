"""What a row gives back, and how contestants take turns."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One line of the results.

    ``measured`` is compared with ``asked`` in the sense ``sense`` (``>=`` or ``<=``); a figure that
    nothing was asked of has ``asked=None``. ``ours`` and ``theirs`` say in words what the measured
    number was made of.
    """

    name: str
    measured: float
    unit: str = "x"
    asked: float | None = None
    sense: str = ">="
    ours: str = ""
    theirs: str = ""
    remark: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether what was asked for was reached; None where nothing was asked."""
        if self.asked is None:
            return None
        return self.measured >= self.asked if self.sense == ">=" else self.measured <= self.asked

    def record(self) -> dict[str, Any]:
        """Return the figure as plain values."""
        return {**asdict(self), "reached": self.reached}


@dataclass(frozen=True)
class Grid:
    """A table that a row gives beside its figures: what the figures were made of."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def record(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Settings:
    """How thorough a run is.

    ``repetitions`` of each contestant; ``quick`` asks a row for small samples, whose figures are
    printed but not kept; ``corpus`` asks the rows that go through corpora for one of them, whose
    figures then take the place of those of the same name.
    """

    repetitions: int = 3
    quick: bool = False
    corpus: str | None = None


@dataclass
class Times:
    """Seconds of every repetition of every contestant."""

    seconds: dict[Hashable, list[float]] = field(default_factory=dict)

    def add(self, name: Hashable, seconds: float) -> None:
        """Keep one repetition."""
        self.seconds.setdefault(name, []).append(seconds)

    def median(self, name: Hashable) -> float:
        """Return the median of one contestant's repetitions, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, slow: Hashable, fast: Hashable) -> float:
        """Return how many times the median of ``fast`` goes into that of ``slow``."""
        return self.median(slow) / self.median(fast)


def seconds(work: Callable[[], object]) -> float:
    """Time one call, the garbage of what came before collected first."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def by_turns(contestants: dict[str, Callable[[], object]], repetitions: int) -> Times:
    """Time every contestant ``repetitions`` times, turn about: A B A B, never A A B B.

    What slows the machine for a while then slows all of them.
    """
    times = Times()
    for _ in range(repetitions):
        for name, work in contestants.items():
            times.add(name, seconds(work))
    return times


def each_seconds(work: Callable[[], object], calls: int) -> float:
    """Return the seconds of one call, over many calls in a row."""

    def many() -> None:
        for _ in range(calls):
            work()

    return seconds(many) / calls


def spoken(value: float) -> str:
    """Return seconds as people say them.

    >>> spoken(2.5), spoken(0.0125), spoken(0.0000042)
    ('2.5 s', '12.5 ms', '4.2 us')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def megabytes(value: float) -> str:
    """Return bytes in millions.

    >>> megabytes(2_500_000)
    '2.5 MB'
    """
    return f"{value / 1e6:,.1f} MB"
