"""A whole fit of one epoch: in epochs, and beside scikit-learn's whole fit.

A fit checks and measures its rows in one pass, learns an epoch, and counts the training errors of
the final weights in another pass. An epoch is the mean of the ten that follow the first one, which
corrects most. A copy of the numbers of the rows, by numpy, says what memory allows: any pass has to
read them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.contestants import need
from benchmarks.corpora import Missing
from benchmarks.generators import Rows, mnist, zipf_rows
from benchmarks.harness import Figure, Settings, Times, format_seconds, time_call
from benchmarks.limit import bare_fit
from benchmarks.rows.epoch import DIGIT, epoch_seconds, ours, sklearn

TITLE = "A whole fit of one epoch"
MOST_EPOCHS = 2.2


class Case(NamedTuple):
    """Rows and their labels; the name says what they are."""

    name: str
    X: object
    y: np.ndarray
    rows: Rows | None = None  # of which bare loops are run, too


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield two figures for each kind of rows."""
    need("sklearn.linear_model")
    for case in sparse_cases(settings.quick):
        yield from measured(case, settings)
        try:
            yield from beside_bare_loops(case, settings)
        except Missing as missing:
            skipped.append(str(missing))
    try:
        cases = list(dense_cases(settings.quick))
    except Missing as missing:
        skipped.append(str(missing))
        return
    for case in cases:
        yield from measured(case, settings)


def sparse_cases(quick: bool) -> Iterator[Case]:
    """Yield rows as texts give them, with common columns near each other and apart."""
    for scattered, layout in ((False, "commonest columns first"), (True, "columns scattered")):
        rows = zipf_rows(20_000 if quick else 100_000, scattered=scattered)
        X = rows.matrix()
        yield Case(f"CSR float32, {layout}", X, rows.y, rows)
    yield Case("CSR float64, columns scattered", X.astype(np.float64), rows.y)
    # Ten classes by the column with the largest value: each has its own words.
    largest = rows.indices.reshape(len(rows.y), -1)[
        np.arange(len(rows.y)), rows.data.reshape(len(rows.y), -1).argmax(axis=1)
    ]
    yield Case("CSR float32, columns scattered, 10 classes", X, largest % 10)


def dense_cases(quick: bool) -> Iterator[Case]:
    """Yield the digits, one against the rest and all ten."""
    X, digits = mnist()
    if quick:
        X, digits = X[:10_000], digits[:10_000]
    y = np.where(digits == DIGIT, 1, -1)
    yield Case(f"dense float32, MNIST, {DIGIT} against the rest", X, y)
    yield Case(f"dense float64, MNIST, {DIGIT} against the rest", X.astype(np.float64), y)
    yield Case("dense float32, MNIST, 10 classes", X, digits.astype(np.int64))


def measured(case: Case, settings: Settings) -> Iterator[Figure]:
    """Compare a fit with its epoch, and with scikit-learn's fit; all by turns."""
    our_fit, their_fit = ours(case.X, case.y), sklearn(case.X, case.y)
    times = Times()
    for _ in range(max(5, settings.repetitions)):
        times.add("ours", time_call(lambda: our_fit(1)))
        times.add("theirs", time_call(lambda: their_fit(1)))
        times.add("first", our_fit(1).history_[0].seconds)
        times.add("copy", time_call(lambda: copied(case.X)))
        times.add("epoch", epoch_seconds({"ours": our_fit}, 1).median("ours"))
    seconds = {name: format_seconds(times.median(name)) for name in times.seconds}
    yield Figure(
        f"{case.name}: in epochs",
        times.ratio("ours", "epoch"),
        target=MOST_EPOCHS,
        sense="<=",
        ours=f"fit {seconds['ours']}",
        theirs=f"an epoch {seconds['epoch']}",
        remark=f"the first epoch {seconds['first']}; a copy of the rows {seconds['copy']}",
    )
    yield Figure(
        f"{case.name}: share of scikit-learn's",
        times.ratio("ours", "theirs"),
        target=1.0,
        sense="<=",
        ours=f"fit {seconds['ours']}",
        theirs=f"Perceptron(max_iter=1) {seconds['theirs']}",
    )


def beside_bare_loops(case: Case, settings: Settings) -> Iterator[Figure]:
    """Compare a fit with the bare loops that it cannot do without, and these with an epoch."""
    if case.rows is None:
        return
    our_fit, loops = ours(case.X, case.y), bare_fit(case.rows)
    times = Times()
    for _ in range(max(5, settings.repetitions)):
        times.add("fit", time_call(lambda: our_fit(1)))
        parts = loops()
        for name, seconds in parts.items():
            times.add(name, seconds)
        times.add("bare", sum(parts.values()))
        times.add("later", epoch_seconds({"ours": our_fit}, 1).median("ours"))
    seconds = {name: format_seconds(times.median(name)) for name in times.seconds}
    said = ", ".join(f"{name} {seconds[name]}" for name in parts)
    yield Figure(
        f"{case.name}: the bare loops of a fit, in epochs of ours",
        times.ratio("bare", "later"),
        ours=f"bare loops {seconds['bare']}",
        theirs=f"an epoch {seconds['later']}",
        remark=f"{said}; the whole fit is {times.ratio('fit', 'bare'):.2f} times as long",
    )


def copied(X) -> list[np.ndarray]:
    """Copy the numbers of the rows; of sparse ones their columns, too."""
    return [array.copy() for array in ((X,) if isinstance(X, np.ndarray) else (X.data, X.indices))]
