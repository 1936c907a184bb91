"""Progress and drift, against counts made one by one from what the entries say."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest

from hardlimit.live.confidence import Confidence, fit_slope
from hardlimit.live.entry import Entry
from hardlimit.live.kinds import CONFIRM, CORRECT
from hardlimit.live.scoring import Scoring, make_drift, make_progress, said_probability

from ..rounding import printed

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def make_entries(scoring, n, draw, many=False):
    """Entries as a model writes them, and without what tells of an answer now and then."""
    entries = []
    for number in range(1, n + 1):
        right, details = draw.random() < 0.7, {}
        if number % 11 == 0:
            said = {"right": False}  # of a new class
        elif many:
            scores = [draw.gauss(0, 2) for _ in range(4)]
            chosen = scores.index(max(scores))
            said = scoring.say_many(scores, chosen, chosen if right else (chosen + 1) % 4)
        else:
            said = scoring.say_two(abs(draw.gauss(0, 2)), right)
        if number % 3:
            said["unknown"] = [number % 4, 7]
        if number % 13:
            details = {"said": said}
        time = (BEGUN + timedelta(minutes=7 * number)).isoformat(timespec="microseconds")
        kind = CONFIRM if said["right"] and number % 2 else CORRECT
        entries.append(Entry(number, kind, time, details=details))
        scoring.add(entries[-1])
    return entries


def said_of(entries):
    return [one.details["said"] for one in entries if "said" in one.details]


def rate(entries, first, last):
    """Mistakes a day, by the times of the first and the last entry."""
    times = [datetime.fromisoformat(entries[i - 1].time) for i in (first, last)]
    seconds = (times[1] - times[0]).total_seconds()
    wrong = sum(not said["right"] for said in said_of(entries[first - 1 : last]))
    return wrong * 86400 / seconds if seconds >= 60 else None


def quality(said, name):
    judged = [one[name] for one in said if name in one]
    return [sum(column) / 1e6 / len(judged) for column in zip(*judged, strict=True)]


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize("n", [5, 300, 1100])
def test_progress_is_what_counting_gives(n, fitted, many):
    scoring = Scoring(Confidence(1.7 if fitted else 1.0, fitted))
    entries = make_entries(scoring, n, random.Random(n), many)
    pick = lambda numbers: [entries[i - 1] for i in numbers]  # noqa: E731
    progress, said = make_progress(scoring, n, pick), said_of(entries)
    right = [one["right"] for one in said]
    confirmed = [one for one in entries if "said" in one.details and one.kind == CONFIRM]
    assert (progress.n_seen, progress.n_right) == (len(said), sum(right))
    assert progress.n_confirmed == len(confirmed)
    assert progress.n_corrected == len(said) - len(confirmed)
    assert progress.n_new_class == sum("live" not in one for one in said)
    assert progress.accuracy == sum(right) / len(said)
    assert progress.live[0] == len(said) - progress.n_new_class
    assert list(progress.live[1:]) == quality(said, "live")
    assert (progress.fitted is not None) == (progress.fitted_slope is not None) == fitted
    if fitted:
        assert progress.fitted_slope == 1.7
        assert list(progress.fitted[1:]) == quality(said, "fitted")
    assert progress.slope == scoring.slope
    # The windows come one after the other, and leave nothing out.
    width = 8 if n < 1024 else 16
    assert [one.first for one in progress.windows][1:] == list(range(width, n + 1, width))
    for window in progress.windows:
        here = said_of(entries[window.first - 1 : window.last])
        assert window.last == min(n, window.first // width * width + width - 1)
        assert window.time == entries[window.last - 1].time
        assert window.n == len(here)
        assert window.accuracy == sum(one["right"] for one in here) / len(here)
        known = [one["live"][0] for one in here if "live" in one]
        assert window.probability == sum(known) / 1e6 / len(known)
        wanted = rate(entries, window.first, window.last)
        assert window.corrections_per_day == wanted
    plain = progress.to_dict()
    assert plain["live"] == progress.live._asdict()
    assert plain["windows"][0]["n"] == progress.windows[0].n
    assert plain["slope"] == progress.slope


@pytest.mark.parametrize("n", [5, 150, 700])
def test_drift_compares_the_latest_answers_with_those_before(n):
    scoring = Scoring(Confidence(1.0, False))
    entries = make_entries(scoring, n, random.Random(n))
    pick = lambda numbers: [entries[i - 1] for i in numbers]  # noqa: E731
    drift = make_drift(scoring, n, pick)
    # Whole windows of eight, the latest that have 200 answers.
    cut = n // 8 * 8
    while cut and len(said_of(entries[max(cut, 1) - 1 :])) < 200:
        cut -= 8
    parts = entries[max(cut, 1) - 1 :], entries[: max(cut, 1) - 1]
    assert drift.n_recent == len(said_of(parts[0]))
    for found, part in zip(zip(*[drift.unknown, drift.accuracy, drift.probability], strict=True),
                           parts, strict=True):  # fmt: skip
        said = said_of(part)
        words = [one["unknown"] for one in said if "unknown" in one]
        known = [one["live"][0] for one in said if "live" in one]
        if not said:
            assert found == (None, None, None)
            continue
        assert found[0] == sum(a for a, _ in words) / sum(b for _, b in words)
        assert found[1] == sum(one["right"] for one in said) / len(said)
        assert found[2] == sum(known) / 1e6 / len(known)
    recent, before = drift.corrections_per_day
    assert recent == rate(entries, max(cut, 1), n)
    if cut > 1:
        times = [datetime.fromisoformat(entries[i - 1].time) for i in (1, cut)]
        wrong = sum(not one["right"] for one in said_of(parts[1]))
        assert before == wrong * 86400 / (times[1] - times[0]).total_seconds()
    else:
        assert before is None
    assert drift.to_dict()["accuracy"] == drift.accuracy._asdict()


def test_nothing_is_known_of_a_model_that_nobody_told_anything():
    scoring = Scoring(Confidence(1.0, False))
    entries = [Entry(1, "guard", BEGUN.isoformat())]
    progress = make_progress(scoring, 1, lambda numbers: entries)
    assert progress.n_seen == progress.n_corrected == 0 and progress.windows == ()
    assert progress.accuracy is progress.live is progress.fitted is None
    drift = make_drift(scoring, 1, lambda numbers: entries)
    assert drift.n_recent == 0 and drift.corrections_per_day == (None, None)
    assert drift.accuracy == drift.unknown == drift.probability == (None, None)


@pytest.mark.parametrize("seconds, told", [(59, False), (60, True), (-60, False)])
def test_a_rate_needs_a_minute(seconds, told):
    scoring = Scoring(Confidence(1.0, False))
    times = [BEGUN, BEGUN + timedelta(seconds=seconds)]
    said = [scoring.say_two(1.0, False) for _ in times]
    entries = [
        Entry(i, CORRECT, time.isoformat(), details={"said": one})
        for i, (time, one) in enumerate(zip(times, said, strict=True), 1)
    ]
    for one in entries:
        scoring.add(one)
    pick = lambda numbers: [entries[i - 1] for i in numbers]  # noqa: E731
    found = make_progress(scoring, 2, pick).windows[0].corrections_per_day
    assert found == (2 * 86400 / 60 if told else None)
    assert make_drift(scoring, 2, pick).corrections_per_day[0] == found


def test_the_slope_follows_the_thousand_answers_before_the_newest_window():
    draw, scoring = random.Random(3), Scoring(Confidence(2.0, True))
    entries = make_entries(scoring, 1700, draw)
    width = scoring.width
    newest, found, taken = 1700 // width, {}, 0
    for number in range(newest - 1, -1, -1):
        if taken >= 1000:
            break
        for said in said_of(entries[max(0, number * width - 1) : (number + 1) * width - 1]):
            taken += 1
            if "live" in said:
                key = (*said["bin"], said["right"])
                found[key] = found.get(key, 0) + 1
    assert scoring.slope == 2.0 * fit_slope(found, True)
    assert len(scoring.windows) <= 128 and width == 16


@pytest.mark.parametrize("many", [False, True])
def test_an_entry_that_is_taken_back_leaves_no_trace(many):
    draw, scoring = random.Random(9), Scoring(Confidence(1.0, False))
    entries = make_entries(scoring, 200, draw, many)
    gone = {one.id for one in entries if draw.random() < 0.4}
    kept = Scoring(scoring.confidence)
    for one in entries:
        if one.id not in gone:
            kept.add(one)
    for one in reversed(entries):
        if one.id in gone:
            scoring.take(one)
    assert scoring.to_json() == kept.to_json() and scoring.slope == kept.slope
    again = Scoring(scoring.confidence)
    again.restore(kept.to_json())
    assert again.to_json() == kept.to_json() and again.slope == kept.slope
    for one in reversed(entries):
        if one.id not in gone:
            scoring.take(one)
    assert scoring.windows == {} and scoring.slope == 1.0


def test_the_probability_of_an_answer_is_read_from_its_entry():
    scoring = Scoring(Confidence(1.0, False))
    said = scoring.say_two(2.0, True)
    assert said_probability(Entry(1, CONFIRM, "", details={"said": said})) == printed(
        1 / (1 + math.exp(-2.0)), 6
    )
    assert said_probability(Entry(1, CONFIRM, "", details={"said": {"right": False}})) is None
