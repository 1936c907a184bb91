"""The cost of the estimators for scikit-learn: one row, many rows, and the size on disk."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.contestants import need
from benchmarks.harness import (
    Figure,
    Settings,
    Times,
    format_megabytes,
    format_seconds,
    time_by_turns,
    time_each_call,
)

TITLE = "Estimators: one row, 10^5 sparse rows, and sizes"
N_COLUMNS, PER_ROW, SEED = 2**20, 80, 13


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the overhead of one row, the prediction of many rows, and sizes."""
    need("sklearn.linear_model")
    yield from one_row(settings)
    rows = drawn(20_000 if settings.quick else 100_000, N_COLUMNS)
    for n_classes in (2, 20):
        yield prediction(rows, n_classes, settings)
    yield from sizes()


def drawn(n_rows: int, n_columns: int):
    """Return CSR rows of PER_ROW non-zeros each."""
    from scipy.sparse import csr_matrix

    draw = np.random.default_rng(SEED)
    columns = draw.integers(0, n_columns, n_rows * PER_ROW, dtype=np.int32)
    values = np.full(n_rows * PER_ROW, PER_ROW**-0.5)
    starts = np.arange(0, n_rows * PER_ROW + 1, PER_ROW, dtype=np.int32)
    rows = csr_matrix((values, columns, starts), shape=(n_rows, n_columns))
    rows.sum_duplicates()
    return rows


def one_row(settings: Settings) -> Iterator[Figure]:
    """Compare the estimator's cost on top of LinearClassifier with that of validate_data."""
    from sklearn.utils.validation import validate_data

    from hardlimit import LinearClassifier, PerceptronClassifier

    rows = drawn(64, N_COLUMNS)
    labels = np.arange(64) % 2
    single = [rows[i] for i in range(64)]
    skin = PerceptronClassifier().partial_fit(rows, labels)
    bare = LinearClassifier(keep=("last",), readout="last").partial_fit(rows, labels)
    checks = {"accept_sparse": "csr", "dtype": (np.float64, np.float32), "reset": False}
    calls = {
        "estimator": lambda row, y: skin.partial_fit(row, y),
        "classifier": lambda row, y: bare.partial_fit(row, y),
        "validate_data": lambda row, y: validate_data(skin, row, y, **checks),
        "in turn": lambda row, y: bare.partial_fit(*validate_data(skin, row, y, **checks)),
    }
    times = Times()
    for _ in range(max(7, settings.repetitions)):
        for name, call in calls.items():
            pairs = iter([(single[i % 64], labels[i % 64 : i % 64 + 1]) for i in range(256)])
            times.add(name, time_each_call(lambda c=call, p=pairs: c(*next(p)), 256))
    overhead = times.median("estimator") - times.median("classifier")
    yield Figure(
        "partial_fit of one row: estimator less classifier, over validate_data",
        overhead / times.median("validate_data"),
        target=1.1,
        sense="<=",
        ours=f"{format_seconds(times.median('estimator'))} - "
        f"{format_seconds(times.median('classifier'))}",
        theirs=f"validate_data {format_seconds(times.median('validate_data'))}",
        remark="target 1, and a tenth for what a clock says of differences; the classifier alone "
        "finds its weights and code in the caches, which the check fills with its own",
    )
    yield Figure(
        "partial_fit of one row: estimator, over validate_data and the classifier in turn",
        times.ratio("estimator", "in turn"),
        target=1.1,
        sense="<=",
        ours=format_seconds(times.median("estimator")),
        theirs=f"in turn {format_seconds(times.median('in turn'))}",
    )


def prediction(rows, n_classes: int, settings: Settings) -> Figure:
    """Compare the prediction of sparse rows with scikit-learn's."""
    from sklearn.linear_model import Perceptron

    from hardlimit import PerceptronClassifier

    some, labels = rows[:2000], np.arange(2000) % n_classes
    models = {
        "ours": PerceptronClassifier(max_iter=3, until=None).fit(some, labels),
        "theirs": Perceptron(max_iter=3, tol=None).fit(some, labels),
    }
    calls = {name: (lambda m=model: m.predict(rows)) for name, model in models.items()}
    times = time_by_turns(calls, settings.repetitions)
    return Figure(
        f"prediction of {rows.shape[0]:,} sparse rows, {n_classes} classes",
        times.ratio("theirs", "ours"),
        target=1.0,
        ours=format_seconds(times.median("ours")),
        theirs=f"Perceptron {format_seconds(times.median('theirs'))}",
    )


def sizes() -> Iterator[Figure]:
    """Yield the bytes of pickle and model file for each column that is used."""
    from sklearn.linear_model import Perceptron

    from hardlimit import MarginPerceptronClassifier, PerceptronClassifier

    rows, labels = drawn(2000, N_COLUMNS), np.arange(2000) % 2
    theirs = len(pickle.dumps(Perceptron(max_iter=3, tol=None).fit(rows, labels)))
    for cls in (PerceptronClassifier, MarginPerceptronClassifier):
        clf = cls(max_iter=3, until=None).fit(rows, labels)
        used = int(np.count_nonzero(clf.coef_))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            clf.model_.save(path)
            whole = path.stat().st_size
            clf.model_.save(path, training_state=False)
            answer = path.stat().st_size
        yield Figure(
            f"{cls.__name__}: bytes of the pickle for each of {used:,} columns in use",
            len(pickle.dumps(clf)) / used,
            unit=" bytes",
            ours=f"pickle {format_megabytes(len(pickle.dumps(clf)))}, "
            f"model file {format_megabytes(whole)}, "
            f"without training state {format_megabytes(answer)}",
            theirs=f"Perceptron's pickle {format_megabytes(theirs)}",
        )
