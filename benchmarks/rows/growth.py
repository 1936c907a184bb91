"""One pass over 1, 2, 4 and 8 GB of generated text: seconds, and peak memory, of whole processes.

``--gigabytes 1 2`` gives other sizes, in multiples of the first. The files are written into a
temporary folder (``TMPDIR``) and deleted afterwards; they take twice the largest size there, since
some learners write a format of their own, which counts. Learners run by turns at each size. But
for hardlimit and Vowpal Wabbit, one that would need more than two minutes, or more memory than
there is free, by what it took at the size before, does not run: its figures are projected on a line
through what was measured.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import generated_texts, whole_process
from benchmarks.corpora import Missing
from benchmarks.growing import OURS, PEERS, command
from benchmarks.harness import Figure, Grid, Settings, format_megabytes, format_seconds
from benchmarks.job import MISSING, warm_memory

TITLE = "Growth: one pass over generated text"
STREAM, IN_MEMORY = OURS
QUICKEST = "Vowpal Wabbit"
QUICK_ONES = (STREAM, QUICKEST, "HashingVectorizer + SGDClassifier.partial_fit")
SIZES, QUICK = (1.0, 2.0, 4.0, 8.0), (0.004, 0.016)  # GB
PROBE = 0.05  # of the first size, for a first guess
PATIENCE = 120  # seconds; of hardlimit and Vowpal Wabbit, which are compared at every size, none
MOST_MEMORY, LINEAR = 400, 1.1
STARTING = 0.02  # GB: a first guess from less text says nothing about memory


class Run(NamedTuple):
    """What one process took; ``stages`` are its own times, if it tells them."""

    seconds: float
    peak: float
    stages: dict[str, float]

    def __str__(self) -> str:
        parts = "".join(f", {name} {format_seconds(s)}" for name, s in self.stages.items())
        return f"{format_seconds(self.seconds)}, {format_megabytes(self.peak)}{parts}"


class TooMuch(NamedTuple):
    """What a learner would take: seconds and bytes on a line through what was measured."""

    seconds: float
    peak: float
    why: str

    def __str__(self) -> str:
        return f"not run: {self.why}"


Runs = dict[str, dict[float, Run | TooMuch]]


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield time and memory of every learner at every size."""
    sizes = settings.gigabytes or (QUICK if settings.quick else SIZES)
    _check_space(sizes[-1])
    with tempfile.TemporaryDirectory(prefix="growth-") as name:
        runs = run_all(Path(name), sizes, skipped, settings.quick)
    if STREAM in runs:
        yield from with_targets(runs, sizes)
        yield from beside(runs, sizes)
    yield table(runs, sizes)


def _check_space(gigabytes: float) -> None:
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e9
    if free < 2.5 * gigabytes:
        raise Missing(
            f"growth: {tempfile.gettempdir()} has {free:.0f} GB free; {gigabytes:g} GB of text "
            "need 2.5 times as much (TMPDIR names another folder)"
        )


def run_all(
    folder: Path, sizes: tuple[float, ...], skipped: list[str], quick: bool = False
) -> Runs:
    """Write the texts, and run every learner at each size, the smallest first."""
    unit = round(sizes[0] * 1e9)
    files = generated_texts.write(folder, round(sizes[-1] / sizes[0]), unit)
    probe = generated_texts.write_one(folder / "probe.csv", max(round(unit * PROBE), 1_000_000))
    runs: Runs = {}
    for name in QUICK_ONES if quick else (STREAM, *PEERS, IN_MEMORY):
        try:
            runs[name] = {probe.stat().st_size / 1e9: run(name, [probe])}
        except Missing as missing:
            skipped.append(str(missing))
    for gigabytes in sizes:
        for name, by in runs.items():
            too_much = None if name in (STREAM, QUICKEST) else foresee(by, gigabytes)
            by[gigabytes] = too_much or run(name, files[: round(gigabytes / sizes[0])])
            print(f"  {gigabytes:g} GB: {name}: {by[gigabytes]}", file=sys.stderr, flush=True)
    for by in runs.values():
        del by[min(by)]
    return runs


def foresee(by: dict[float, Run | TooMuch], gigabytes: float) -> TooMuch | None:
    """Return what a run would take if that is too much."""
    measured = [size for size, one in by.items() if isinstance(one, Run)]
    last = max(measured)
    first = max((size for size in measured if size < last), default=last)
    seconds = by[last].seconds * gigabytes / last
    if last == first:  # nothing is known of what does not grow
        peak = by[last].peak * (gigabytes / last if last >= STARTING else 1)
    else:
        slope = (by[last].peak - by[first].peak) / (last - first)
        peak = by[last].peak + max(0.0, slope) * (gigabytes - last)
    if peak > free_memory():
        return TooMuch(seconds, peak, f"would need about {peak / 1e9:.0f} GB of memory")
    if seconds > PATIENCE:
        return TooMuch(seconds, peak, f"would take about {seconds / 60:.0f} minutes")
    return None


def free_memory() -> float:
    """Return the bytes that a process can have without swapping."""
    lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024


def run(name: str, paths: list[Path]) -> Run:
    """Run one learner in a process of its own; delete what it wrote."""
    folder = paths[0].parent
    known = set(folder.iterdir())
    warm_memory()
    done = whole_process.run(command(name, paths))
    for path in set(folder.iterdir()) - known:
        path.unlink()
    if done.status == MISSING:
        raise Missing(done.errors.strip())
    if done.status:
        raise RuntimeError(f"{name} ended with {done.status}:\n{done.errors}")
    stages = json.loads(done.out.splitlines()[-1]) if name in PEERS else {}
    return Run(done.seconds, done.peak, stages)


def with_targets(runs: Runs, sizes: tuple[float, ...]) -> Iterator[Figure]:
    """Yield memory, linearity, and the time beside Vowpal Wabbit's."""
    ours, first, last = runs[STREAM], sizes[0], sizes[-1]
    if not isinstance(ours[last], Run):
        return
    yield Figure(
        f"{last:g} GB, peak memory",
        ours[last].peak / 1e6,
        "MB",
        MOST_MEMORY,
        "<=",
        ours=str(ours[last]),
        remark=f"{first:g} GB: {format_megabytes(ours[first].peak)}",
    )
    yield Figure(
        f"{last:g} GB: seconds a GB over those of {first:g} GB",
        ours[last].seconds / last / (ours[first].seconds / first),
        target=LINEAR,
        sense="<=",
        ours=format_seconds(ours[last].seconds),
        remark=f"{first:g} GB: {format_seconds(ours[first].seconds)}",
    )
    theirs = runs.get(QUICKEST, {}).get(last)
    if isinstance(theirs, Run):
        yield Figure(
            f"{last:g} GB, share of Vowpal Wabbit's time",
            ours[last].seconds / theirs.seconds,
            target=1.0,
            sense="<=",
            ours=format_seconds(ours[last].seconds),
            theirs=str(theirs),
            remark="of which writing its format",
        )


def beside(runs: Runs, sizes: tuple[float, ...]) -> Iterator[Figure]:
    """Yield every learner's time over ours, at the largest size at which both were measured."""
    ours = runs[STREAM]
    for name, by in runs.items():
        both = [size for size in sizes if isinstance(by[size], Run) and isinstance(ours[size], Run)]
        if name == STREAM or not both:
            continue
        size = both[-1]
        yield Figure(
            f"{size:g} GB: {name}",
            by[size].seconds / ours[size].seconds,
            ours=str(ours[size]),
            theirs=str(by[size]),
            remark="its time divided by ours" + ("" if size == sizes[-1] else f"; {by[sizes[-1]]}"),
        )


def table(runs: Runs, sizes: tuple[float, ...]) -> Grid:
    """Return seconds and peak memory by size; what was not run stands in brackets."""

    def cell(one: Run | TooMuch) -> str:
        text = f"{one.seconds:,.3g} s, {one.peak / 1e6:,.0f} MB"
        return text if isinstance(one, Run) else f"({text})"

    return Grid(
        "Seconds and peak memory; in brackets: not run, projected from what was measured",
        ("learner", *(f"{size:g} GB" for size in sizes)),
        tuple((name, *(cell(by[size]) for size in sizes)) for name, by in runs.items()),
    )
