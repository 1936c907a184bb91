"""The figures and tables of a row, and how contestants are timed."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, dataclass, field
from typing import NotRequired, TypedDict, cast


class FigureRecord(TypedDict):
    """A `Figure` as it is stored."""

    name: str
    measured: float
    unit: str
    target: float | None
    sense: str
    ours: str
    theirs: str
    remark: str
    reached: bool | None


class GridRecord(TypedDict):
    """A `Grid` as it is stored."""

    title: str
    head: list[str]
    lines: list[list[str]]


class RowRecord(TypedDict):
    """A row of the results as it is stored."""

    title: str
    date: str
    machine: dict[str, str]
    repetitions: int
    figures: list[FigureRecord]
    skipped: list[str]
    grids: NotRequired[list[GridRecord]]


@dataclass(frozen=True)
class Figure:
    """One line of the results.

    ``measured`` is compared with ``target`` in the sense ``sense`` (``>=`` or ``<=``); None is no
    target. ``ours`` and ``theirs`` are the numbers that ``measured`` was computed from.
    """

    name: str
    measured: float
    unit: str = "x"
    target: float | None = None
    sense: str = ">="
    ours: str = ""
    theirs: str = ""
    remark: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the target was reached; None without a target."""
        if self.target is None:
            return None
        return self.measured >= self.target if self.sense == ">=" else self.measured <= self.target

    def record(self) -> FigureRecord:
        """Return the figure as values that JSON can store."""
        return cast(FigureRecord, {**asdict(self), "reached": self.reached})


@dataclass(frozen=True)
class Grid:
    """A table of a row: the numbers that its figures were computed from."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def record(self) -> GridRecord:
        """Return the table as values that JSON can store."""
        return cast(GridRecord, asdict(self))


@dataclass(frozen=True)
class Settings:
    """How thorough a run is.

    ``repetitions`` is the number of runs of each contestant. ``quick`` uses small samples, whose
    figures are printed but not stored. ``corpus`` measures one corpus only and replaces its
    figures. ``gigabytes`` are the sizes of the row of growth. ``peers`` are the contestants that
    run beside ours; None is all of them.
    """

    repetitions: int = 3
    quick: bool = False
    corpus: str | None = None
    gigabytes: tuple[float, ...] = ()
    peers: tuple[str, ...] | None = None

    def chosen(self, names: Iterable[str], ours: str) -> list[str]:
        """Return ours first, then those of the names that are to run."""
        others = (name for name in names if name != ours)
        return [ours, *(name for name in others if self.peers is None or name in self.peers)]


@dataclass
class Times:
    """Seconds of every repetition of every contestant."""

    seconds: dict[Hashable, list[float]] = field(default_factory=dict)

    def add(self, name: Hashable, seconds: float) -> None:
        """Add one repetition."""
        self.seconds.setdefault(name, []).append(seconds)

    def median(self, name: Hashable) -> float:
        """Return the median of one contestant's repetitions, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, slow: Hashable, fast: Hashable) -> float:
        """Return the median of ``slow`` divided by the median of ``fast``."""
        return self.median(slow) / self.median(fast)


def time_call(work: Callable[[], object]) -> float:
    """Return the seconds of one call, after a garbage collection."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def time_by_turns(contestants: dict[str, Callable[[], object]], repetitions: int) -> Times:
    """Time every contestant ``repetitions`` times, in turns: A B A B, never A A B B.

    If the machine is slow for a while, all contestants are slow.
    """
    times = Times()
    for _ in range(repetitions):
        for name, work in contestants.items():
            times.add(name, time_call(work))
    return times


def time_each_call(work: Callable[[], object], calls: int) -> float:
    """Return the mean seconds of one call, over many calls in a row."""

    def many() -> None:
        for _ in range(calls):
            work()

    return time_call(many) / calls


def format_seconds(value: float) -> str:
    """Return seconds as a text with a suitable unit.

    >>> format_seconds(2.5), format_seconds(0.0125), format_seconds(0.0000042)
    ('2.5 s', '12.5 ms', '4.2 us')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def format_megabytes(value: float) -> str:
    """Return bytes in millions.

    >>> format_megabytes(2_500_000)
    '2.5 MB'
    """
    return f"{value / 1e6:,.1f} MB"
