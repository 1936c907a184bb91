"""The data sets for ``certify``: shared tables, each class against the rest, and random sets."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import uci
from benchmarks.corpora import Missing, data_folder
from hardlimit.readers import Csr, load_numbers

MOST_CLASSES = 26
N_DRAWN = 200
DRAWN_SEED = 516
QUICK = ("wdbc", "iris", "sonar")
_VW = ".vw.gz"


@dataclass(frozen=True)
class Set:
    """Rows and targets of one set."""

    name: str
    X: np.ndarray | Csr
    y: np.ndarray

    @property
    def is_small(self) -> bool:
        """Whether the time has a target: up to 10,000 rows and 100 columns."""
        return self.X.shape[0] <= 10_000 and self.X.shape[1] <= 100


def shared_sets(quick: bool, skipped: list[str]) -> Iterator[Set]:
    """Yield the UCI tables (standardised, categories 0/1) and the svmlight files as they are."""
    for name in QUICK if quick else uci.SOURCES:
        try:
            for problem in uci.problems(name):
                everything = np.arange(len(problem.y))
                yield Set(problem.name, problem.split(everything, everything)[0], problem.y)
        except Missing as missing:
            skipped.append(str(missing))
    folder = data_folder() / "libsvm"
    if not folder.is_dir():
        skipped.append(f"{folder} is not there (HARDLIMIT_DATA names the folder of the data sets)")
        return
    for path in sorted(folder.iterdir()):
        if quick and path.name != "heart_scale":
            continue
        yield from _one_against_rest(path.name, *_read(path), skipped)


def _one_against_rest(
    name: str, X: np.ndarray | Csr, labels: np.ndarray, skipped: list[str]
) -> Iterator[Set]:
    classes = np.unique(labels)
    if len(classes) == 2:
        yield Set(name, X, np.where(labels == classes[1], 1, -1))
        return
    kept = classes[:: -(-len(classes) // MOST_CLASSES)]
    if len(kept) < len(classes):
        skipped.append(f"{name}: {len(kept)} of its {len(classes)} classes, evenly spaced")
    for label in kept:
        yield Set(f"{name}, {label:g}", X, np.where(labels == label, 1, -1))


def _read(path: Path) -> tuple[np.ndarray | Csr, np.ndarray]:
    if not path.name.endswith(_VW):
        numbers = load_numbers(str(path), format="svmlight")
        return numbers.X, np.asarray(numbers.y, float)
    labels, rows = [], []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            label, _, values = line.partition("|f")
            labels.append(float(label))
            pairs = (value.split(":") for value in values.split())
            rows.append({int(column): float(value) for column, value in pairs})
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([column for row in rows for column in sorted(row)])
    data = np.array([row[column] for row in rows for column in sorted(row)])
    return Csr(indptr, indices, data, (len(rows), int(indices.max()) + 1)), np.array(labels)


def drawn_sets() -> Iterator[Set]:
    """Yield small sets of small integers, without contradictory rows, about half of them separable.

    2 to 6 columns. By Cover's count the number of rows makes both verdicts likely.
    """
    for number in range(N_DRAWN):
        generator = np.random.default_rng([DRAWN_SEED, number])
        n_columns = int(generator.integers(2, 7))
        n_rows = int(generator.integers(n_columns + 2, 4 * n_columns + 4))
        X = np.unique(generator.integers(-9, 10, (n_rows, n_columns)), axis=0)
        y = np.where(generator.random(len(X)) < 0.5, 1, -1)
        y[:2] = 1, -1
        yield Set(f"drawn {number}", X, y)
