"""Prediction of many sparse rows, and the size of a fitted model on disk."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.contestants import need
from benchmarks.generators import zipf_rows
from benchmarks.harness import Figure, Settings, format_megabytes, format_seconds, time_by_turns

TITLE = "Prediction of sparse rows"
N_COLUMNS = 2**18
USED = 5_000  # columns of the model whose size is measured


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the times for 2 and 20 classes, and the sizes of a model with few columns in use."""
    need("sklearn.linear_model")
    rows = zipf_rows(10_000 if settings.quick else 100_000, n_columns=N_COLUMNS)
    X = rows.matrix()
    for n_classes in (2, 20):
        yield compare(X, labels(rows, n_classes), settings)
    yield from sizes()


def labels(rows, n_classes: int) -> np.ndarray:
    """Return the two sides of the separator, or as many classes by the first column of the row."""
    return rows.y if n_classes == 2 else rows.indices[rows.indptr[:-1]] % n_classes


def compare(X, y: np.ndarray, settings: Settings) -> Figure:
    """Time ``predict`` on the training rows, both models after one epoch."""
    from sklearn.linear_model import Perceptron

    from hardlimit import LinearClassifier

    ours = LinearClassifier(until=None, max_iter=1).fit(X, y)
    theirs = Perceptron(max_iter=1, tol=None).fit(X, y)
    work = {"ours": lambda: ours.predict(X), "theirs": lambda: theirs.predict(X)}
    times = time_by_turns(work, max(7, settings.repetitions))
    return Figure(
        f"predict, {X.shape[0]:,} rows, {len(np.unique(y))} classes",
        times.ratio("theirs", "ours"),
        target=1,
        ours=format_seconds(times.median("ours")),
        theirs=f"Perceptron {format_seconds(times.median('theirs'))}",
    )


def sizes() -> Iterator[Figure]:
    """Compare file and pickle with the weights in use, of a model of few columns among 2^18."""
    from scipy.sparse import csr_matrix

    from hardlimit import LinearClassifier

    draw = np.random.default_rng(0)
    columns = draw.choice(USED, (2_000, 40)) * (N_COLUMNS // USED)
    X = csr_matrix(
        (np.ones(columns.size), columns.ravel(), np.arange(0, columns.size + 1, 40)),
        shape=(len(columns), N_COLUMNS),
    )
    X.sum_duplicates()
    y = draw.integers(0, 5, len(columns))
    model = LinearClassifier(until=None, max_iter=2).fit(X, y)
    # The answer, and of the training state the last weights and the sum over all.
    needed = 3 * 8 * int((model.coef_ != 0).any(axis=0).sum()) * 5
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        model.save(path)
        bytes_on_disk = {"model file": path.stat().st_size, "pickle": len(pickle.dumps(model))}
    for name, size in bytes_on_disk.items():
        yield Figure(
            f"{name} of a model with {USED:,} of {N_COLUMNS:,} columns in use, 5 classes",
            size / needed,
            target=2,
            sense="<=",
            ours=format_megabytes(size),
            theirs=f"weights in use {format_megabytes(needed)}",
            remark=f"all columns: {format_megabytes(3 * 8 * 5 * N_COLUMNS)}",
        )
