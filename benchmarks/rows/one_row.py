"""The cost of a correction and of a prediction of one row in a wide model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.contestants import need
from benchmarks.harness import Figure, Settings, Times, format_seconds, time_each_call

TITLE = "One row of 80 non-zeros in 2^20 columns"
N_COLUMNS, FEW_COLUMNS, PER_ROW, SEED = 2**20, 2**10, 80, 11
TARGET = {2: 100, 20: 1000}  # of partial_fit, by the number of classes
GROWTH = 1.5  # what caches and pages may cost: the work is the same


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield ``partial_fit`` and ``predict`` of one row, for 2 and for 20 classes."""
    need("sklearn.linear_model")
    for n_classes in (2, 20):
        yield from compare(n_classes, settings)
        yield growth(n_classes, settings)


def drawn_rows(n_rows: int, n_columns: int = N_COLUMNS):
    """Return that many one-row CSR matrices."""
    from scipy.sparse import csr_matrix

    draw = np.random.default_rng(SEED)
    made = []
    for _ in range(n_rows):
        columns = np.sort(draw.choice(n_columns, PER_ROW, replace=False)).astype(np.int32)
        values = np.full(PER_ROW, PER_ROW**-0.5, dtype=np.float32)
        indptr = np.array([0, PER_ROW], dtype=np.int32)
        made.append(csr_matrix((values, columns, indptr), shape=(1, n_columns)))
    return made


def compare(n_classes: int, settings: Settings) -> Iterator[Figure]:
    """Time both models, warmed up with one row of every class."""
    from scipy.sparse import vstack
    from sklearn.linear_model import Perceptron

    from hardlimit import LinearClassifier

    rows = drawn_rows(64)
    labels = np.arange(len(rows)) % n_classes
    models = {
        "ours": LinearClassifier(rule="perceptron", keep=("last",), readout="last"),
        "theirs": Perceptron(),
    }
    # Started, not fitted: both then hold every class and all columns.
    for model in models.values():
        model.partial_fit(vstack(rows).tocsr(), labels, classes=np.arange(n_classes))
    for verb in ("partial_fit", "predict"):
        times = one_row_times(models, verb, rows, labels, settings)
        yield Figure(
            f"{verb}, {n_classes} classes",
            times.ratio("theirs", "ours"),
            target=TARGET[n_classes] if verb == "partial_fit" else None,
            ours=format_seconds(times.median("ours")),
            theirs=f"Perceptron {format_seconds(times.median('theirs'))}",
        )


def growth(n_classes: int, settings: Settings) -> Figure:
    """Compare rows of as many non-zeros in few columns and in many."""
    times = Times()
    started = {n: stream(n_classes, n) for n in (FEW_COLUMNS, N_COLUMNS)}
    for _ in range(max(5, settings.repetitions)):
        for n, (model, rows, labels) in started.items():
            pairs = iter(list(zip(rows, labels, strict=True)) * 8)
            times.add(
                n, time_each_call(call(model.partial_fit, "partial_fit", pairs), 8 * len(rows))
            )
    return Figure(
        f"partial_fit, {n_classes} classes: 2^20 columns against 2^10",
        times.ratio(N_COLUMNS, FEW_COLUMNS),
        target=GROWTH,
        sense="<=",
        ours=format_seconds(times.median(N_COLUMNS)),
        theirs=f"2^10 columns {format_seconds(times.median(FEW_COLUMNS))}",
    )


def stream(n_classes: int, n_columns: int):
    """Return a model that knows its classes, with rows and labels for it."""
    from scipy.sparse import vstack

    from hardlimit import LinearClassifier

    rows = drawn_rows(64, n_columns)
    labels = np.arange(len(rows)) % n_classes
    model = LinearClassifier(rule="perceptron", keep=("last",), readout="last")
    return model.partial_fit(vstack(rows).tocsr(), labels, classes=range(n_classes)), rows, labels


def one_row_times(models: dict, verb: str, rows, labels, settings: Settings) -> Times:
    """Time calls with one row each, another row each time, in turns."""
    times = Times()
    for _ in range(max(5, settings.repetitions)):
        for name, model in models.items():
            pairs = iter(list(zip(rows, labels, strict=True)) * 2)
            times.add(name, time_each_call(call(getattr(model, verb), verb, pairs), 2 * len(rows)))
    return times


def call(method, verb: str, pairs):
    """Return a call with the next row."""
    if verb == "predict":
        return lambda: method(next(pairs)[0])

    def learn() -> None:
        row, label = next(pairs)
        method(row, [label])

    return learn
