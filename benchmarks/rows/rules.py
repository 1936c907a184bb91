"""What a row and a correction cost under each rule: seconds = a * rows + b * corrections.

``a`` and ``b`` are fitted by least squares over many epochs of three sets that differ in label
noise only (few, many and very many corrections over the same rows). Rules are compared at the
counts that the perceptron itself had: (a_rule * rows + b_rule * corrections) over the perceptron's.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.generators import Rows, zipf_rows
from benchmarks.harness import Figure, Settings, spoken

TITLE = "Cost of each rule: a * rows + b * corrections"
NOISES = (0.0, 0.1, 0.5)
EPOCHS = 8
BASE = "perceptron"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield every rule's cost over the perceptron's."""
    from hardlimit import rules

    n_rows = 10_000 if settings.quick else 50_000
    sets = [zipf_rows(n_rows, noise=noise) for noise in NOISES]
    names = [BASE, *(name for name in rules.names() if name != BASE)]
    epochs: dict[str, list[tuple[int, float]]] = {name: [] for name in names}
    for _ in range(settings.repetitions):
        for rows in sets:
            for name in names:
                epochs[name] += history(name, rows)
    costs = {name: fitted(n_rows, many) for name, many in epochs.items()}
    corrections = np.mean([count for count, _ in epochs[BASE]])
    base = at(costs[BASE], n_rows, corrections)
    for name in names:
        a, b = costs[name]
        yield Figure(
            name,
            at(costs[name], n_rows, corrections) / base,
            ours=f"a = {spoken(a)}, b = {spoken(b)}",
            remark="" if name != BASE else f"{corrections:,.0f} corrections in {n_rows:,} rows",
        )


def history(name: str, rows: Rows) -> list[tuple[int, float]]:
    """Return corrections and seconds of every epoch of one run."""
    from hardlimit import LinearClassifier

    classifier = LinearClassifier(
        rule=name, keep=("last",), readout="last", until=None, max_iter=EPOCHS
    )
    classifier.fit(rows.matrix(), rows.y)
    return [(epoch.corrections, epoch.seconds) for epoch in classifier.history_]


def fitted(n_rows: int, epochs: list[tuple[int, float]]) -> tuple[float, float]:
    """Return seconds a row and seconds a correction, by least squares."""
    corrections, seconds = np.array(epochs).T
    counts = np.column_stack([np.full(len(epochs), n_rows), corrections])
    (a, b), *_ = np.linalg.lstsq(counts, seconds, rcond=None)
    return float(a), float(b)


def at(cost: tuple[float, float], n_rows: int, corrections: float) -> float:
    """Return the seconds of an epoch with these counts."""
    return cost[0] * n_rows + cost[1] * corrections
