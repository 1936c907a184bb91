"""What a row and a correction cost under each rule: seconds = a * rows + b * corrections.

``a`` and ``b`` are fitted by least squares over the epochs of three sets that differ in label noise
only (few, many and very many corrections over the same rows). Rules are compared at equal
corrections, those that the perceptron itself had: (a_rule * rows + b_rule * corrections) over the
perceptron's in the same turn; the figure is the median over the turns. Asked of the rules that keep
nothing but w; the others pay for what they keep.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.generators import Rows, zipf_rows
from benchmarks.harness import Figure, Settings, spoken

TITLE = "Cost of each rule: a * rows + b * corrections"
NOISES = (0.0, 0.1, 0.5)
EPOCHS, REPETITIONS = 8, 15
BASE = "perceptron"
MOST = 1.1
# What a rule answers, and what it pays for: asked of those with no remark.
KEEPS = {
    "tau": "",
    "shrink, tau": "",
    "tau, linked": "",
    "tau, beta": "keeps a variance a column",
    "factor": "multiplies the weights",
}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield every rule's cost over the perceptron's."""
    from hardlimit import rules

    n_rows = 10_000 if settings.quick else 50_000
    sets = [zipf_rows(n_rows, noise=noise) for noise in NOISES]
    names = [BASE, *(name for name in rules.names() if name != BASE)]
    runs = [turn(names, sets) for _ in range(max(REPETITIONS, settings.repetitions))]
    usual = float(np.mean([count for count, _ in runs[0][BASE]]))
    costs = [{name: fitted(n_rows, run[name]) for name in names} for run in runs]
    for name in names:
        ratios = [at(c[name], n_rows, usual) / at(c[BASE], n_rows, usual) for c in costs]
        a, b = np.median([c[name] for c in costs], axis=0)
        keeps = KEEPS[getattr(rules.get(name), "answers", "tau")]
        yield Figure(
            name,
            statistics.median(ratios),
            asked=None if name == BASE or keeps else MOST,
            sense="<=",
            ours=f"a = {spoken(a)}, b = {spoken(b)}",
            remark=keeps if name != BASE else f"{usual:,.0f} corrections in {n_rows:,} rows",
        )


def turn(names: list[str], sets: list[Rows]) -> dict[str, list[tuple[int, float]]]:
    """Return corrections and seconds of every epoch, each rule once over each set, turn about."""
    epochs: dict[str, list[tuple[int, float]]] = {name: [] for name in names}
    for rows in sets:
        for name in names:
            epochs[name] += history(name, rows)
    return epochs


def history(name: str, rows: Rows) -> list[tuple[int, float]]:
    """Return corrections and processor seconds of every epoch of one run but the first.

    The processor's time, because an epoch takes milliseconds, and what else the machine does in
    them is no rule's cost. The first epoch's would hold the conversion of the rows.
    """
    from hardlimit import LinearClassifier

    clock, counts = [], []

    def note(epoch) -> None:
        clock.append(time.thread_time())
        counts.append(epoch.corrections)

    LinearClassifier(
        rule=name, keep=("last",), readout="last", until=None, max_iter=EPOCHS + 1
    ).fit(rows.matrix(), rows.y, callback=note)
    return list(zip(counts[1:], np.diff(clock), strict=True))


def fitted(n_rows: int, epochs: list[tuple[int, float]]) -> tuple[float, float]:
    """Return seconds a row and seconds a correction, by least squares."""
    corrections, seconds = np.array(epochs).T
    counts = np.column_stack([np.full(len(epochs), n_rows), corrections])
    (a, b), *_ = np.linalg.lstsq(counts, seconds, rcond=None)
    return float(a), float(b)


def at(cost: tuple[float, float], n_rows: int, corrections: float) -> float:
    """Return the seconds of an epoch with these counts."""
    return cost[0] * n_rows + cost[1] * corrections
