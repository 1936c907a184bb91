"""From raw texts to predictions, default settings: accuracy and time beside other packages.

Every run is a process of its own; the texts are in memory before the clock starts. Raw mail starts
as bytes: each contestant reads it as its users would. Who needs more than a minute runs once. Where
``HARDLIMIT_BEFORE`` names an earlier checkout (:mod:`benchmarks.earlier`), it runs by turns too.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contestants import contestants
from benchmarks.corpora import MAIL, Missing
from benchmarks.earlier import earlier_python
from benchmarks.harness import Figure, Settings, Times, format_seconds
from benchmarks.job import in_a_process

TITLE = "Raw text to predictions, default settings, one thread"
OURS, BAR, QUICKEST = "hardlimit_default", "sklearn_linear_svc", "vowpal_wabbit"
SMALL, LARGE = ("sms_spam",), ("banking77", MAIL, "enron_spam", "20newsgroups", "imdb")
SMS_ACCURACY, BELOW_BAR, TENTH = 0.9890, 0.002, 0.1
WITHOUT_TIMES = ("banking77", MAIL)  # of which no time was asked for
PATIENCE = 60  # seconds of a run that is not repeated
QUICK = 1500  # texts
BEFORE = "before"
SHARE_OF_BEFORE = {"20newsgroups": 0.6, "imdb": 0.75, "enron_spam": 0.75}  # as asked for


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield accuracy and time of every contestant on every corpus."""
    corpora = SMALL if settings.quick else SMALL + LARGE
    for corpus in (settings.corpus,) if settings.corpus else corpora:
        runs = run_all(corpus, settings, skipped)
        if OURS in runs:
            yield from beside_before(corpus, runs)
            yield from with_targets(corpus, runs)
            yield from compare_all(corpus, runs)


def run_all(corpus: str, settings: Settings, skipped: list[str]) -> dict[str, list[dict]]:
    """Run all contestants in turns; those that cannot run are skipped and named."""
    runs: dict[str, list[dict]] = {name: [] for name in settings.chosen(contestants(), OURS)}
    most = QUICK if settings.quick else None
    for _ in range(settings.repetitions):
        for name in [name for name in runs if name != BEFORE and is_quick(runs[name])]:
            try:
                runs[name].append(in_a_process(name, corpus, most))
            except Missing as missing:
                del runs[name]
                if str(missing) not in skipped:
                    skipped.append(str(missing))
        if OURS in runs and (python := earlier_python()):
            runs.setdefault(BEFORE, []).append(in_a_process(OURS, corpus, most, python))
    return runs


def is_quick(runs: list[dict]) -> bool:
    """Tell whether a contestant is to run again."""
    return not runs or runs[0]["seconds"] <= PATIENCE


def beside_before(corpus: str, runs: dict[str, list[dict]]) -> Iterator[Figure]:
    """Yield our time as a share of that of the earlier checkout, and take it from the runs."""
    if BEFORE not in runs:
        return
    times = times_of(runs)
    theirs = runs.pop(BEFORE)
    yield Figure(
        f"{corpus}, share of before's time",
        1 / times.ratio(BEFORE, OURS),
        target=SHARE_OF_BEFORE.get(corpus),
        sense="<=",
        ours=f"{runs[OURS][0]['accuracy']:.4f}, {format_seconds(times.median(OURS))}",
        theirs=f"before {theirs[0]['accuracy']:.4f}, {format_seconds(times.median(BEFORE))}",
    )


def times_of(runs: dict[str, list[dict]]) -> Times:
    """Return the seconds of every run."""
    return Times({name: [run["seconds"] for run in many] for name, many in runs.items()})


def with_targets(corpus: str, runs: dict[str, list[dict]]) -> Iterator[Figure]:
    """Yield the figures that have a target: accuracy, and on the larger sets the time."""
    times = times_of(runs)
    accuracy = {name: many[0]["accuracy"] for name, many in runs.items()}
    ours = format_seconds(times.median(OURS))
    if corpus in SMALL:
        yield Figure(f"{corpus}, accuracy", accuracy[OURS], "", SMS_ACCURACY, ours=ours)
        return
    if BAR in runs:
        title = contestants()[BAR].TITLE
        bar = accuracy[BAR]
        yield Figure(
            f"{corpus}, accuracy",
            accuracy[OURS],
            "",
            bar - BELOW_BAR,
            theirs=f"{title} {bar:.4f}",
            remark=f"target: at most {BELOW_BAR} below",
        )
        yield Figure(
            f"{corpus}, share of LinearSVC's time",
            1 / times.ratio(BAR, OURS),
            target=None if corpus in WITHOUT_TIMES else TENTH,
            sense="<=",
            ours=ours,
            theirs=f"{title} {format_seconds(times.median(BAR))}",
        )
    if QUICKEST in runs:
        yield Figure(
            f"{corpus}, share of Vowpal Wabbit's time",
            1 / times.ratio(QUICKEST, OURS),
            target=None if corpus in WITHOUT_TIMES else 1.0,
            sense="<=",
            ours=ours,
            theirs=f"{format_seconds(times.median(QUICKEST))}",
            remark="of which writing its format "
            f"{format_seconds(median_format_time(runs[QUICKEST]))}",
        )


def median_format_time(runs: list[dict]) -> float:
    """Return the median of the time spent writing a format."""
    return Times({"format": [run["stages"].get("format", 0.0) for run in runs]}).median("format")


def compare_all(corpus: str, runs: dict[str, list[dict]]) -> Iterator[Figure]:
    """Yield accuracy and time of every other contestant."""
    times = times_of(runs)
    for name, many in runs.items():
        if name != OURS:
            yield Figure(
                f"{corpus}: {contestants()[name].TITLE}",
                times.ratio(name, OURS),
                ours=f"{runs[OURS][0]['accuracy']:.4f}, {format_seconds(times.median(OURS))}",
                theirs=f"{many[0]['accuracy']:.4f}, {format_seconds(times.median(name))}",
                remark="its time divided by ours" + ("" if is_quick(many) else "; one run"),
            )
