"""What was said of each answer before its label was learnt, counted over the entries that hold.

Everything is added in whole numbers, so that an entry that is undone is taken away to the last bit.
The counts are kept by windows of entries, at most 128, which double their width as a ledger grows.
:func:`make_progress` and :func:`make_drift` make figures of the counts.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from hardlimit.exceptions import LedgerError
from hardlimit.foundation.records import to_plain
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


# Answers that are called recent, at least.
RECENT = 200
# Of a rate: what was done in less says nothing of a day.
LEAST_SECONDS = 60


class Quality(NamedTuple):
    """How good probabilities were, on answers whose label came later.

    n : answers. mean : of the probabilities of the answers, to be compared with the share that was
    right. log_loss : mean of ``-log`` of the probability of the right label. brier : mean square
    error, of more than two classes the sum over all.
    """

    n: int
    mean: float
    log_loss: float
    brier: float


class EntryWindow(NamedTuple):
    """Some entries in a row.

    Attributes
    ----------
    first, last : their numbers
    time : of the last one
    n : answers that were confirmed or corrected
    accuracy : the share that was right before it was learnt
    probability : the mean of the probabilities of these answers; None of none
    corrections_per_day : mistakes by the clocks of the entries; None where they stand still
    """

    first: int
    last: int
    time: str
    n: int
    accuracy: float
    probability: float | None
    corrections_per_day: float | None


class ProgressFigures(NamedTuple):
    """What was said before it was learnt, over all entries that hold.

    Attributes
    ----------
    n_seen : answers that were confirmed or corrected
    n_right : those that were right before
    n_confirmed, n_corrected : by the kind of their entry; a correction may be of a right answer
    n_new_class : those whose label was a new class, which no answer could have been
    accuracy : ``n_right / n_seen``; None of none. Users report mistakes more often than right
        answers, so that without confirmations it is too low
    live, fitted : the two probabilities, on the answers whose label was a class; None of none
    slope, fitted_slope : what makes probabilities of margins; None where the file has no such slope
    windows : at most 128, oldest first
    """

    n_seen: int
    n_right: int
    n_confirmed: int
    n_corrected: int
    n_new_class: int
    accuracy: float | None
    live: Quality | None
    fitted: Quality | None
    slope: float
    fitted_slope: float | None
    windows: tuple[EntryWindow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain


class ComparedShare(NamedTuple):
    """A share of recent texts beside that of what it is compared with; None where nobody knows."""

    recent: float | None
    before: float | None


class Drift(NamedTuple):
    """Whether what comes in is still what the model learnt.

    Attributes
    ----------
    n_recent : answers that are called recent: 200 at least, where there are as many
    unknown : share of the words that the base does not know, in the recent texts and in those
        before; None of hashed features, characters, and closed vocabularies, which know no new ones
    accuracy : share of answers that were right before they were learnt
    probability : mean probability of the answers. Above the accuracy: the model is too sure
    corrections_per_day : mistakes by the clocks of the entries
    """

    n_recent: int
    unknown: ComparedShare
    accuracy: ComparedShare
    probability: ComparedShare
    corrections_per_day: ComparedShare

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain


Pick = Callable[[Iterable[int]], list[Entry]]


def make_progress(scoring: Scoring, last: int, pick: Pick) -> ProgressFigures:
    """Return the progress of a model with ``last`` entries."""
    total = _total(scoring, sorted(scoring.windows))
    n = total[RIGHT] + total[WRONG]
    judged = n - total[NEW_CLASS]
    begin = scoring.confidence
    return ProgressFigures(
        n,
        total[RIGHT],
        total[CONFIRMED],
        n - total[CONFIRMED],
        total[NEW_CLASS],
        total[RIGHT] / n if n else None,
        _quality(total, P, judged),
        _quality(total, P + FITTED, judged) if begin.fitted else None,
        scoring.slope,
        begin.slope if begin.fitted else None,
        tuple(_windows(scoring, last, pick)),
    )


def make_drift(scoring: Scoring, last: int, pick: Pick) -> Drift:
    """Compare the latest answers with those before."""
    latest = scoring.latest(RECENT)
    recent = _total(scoring, latest)
    before = _total(scoring, set(scoring.windows) - set(latest))
    cut = latest[0] * scoring.width if latest else 0
    return Drift(
        recent[RIGHT] + recent[WRONG],
        ComparedShare(_share(recent, UNKNOWN, WORDS), _share(before, UNKNOWN, WORDS)),
        ComparedShare(_accuracy(recent), _accuracy(before)),
        ComparedShare(_mean(recent, P), _mean(before, P)),
        ComparedShare(
            _rate(recent[WRONG], max(cut, 1), last, pick) if latest else None,
            _rate(before[WRONG], 1, cut, pick) if cut > 1 else None,
        ),
    )


def _total(scoring: Scoring, numbers: Iterable[int]) -> list[int]:
    counts = [scoring.windows[number].counts for number in numbers]
    return [sum(column) for column in zip(*counts, strict=True)] if counts else [0] * N_COUNTS


def _quality(counts: Sequence[int], first: int, n: int) -> Quality | None:
    if not n:
        return None
    mean, loss, brier = (counts[first + k] / PARTS / n for k in range(3))
    return Quality(n, mean, loss, brier)


def _windows(scoring: Scoring, last: int, pick: Pick) -> Iterable[EntryWindow]:
    for number, window in sorted(scoring.windows.items()):
        first = max(1, number * scoring.width)
        end = min(last, (number + 1) * scoring.width - 1)
        counts = window.counts
        yield EntryWindow(
            first,
            end,
            pick([end])[0].time,
            counts[RIGHT] + counts[WRONG],
            counts[RIGHT] / (counts[RIGHT] + counts[WRONG]),
            _mean(counts, P),
            _rate(counts[WRONG], first, end, pick),
        )


def _share(counts: Sequence[int], part: int, whole: int) -> float | None:
    return counts[part] / counts[whole] if counts[whole] else None


def _accuracy(counts: Sequence[int]) -> float | None:
    n = counts[RIGHT] + counts[WRONG]
    return counts[RIGHT] / n if n else None


def _mean(counts: Sequence[int], place: int) -> float | None:
    n = counts[RIGHT] + counts[WRONG] - counts[NEW_CLASS]
    return counts[place] / PARTS / n if n else None


def _rate(mistakes: int, first: int, last: int, pick: Pick) -> float | None:
    """Mistakes a day between two entries; a clock that went backwards says nothing."""
    begun, ended = (datetime.fromisoformat(one.time) for one in pick([first, last]))
    seconds = (ended - begun).total_seconds()
    return mistakes * 86400 / seconds if seconds >= LEAST_SECONDS else None
