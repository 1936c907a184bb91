"""The cost of a row and of a correction for each rule: seconds = a * rows + b * corrections.

``a`` and ``b`` are fitted by least squares over the epochs of sets that differ in label noise only:
few and many corrections over the same rows. Rules are compared at equal corrections over the same
rows: each epoch of a rule is divided by the cost of a perceptron's epoch of the same turn with as
many corrections, from a cubic through the perceptron's epochs (a correction costs more if the
processor cannot predict it). To have epochs with as many corrections as the busiest rule, the
perceptron also runs with a required margin, which costs it nothing. Beyond its busiest epoch the
cost of that epoch is used.
The figure is the median over the epochs and turns. Only rules that store nothing but w have a
target; the others cost more.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.generators import Rows, zipf_rows
from benchmarks.harness import Figure, Settings, format_seconds

TITLE = "Cost of each rule: a * rows + b * corrections"
NOISES = (0.0, 0.1, 0.3)
ROWS, EPOCHS, REPETITIONS = 50_000, 10, 7
MARGINS = (0.3, 1.0, 3.0)
BASE = "perceptron"
MOST = 1.1
# What a rule does beside adding; only rules without a remark have a target.
KEEPS = {
    "tau": "",
    "shrink, tau": "",
    "tau, linked": "",
    "tau, beta": "keeps a variance a column",
    "factor": "multiplies the weights",
}


Epochs = list[tuple[int, float]]
"""Corrections and seconds of each epoch."""


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the cost of every rule divided by that of the perceptron."""
    from hardlimit import rules

    n_rows = ROWS // 4 if settings.quick else ROWS
    sets = [zipf_rows(n_rows, noise=noise) for noise in NOISES]
    names = [BASE, *(name for name in rules.names() if name != BASE)]
    turns = [turn(names, sets) for _ in range(max(REPETITIONS, settings.repetitions))]
    for name in names:
        a, b = np.median([fitted(n_rows, sum(one[name], [])) for one in turns], axis=0)
        ratios = [r for one in turns for r in relative(one[name], one["the perceptron's"])]
        keeps = KEEPS[getattr(rules.get(name), "answers", "tau")]
        yield Figure(
            name,
            statistics.median(ratios),
            target=None if name == BASE or keeps else MOST,
            sense="<=",
            ours=f"a = {format_seconds(a)}, b = {format_seconds(b)}",
            remark=keeps,
        )


def turn(names: list[str], sets: list[Rows]) -> dict[str, list[Epochs]]:
    """Return the epochs of every rule over each set, the rules in turns."""
    from hardlimit import rules

    epochs: dict[str, list[Epochs]] = {name: [] for name in (*names, "the perceptron's")}
    for rows in sets:
        for name in names:
            epochs[name].append(history(rules.get(name), rows))
        with_margin = [history(rules.MarginPerceptron(b), rows) for b in MARGINS]
        epochs["the perceptron's"].append(sum(with_margin, epochs[BASE][-1]))
    return epochs


def relative(sets: list[Epochs], base: list[Epochs]) -> Iterator[float]:
    """Yield the cost of every epoch over the base's at as many corrections."""
    for epochs, known in zip(sets, base, strict=True):
        corrections, seconds = np.array(known).T
        usual = np.poly1d(np.polyfit(corrections, seconds, 3))
        for count, cost in epochs:
            yield float(cost / usual(np.clip(count, corrections.min(), corrections.max())))


def history(rule, rows: Rows) -> Epochs:
    """Return corrections and processor seconds of every epoch of one run but the first.

    Processor time is used because an epoch takes milliseconds and other programs run beside it. The
    first epoch is left out because it includes the conversion of the rows.
    """
    from hardlimit import LinearClassifier

    clock, counts = [], []

    def note(epoch) -> None:
        clock.append(time.thread_time())
        counts.append(epoch.corrections)

    LinearClassifier(
        rule=rule, keep=("last",), readout="last", until=None, max_iter=EPOCHS + 1
    ).fit(rows.matrix(), rows.y, callback=note)
    return list(zip(counts[1:], np.diff(clock), strict=True))


def fitted(n_rows: int, epochs: Epochs) -> tuple[float, float]:
    """Return seconds a row and seconds a correction, by least squares."""
    corrections, seconds = np.array(epochs).T
    counts = np.column_stack([np.full(len(epochs), n_rows), corrections])
    (a, b), *_ = np.linalg.lstsq(counts, seconds, rcond=None)
    return float(a), float(b)
