"""Every rule of the register on the same splits: errors, special cases, time and files.

Each cell is the mean over the splits (or draws) and, behind it, the standard error of that mean.
The splits are the same for all rules, so that differences are steadier than the cells.
:mod:`benchmarks.rule_trials` says what is tried.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import rule_trials as trials
from benchmarks.corpora import Missing
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.rule_trials import BINARY, FEW, TABLES, TEXTS, Trial

TITLE = "Which rule when: every rule on the same splits"
SPLITS, TEXT_SPLITS = 10, 5
WRONG = 0.1
NONE = "–"  # the rule cannot take part
ERRORS: dict[str, tuple[Trial, int]] = {
    "tables": (trials.error_on_tables(TABLES), SPLITS),
    "tables, 10 % wrong": (trials.error_on_tables(TABLES, wrong=WRONG), SPLITS),
    "0/1 columns": (trials.error_on_tables(BINARY, trials.binary_table), SPLITS),
    "texts": (trials.error_on_texts(TEXTS), TEXT_SPLITS),
    "texts, 10 % wrong": (trials.error_on_texts(TEXTS, wrong=WRONG), TEXT_SPLITS),
    f"{FEW} texts": (trials.error_on_texts(TEXTS, n=FEW), SPLITS),
}
SPECIAL: dict[str, tuple[Trial, int]] = {
    "rare class, F1": (trials.f1_of_rare_class(None), TEXT_SPLITS),
    "balanced, F1": (trials.f1_of_rare_class("balanced"), TEXT_SPLITS),
    "log loss": (trials.log_loss, TEXT_SPLITS),
    "stream": (trials.stream_errors(changing=False), TEXT_SPLITS),
    "changing stream": (trials.stream_errors(changing=True), TEXT_SPLITS),
    "few relevant columns": (trials.error_with_few_relevant, SPLITS),
    "share of the largest margin": (trials.share_of_margin, SPLITS),
}
LEGENDS = {
    "Errors in percent": ERRORS,
    "Special cases: F1, errors and shares in percent, log loss": SPECIAL,
}
BASE = "perceptron"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield what the tables say at their ends, and the tables."""
    from hardlimit import rules

    names = [BASE, *(name for name in rules.names() if name != BASE)]
    measured: dict[str, dict[str, list[float]]] = {}
    grids = []
    for title, columns in LEGENDS.items():
        for column, (trial, splits) in columns.items():
            try:
                measured[column] = run(trial, names, 1 if settings.quick else splits)
            except Missing as missing:
                skipped.append(f"{column}: {missing}")
        there = [column for column in columns if column in measured]
        grids.append(grid(title, names, there, measured))
    for column in [one for one in ERRORS if one in measured]:
        yield lowest(column, measured[column])
    yield from grids
    yield cost(names)


def run(trial: Trial, names: list[str], splits: int) -> dict[str, list[float]]:
    """Return the numbers of every rule that can take part, a number a split."""
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(splits):  # outside: the rows of a split are in memory once
        for name in names:
            value = trial(name, number)
            if value is not None:
                found[name].append(value)
    return {name: values for name, values in found.items() if values}


def lowest(column: str, found: dict[str, list[float]]) -> Figure:
    """Return the rule of the lowest error beside the default for texts and the perceptron."""
    means = {name: statistics.mean(values) for name, values in found.items()}
    best = min(means, key=means.__getitem__)
    default = means["passive-aggressive"]
    return Figure(
        f"{column}: passive-aggressive behind the best rule",
        default - means[best],
        "points",
        ours=f"{default:.1f} %",
        theirs=f"{best} {means[best]:.1f} %, perceptron {means[BASE]:.1f} %",
    )


def grid(
    title: str, names: list[str], columns: list[str], measured: dict[str, dict[str, list[float]]]
) -> Grid:
    """Return a table with a line a rule."""
    lines = (
        (name, *(cell(column, measured[column].get(name)) for column in columns)) for name in names
    )
    return Grid(title, ("rule", *columns), tuple(lines))


def cell(column: str, values: list[float] | None) -> str:
    """Return mean and standard error.

    >>> cell("texts", [12.0, 13.0]), cell("log loss", [0.31, 0.35]), cell("texts", None)
    ('12.5 ± 0.5', '0.330 ± 0.020', '–')
    """
    if not values:
        return NONE
    digits = 3 if column == "log loss" else 1
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.{digits}f} ± {error:.{digits}f}"


def cost(names: list[str]) -> Grid:
    """Return times of training as multiples of the perceptron's, and sizes of files."""
    split = trials.texts("imdb", 0)
    lines, times = [], {}
    for kind, work in {
        "texts": lambda name: trials.fit_texts(name, split),
        "tables": lambda name: trials.fit(name, trials.table("adult", 0)),
    }.items():
        for _ in range(3):
            for name in names:
                done = work(name)
                if done is not None:
                    times.setdefault((name, kind), []).append(done.seconds)
    for name in names:
        cells = []
        for kind in ("texts", "tables"):
            mine = times.get((name, kind))
            cells.append(f"{min(mine) / min(times[BASE, kind]):.1f}" if mine else NONE)
        fitted = trials.fit_texts(name, split)
        sizes = [size(fitted, state) for state in (True, False)] if fitted else [NONE, NONE]
        lines.append((name, *cells, *sizes))
    head = ("rule", "time, texts", "time, tables", "file in MB", "file that only predicts, MB")
    return Grid(
        "Training time as a multiple of the perceptron's, files of IMDb", head, tuple(lines)
    )


def size(fitted, training_state: bool) -> str:
    """Return the size of a model file in MB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        fitted.classifier.save(path, training_state=training_state)
        return f"{path.stat().st_size / 1e6:.1f}"
