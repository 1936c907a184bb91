"""How well a live model has done: figures of what it said before it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from hardlimit.foundation.records import to_plain
from hardlimit.live.confidence import PARTS
from hardlimit.live.entry import Entry
from hardlimit.live.scoring import (
    CONFIRMED,
    FITTED,
    N_COUNTS,
    NEW_CLASS,
    RIGHT,
    UNKNOWN,
    WORDS,
    WRONG,
    P,
    Scoring,
)

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
