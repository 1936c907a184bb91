"""One example at a time: what an update costs a learner that is in use meanwhile."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Settings, format_seconds
from benchmarks.job import run_module
from benchmarks.one_by_one import HELD_OUT, LEARNERS

TITLE = "One example at a time"
EXAMPLES = {"texts": 4000, "rows": 2000}
QUICK = 500
LIKE_SGD = ("Perceptron", "(pa1)")  # the same code with other settings
NAMES = {"texts": "one SMS message", "rows": "one row of 80 non-zeros in 2^18 columns"}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the time of an update of every learner beside ours."""
    for kind in ("texts",) if settings.quick else LEARNERS:
        runs = take_turns(kind, settings, skipped)
        ours, *others = runs
        if not ours.startswith("hardlimit"):
            skipped.append(f"{NAMES[kind]}: hardlimit could not run")
            continue
        for name in others:
            yield compare(kind, ours, name, runs)


def take_turns(kind: str, settings: Settings, skipped: list[str]) -> dict[str, list[dict]]:
    """Run every learner in fresh processes, by turns."""
    n = str(QUICK if settings.quick else EXAMPLES[kind])
    names = [name for name in LEARNERS[kind] if not (settings.quick and name.endswith(LIKE_SGD))]
    runs: dict[str, list[dict]] = {name: [] for name in names}
    for _ in range(settings.repetitions):
        for name in list(runs):
            try:
                runs[name].append(run_module("benchmarks.one_by_one", kind, name, n))
            except Missing as missing:
                del runs[name]
                if str(missing) not in skipped:
                    skipped.append(str(missing))
    return runs


def compare(kind: str, ours: str, name: str, runs: dict[str, list[dict]]) -> Figure:
    """Return the ratio of one learner's update to ours."""

    def median(who: str, what: str) -> float:
        return statistics.median(run[what] for run in runs[who])

    def describe(who: str) -> str:
        cost = format_seconds(median(who, "update"))
        return f"{median(who, 'accuracy'):.3f}, {cost}"

    return Figure(
        f"{NAMES[kind]}: {name}",
        median(name, "update") / median(ours, "update"),
        ours=describe(ours),
        theirs=describe(name),
        remark=f"its time divided by ours; accuracy on the {HELD_OUT:,} that come next; "
        f"a prediction: ours {format_seconds(median(ours, 'predict'))}, "
        f"its {format_seconds(median(name, 'predict'))}",
    )
