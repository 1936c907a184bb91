"""Models of many classes: memory, files and time of whole commands, one process each.

``hardlimit train`` on a table of labelled texts, ``predict`` and ``inspect`` on the model that it
wrote. ``HARDLIMIT_BEFORE`` may name an earlier checkout (:mod:`benchmarks.earlier`), whose commands
are then run by turns with ours.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import languages
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.earlier import earlier_python
from benchmarks.harness import Figure, Settings, format_megabytes, format_seconds

TITLE = "Models of many classes"
HALF = 0.5
MOST_MEMORY = 1.5e9  # of the languages: peak, and model file
MOST_FILE = 150e6


class Run(NamedTuple):
    """A command: seconds, peak of the resident memory, bytes of the model."""

    seconds: float
    peak: int
    size: int


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield what the languages and 20 newsgroups take."""
    yield from measured("languages", _languages(settings.quick), settings)
    try:
        corpus = load("20newsgroups")
    except Missing as missing:
        skipped.append(str(missing))
        return
    yield from measured("20newsgroups", corpus.first(2_000 if settings.quick else None), settings)


def _languages(quick: bool) -> Corpus:
    n_bytes = 400_000 if quick else languages.N_BYTES
    labels, texts = zip(*languages.sentences(n_bytes), strict=True)
    return Corpus("languages", list(texts), list(labels))


def measured(name: str, corpus: Corpus, settings: Settings) -> Iterator[Figure]:
    """Run the commands of both sides by turns, and compare medians."""
    train, test = corpus.split()
    if name == "languages":
        train = corpus  # the whole file of 10 MB
    sides = {"ours": sys.executable}
    if before := earlier_python():
        sides["before"] = before
    with tempfile.TemporaryDirectory() as folder:
        tables = Path(folder) / "train.tsv", Path(folder) / "test.txt"
        rows = zip(train.labels, train.texts, strict=True)
        tables[0].write_text("".join(f"{label}\t{text}\n" for label, text in rows), "utf-8")
        tables[1].write_text("".join(f"{text}\n" for text in test.texts), "utf-8")
        runs: dict[tuple[str, str], list[Run]] = {}
        for _ in range(settings.repetitions):
            for side, python in sides.items():
                for command, run in commands(python, *tables, Path(folder) / side).items():
                    runs.setdefault((side, command), []).append(run)
    yield from compared(name, runs)


def commands(python: str, train: Path, test: Path, model: Path) -> dict[str, Run]:
    """Run the commands of one side."""
    slim = model.with_suffix(".slim")
    return {
        "train": call(python, model, "train", str(train), "-o", str(model)),
        "train --slim": call(python, slim, "train", str(train), "-o", str(slim), "--slim"),
        "predict": call(python, model, "predict", str(model), str(test)),
        "inspect": call(python, model, "inspect", str(model)),
    }


def call(python: str, model: Path, *words: str) -> Run:
    """Run one command; its output is thrown away."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [python, "-m", "hardlimit", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(seconds, usage.ru_maxrss * unit, model.stat().st_size)


def compared(name: str, runs: dict[tuple[str, str], list[Run]]) -> Iterator[Figure]:
    """Yield the medians, beside those of before where they were measured."""
    asked = name == "languages"
    for what, unit, field, command in (
        ("peak of train", "MB", 1, "train"),
        ("model file", "MB", 2, "train"),
        ("model file, --slim", "MB", 2, "train --slim"),
        ("train", "s", 0, "train"),
        ("predict", "s", 0, "predict"),
        ("inspect", "s", 0, "inspect"),
    ):
        ours = statistics.median(run[field] for run in runs["ours", command])
        text = format_seconds if field == 0 else format_megabytes
        limit = {"peak of train": MOST_MEMORY, "model file": MOST_FILE}.get(what) if asked else None
        yield Figure(
            f"{name}, {what}",
            ours if field == 0 else ours / 1e6,
            unit,
            None if limit is None else limit / 1e6,
            "<=",
            ours=text(ours),
        )
        if ("before", command) in runs:
            theirs = statistics.median(run[field] for run in runs["before", command])
            halved = not asked and what in ("peak of train", "model file", "train")
            yield Figure(
                f"{name}, {what}: share of before",
                ours / theirs,
                "x",
                HALF if halved else None,
                "<=",
                ours=text(ours),
                theirs=text(theirs),
            )
