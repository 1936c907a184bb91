"""One shuffled epoch of the perceptron beside scikit-learn's, and a rule written in Python only.

Columns follow Zipf's law, in both layouts that texts give: the commonest columns near each other,
as in a vocabulary, and scattered, as by a hash (the weights of common columns then share no cache
lines, which costs either side more).

Beside them the limit (a bare loop over the same rows, once without and once with the same
corrections), and Balanced Winnow, whose weights are exponentials.

An epoch is the difference between a run of eleven epochs and a run of one, divided by ten, so that
converting the rows and setting up count for neither side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.contestants import need
from benchmarks.corpora import Missing
from benchmarks.generators import Rows, mnist, zipf_rows
from benchmarks.harness import (
    Figure,
    Settings,
    Times,
    format_seconds,
    time_call,
    time_each_call,
)
from benchmarks.limit import bare_epoch, correcting_epochs

TITLE = "One shuffled epoch of the perceptron"
EPOCHS = 10
DIGIT = 8


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the sparse epoch, the dense one, and the rule written in Python."""
    need("sklearn.linear_model")
    for scattered, layout in ((False, "commonest columns first"), (True, "columns scattered")):
        rows = zipf_rows(20_000 if settings.quick else 100_000, scattered=scattered)
        X, y = rows.matrix(), rows.y
        what = f"{X.shape[0]:,} rows, {X.shape[1]:,} columns, 80 non-zeros a row"
        yield beside_sklearn(f"CSR float32, {layout}", X, y, 4.0, what, settings)
        try:
            yield from beside_the_limit(layout, rows, settings)
        except Missing as missing:
            skipped.append(str(missing))
        yield winnow(layout, X, y, settings)
    yield from where_the_time_goes(settings)
    yield python_rule(X, y, settings)
    try:
        X, digits = mnist()
    except Missing as missing:
        skipped.append(str(missing))
        return
    y = np.where(digits == DIGIT, 1, -1)
    yield beside_sklearn("dense float32, MNIST", X, y, 2.0, f"{DIGIT} against the rest", settings)


def ours(X, y, rule="perceptron", keep=("last",), order="shuffled") -> Callable[[int], object]:
    """Return the fit of so many epochs with hardlimit."""
    from hardlimit import LinearClassifier

    def fit(epochs: int):
        return LinearClassifier(
            rule=rule, order=order, keep=keep, readout=keep[-1], until=None, max_iter=epochs
        ).fit(X, y)

    return fit


def sklearn(X, y) -> Callable[[int], object]:
    """Return the fit of so many epochs with scikit-learn."""
    from sklearn.linear_model import Perceptron

    return lambda epochs: Perceptron(shuffle=True, tol=None, max_iter=epochs, random_state=0).fit(
        X, y
    )


def epoch_seconds(fits: dict[str, Callable[[int], object]], repetitions: int) -> Times:
    """Time an epoch of each, in turns."""
    times = Times()
    for _ in range(repetitions):
        for name, fit in fits.items():
            long, short = time_call(lambda: fit(EPOCHS + 1)), time_call(lambda: fit(1))  # noqa: B023
            times.add(name, (long - short) / EPOCHS)
    return times


def beside_sklearn(name, X, y, target: float, what: str, settings: Settings) -> Figure:
    """Compare one epoch over the same rows."""
    fits = {
        "ours": ours(X, y),
        "averaged": ours(X, y, keep=("last", "averaged")),
        "theirs": sklearn(X, y),
    }
    times = epoch_seconds(fits, settings.repetitions)
    return Figure(
        name,
        times.ratio("theirs", "ours"),
        target=target,
        ours=f"{format_seconds(times.median('ours'))}; keeping the average too "
        f"{format_seconds(times.median('averaged'))}",
        theirs=f"Perceptron {format_seconds(times.median('theirs'))}",
        remark=what,
    )


def beside_the_limit(layout: str, rows: Rows, settings: Settings) -> Iterator[Figure]:
    """Compare an epoch with a loop that only adds up, and with one that corrects as well."""
    X = rows.matrix()
    for order, what in (("shuffled", "shuffled"), ("cyclic", "in the order of memory")):
        bare = bare_epoch(rows, order == "shuffled")
        fits = {
            "ours": ours(X, rows.y, order=order),
            "correcting": correcting_epochs(rows, order == "shuffled"),
        }
        bare()
        times = Times()
        for _ in range(max(5, settings.repetitions)):
            times.add("limit", time_each_call(bare, EPOCHS))
            now = epoch_seconds(fits, 1)
            for name in fits:
                times.add(name, now.median(name))
        both = (
            ("limit", "limit", "no corrections"),
            ("correcting", "limit with corrections", "the corrections of the perceptron"),
        )
        for name, title, corrections in both:
            yield Figure(
                f"{title}, {layout}, {what}",
                times.ratio("ours", name),
                target=1.25,
                sense="<=",
                ours=format_seconds(times.median("ours")),
                theirs=f"bare loop {format_seconds(times.median(name))}",
                remark=f"rows fetched ahead, one double sum a row, {corrections}",
            )


def winnow(layout: str, X, y, settings: Settings) -> Figure:
    """Compare an epoch of Balanced Winnow with one of the perceptron."""
    fits = {"perceptron": ours(X, y), "winnow": ours(X, y, rule="balanced-winnow")}
    times = epoch_seconds(fits, settings.repetitions)
    return Figure(
        f"Balanced Winnow, {layout}: in epochs of the perceptron",
        times.ratio("winnow", "perceptron"),
        target=1.3,
        sense="<=",
        ours=format_seconds(times.median("winnow")),
        theirs=f"perceptron {format_seconds(times.median('perceptron'))}",
    )


def where_the_time_goes(settings: Settings) -> Iterator[Figure]:
    """Yield the same epoch with one cost after another taken away."""
    n_rows = 20_000 if settings.quick else 100_000
    wide, narrow = zipf_rows(n_rows, scattered=False), zipf_rows(n_rows, 4096, scattered=False)
    cases = {
        "shuffled": ours(wide.matrix(), wide.y),
        "blocks of 64 rows, shuffled": ours(wide.matrix(), wide.y, order="blocks"),
        "rows as they lie": ours(wide.matrix(), wide.y, order="cyclic"),
        "rows as they lie, weights that fit the cache": ours(
            narrow.matrix(), narrow.y, order="cyclic"
        ),
    }
    times = epoch_seconds(cases, settings.repetitions)
    for name in cases:
        yield Figure(
            f"where the time goes: {name}",
            times.median(name) * 1000,
            unit="ms",
            remark="each with its own corrections",
        )


def python_rule(X, y, settings: Settings) -> Figure:
    """Measure examples per second if every correction calls a rule written in Python."""
    times = epoch_seconds({"ours": ours(X, y, rule=PythonOnly())}, settings.repetitions)
    return Figure(
        "a rule written in Python only",
        len(y) / times.median("ours"),
        unit="examples/s",
        target=500_000,
        ours=format_seconds(times.median("ours")) + " an epoch",
        remark="the same CSR rows; called once per correction",
    )


class PythonOnly:
    """The perceptron, written in Python only."""

    required = 0
    equality_violates = True

    def tau(self, margin, sqnorm, weight=1):
        """Return 1: the example itself is added."""
        return weight
