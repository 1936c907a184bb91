"""``hardlimit report`` on 30,000 mails, as a whole process: seconds and peak memory."""

from __future__ import annotations

import csv
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import whole_process
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Settings, format_megabytes, format_seconds

TITLE = "A report on 30,000 mails, whole processes"
ROWS = 30_000


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the time of the report, and of the evaluation alone beside it."""
    try:
        corpus = load("enron_spam")
    except Missing as missing:
        skipped.append(str(missing))
        return
    rows = 2_000 if settings.quick else ROWS
    with tempfile.TemporaryDirectory() as folder:
        model, held_out, page = prepare(corpus, rows, Path(folder))
        report = ["report", model, held_out, "-o", page]
        both = {"report": report, "evaluate": ["evaluate", model, held_out]}
        runs: dict[str, list[whole_process.Done]] = {name: [] for name in both}
        for _ in range(settings.repetitions):
            for name, words in both.items():
                runs[name].append(run(words))
        size = page.stat().st_size
    seconds = {
        name: statistics.median(one.seconds for one in results) for name, results in runs.items()
    }
    memory = {name: max(one.peak for one in results) for name, results in runs.items()}
    yield Figure(
        f"hardlimit report, {rows:,} mails",
        seconds["report"],
        "s",
        15.0,
        "<=",
        ours=f"peak {format_megabytes(memory['report'])}",
        theirs=f"hardlimit evaluate {format_seconds(seconds['evaluate'])}, "
        f"peak {format_megabytes(memory['evaluate'])}",
        remark=f"mails of {format_megabytes(corpus.take(range(rows)).n_bytes)}, a page of "
        f"{format_megabytes(size)}",
    )


def prepare(corpus: Corpus, rows: int, folder: Path) -> tuple[Path, Path, Path]:
    """Write the first ``rows`` mails for the report, and train on the others."""
    train, held_out = folder / "train.csv", folder / "held-out.csv"
    write(train, corpus.take(range(rows, len(corpus.texts))))
    write(held_out, corpus.take(range(rows)))
    words = ["train", train, "--text", "text", "--label", "label", "-o", folder / "m.hardlimit"]
    run(words)
    return folder / "m.hardlimit", held_out, folder / "report.html"


def write(path: Path, corpus: Corpus) -> None:
    """Write a corpus as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows(zip(corpus.texts, corpus.labels, strict=True))


def run(words: list[str | Path]) -> whole_process.Done:
    """Run a command of hardlimit."""
    done = whole_process.run([sys.executable, "-m", "hardlimit", *words])
    if done.status:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.errors}")
    return done
