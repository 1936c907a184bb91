"""What was said of each answer before its label was learnt, counted over the entries that hold.

Everything is added in whole numbers, so that an entry that is undone is taken away to the last bit.
The counts are kept by windows of entries, at most 128, which double their width as a ledger grows.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hardlimit.exceptions import LedgerError
from hardlimit.live.confidence import (
    PARTS,
    Bin,
    Confidence,
    Judged,
    bin_of_many,
    fit_slope,
    judge,
    judge_two,
    margin_bin,
)
from hardlimit.live.entry import Entry
from hardlimit.live.kinds import kind_of

# Windows at most, and entries of the first ones.
MOST_WINDOWS, WIDTH = 128, 8
# Entries that wait to be counted, at most.
AT_ONCE = 64
# Answers that the slope follows, at least: those of the latest windows.
FOLLOWED = 1000

# Places in a window's counts. Those of the probability come again for the fitted one.
RIGHT, WRONG, CONFIRMED, NEW_CLASS, UNKNOWN, WORDS, P, LOSS, BRIER = range(9)
FITTED = 3
N_COUNTS = BRIER + 1 + FITTED
_Counts = list[int]
Said = dict[str, Any]


class ScoredWindow(NamedTuple):
    """Counts of some entries, and those of their answers in the bins of the slope."""

    counts: _Counts
    bins: dict[Bin, int]


def new_window() -> ScoredWindow:
    """Return one without entries."""
    return ScoredWindow([0] * N_COUNTS, {})


class Scoring:
    """Counts of all entries that hold, by windows of entry numbers."""

    def __init__(self, confidence: Confidence) -> None:
        self.confidence = confidence
        self.width = WIDTH
        self._windows: dict[int, ScoredWindow] = {}
        self._waiting: list[tuple[int, bool, Said]] = []
        self._slope: float | None = None
        self._newest = -1

    @property
    def windows(self) -> dict[int, ScoredWindow]:
        """The windows that have answers, by their numbers."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            for number, confirms, said in waiting:
                self._count(number, confirms, said, 1)
        return self._windows

    @property
    def slope(self) -> float:
        """The live slope, of all windows but the newest: it moves once a window."""
        if self._slope is None:
            found: dict[Bin, int] = {}
            for number in self.latest(FOLLOWED, sorted(self.windows)[:-1]):
                _add(found, self.windows[number].bins)
            begin = self.confidence
            self._slope = begin.slope * fit_slope(found, begin.fitted)
        return self._slope

    def latest(self, n: int, among: Iterable[int] | None = None) -> list[int]:
        """Return the latest windows, or those of some, that hold ``n`` answers, in order."""
        found: list[int] = []
        for number in sorted(self.windows if among is None else among, reverse=True):
            if n <= 0:
                break
            counts = self.windows[number].counts
            n -= counts[RIGHT] + counts[WRONG]
            found.append(number)
        return found[::-1]

    def say_two(self, margin: float, right: bool) -> Said:
        """Return what an entry tells of an answer of two classes before its label was learnt."""
        begin, slope = self.confidence, self._slope or self.slope
        said: Said = {
            "bin": [margin_bin(begin.slope * margin), 0],
            "live": judge_two(slope * margin, right),
            "right": right,
        }
        if begin.fitted:
            said["fitted"] = judge_two(begin.slope * margin, right)
        return said

    def say_many(self, scores: Sequence[float], chosen: int, label: int) -> Said:
        """Return what an entry tells of an answer of more classes; ``label``: the right one."""
        begin = self.confidence
        said: Said = {
            "bin": bin_of_many(scores, chosen, begin.slope),
            "live": _in_parts(judge(scores, chosen, label, self.slope)),
            "right": chosen == label,
        }
        if begin.fitted:
            said["fitted"] = _in_parts(judge(scores, chosen, label, begin.slope))
        return said

    def add(self, entry: Entry) -> None:
        """Count what an entry tells."""
        said = entry.details.get("said")
        if said is None:
            return
        if entry.id // self.width != self._newest:
            self._turn(entry.id)
        # Counted later, for many at once: a correction does not wait for it.
        self._waiting.append((entry.id, kind_of(entry).confirms, said))
        if len(self._waiting) >= AT_ONCE:
            self.windows  # noqa: B018 - counts them

    def take(self, entry: Entry) -> None:
        """Count it no more: its label was taken back."""
        said = entry.details.get("said")
        if said is None:
            return
        windows = self.windows
        self._count(entry.id, kind_of(entry).confirms, said, -1)
        self._slope, self._newest = None, max(windows, default=-1)

    def _turn(self, number: int) -> None:
        """Come to another window; the slope follows all but the newest."""
        windows = self.windows
        while number // self.width >= MOST_WINDOWS:
            self.widen()
            windows = self.windows
        self._slope, self._newest = None, max(number // self.width, max(windows, default=-1))

    def _count(self, entry: int, confirms: bool, said: Said, sign: int) -> None:
        number = entry // self.width
        window = self._windows.setdefault(number, new_window())
        try:
            _count(window, said, confirms, sign)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise LedgerError(
                f"what entry {entry} says of its answer cannot be read ({error!r})",
                topic="damaged",
            ) from None
        if not window.counts[RIGHT] + window.counts[WRONG]:
            del self._windows[number]

    def widen(self) -> None:
        """Make windows twice as wide."""
        merged: dict[int, ScoredWindow] = {}
        for number, window in self.windows.items():
            to = merged.setdefault(number // 2, new_window())
            to.counts[:] = [a + b for a, b in zip(to.counts, window.counts, strict=True)]
            _add(to.bins, window.bins)
        self._windows, self.width = merged, self.width * 2
        self._slope = None

    def is_alike(self, other: Scoring) -> bool:
        """Tell whether another one counted the same."""
        a, b = copy.deepcopy(self), copy.deepcopy(other)
        # The last entry decides the width, and it may be one that was undone.
        for one, width in ((a, other.width), (b, self.width)):
            while one.width < width:
                one.widen()
        return a.to_json() == b.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return what a snapshot keeps."""
        windows = [
            [number, window.counts, [[*key, n] for key, n in sorted(window.bins.items())]]
            for number, window in sorted(self.windows.items())
        ]
        return {"width": self.width, "windows": windows}

    def restore(self, plain: Mapping[str, Any]) -> None:
        """Take what a snapshot kept."""
        self.width = int(plain["width"])
        self._waiting = []
        self._windows = {
            int(number): ScoredWindow(counts, {(i, j, bool(right)): n for i, j, right, n in bins})
            for number, counts, bins in plain["windows"]
        }
        self._slope, self._newest = None, max(self._windows, default=-1)


def _count(window: ScoredWindow, said: Mapping[str, Any], confirms: bool, sign: int) -> None:
    counts, right = window.counts, bool(said["right"])
    counts[RIGHT if right else WRONG] += sign
    counts[CONFIRMED] += sign * confirms
    if "unknown" in said:
        unknown, words = said["unknown"]
        counts[UNKNOWN] += sign * unknown
        counts[WORDS] += sign * words
    if "live" not in said:
        counts[NEW_CLASS] += sign
        return
    for name, first in (("live", P), ("fitted", P + FITTED)):
        for place, one in enumerate(said.get(name, ()), first):
            counts[place] += sign * one
    margin, rivals = said["bin"]
    _add(window.bins, {(margin, rivals, right): sign})


def _add(to: dict[Bin, int], other: Mapping[Bin, int]) -> None:
    """Add counts; a bin without any is none."""
    for key, n in other.items():
        if total := to.get(key, 0) + n:
            to[key] = total
        else:
            to.pop(key, None)


def said_probability(entry: Entry) -> float | None:
    """Return the live probability of the answer that an entry tells of; None without one."""
    live = entry.details["said"].get("live")
    return None if live is None else live[0] / PARTS


def _in_parts(judged: Judged) -> list[int]:
    return [int(one * PARTS + 0.5) for one in judged]
