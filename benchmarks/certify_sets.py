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
    return Csr(indptr, indices, data, int(indices.max()) + 1), np.array(labels)


def sparse_sets(skipped: list[str]) -> Iterator[Set]:
    """Yield sparse sets of more than 2,000 columns that no plane separates, no two rows alike."""
    yield drawn_sparse(12_000, 2_500, 10)
    try:
        yield words_with_wrong_labels(2_100)
        X, y = _read(data_folder() / "libsvm" / "a9a.gz")
    except (Missing, OSError) as missing:
        skipped.append(str(missing))
        return
    yield cross_columns("a9a.gz, its first 8,000 rows, columns crossed", X, y, 8_000)


def drawn_sparse(n_rows: int, n_columns: int, each: int) -> Set:
    """Draw rows of small integers, a tenth of the labels wrong."""
    generator = np.random.default_rng(0)
    indices = [generator.choice(n_columns, each, replace=False) for _ in range(n_rows)]
    values = generator.integers(1, 6, n_rows * each).astype(float)
    starts = np.arange(0, n_rows * each + 1, each)
    X = Csr(starts, np.concatenate([np.sort(i) for i in indices]), values, n_columns)
    w = generator.standard_normal(n_columns)
    scores = np.add.reduceat(X.data * w[X.indices], starts[:-1])
    return Set("drawn rows of ten columns", X, _spoil(np.where(scores > 0, 1, -1), generator))


def words_with_wrong_labels(most: int) -> Set:
    """Count the most frequent words of the SMS set, a tenth of the labels wrong."""
    from benchmarks.corpora import load
    from hardlimit import TextVectorizer

    corpus = load("sms_spam")
    X = TextVectorizer(max_features=most, norm=None, chars=None).fit_transform(corpus.texts)
    X = Csr(X.indptr, X.indices, X.data.astype(float), X.n_columns)
    y = np.where(np.asarray(corpus.labels) == "spam", 1, -1)
    y = _spoil(y, np.random.default_rng(0))
    return _drop_repeats(f"SMS, {most:,} words, a tenth of the labels wrong", X, y)


def cross_columns(name: str, X: Csr, y: np.ndarray, n_rows: int) -> Set:
    """Add the products of all pairs of columns to 0/1 rows."""
    d = X.shape[1]
    rows, starts = [], [0]
    for i in range(n_rows):
        columns = np.sort(X.indices[X.indptr[i] : X.indptr[i + 1]]).astype(np.int64)
        a, b = np.triu_indices(len(columns), 1)
        rows.append(np.concatenate([columns, d + columns[a] * d + columns[b]]))
        starts.append(starts[-1] + len(rows[-1]))
    used, indices = np.unique(np.concatenate(rows), return_inverse=True)
    crossed = Csr(np.array(starts), indices, np.ones(len(indices)), len(used))
    return _drop_repeats(name, crossed, np.where(y[:n_rows] > 0, 1, -1))


def _spoil(y: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return np.where(generator.random(len(y)) < 0.1, -y, y)


def _drop_repeats(name: str, X: Csr, y: np.ndarray) -> Set:
    """Keep the first of equal rows: two with different labels would be found without a search."""
    first: dict[tuple[bytes, bytes], int] = {}
    for i in range(X.shape[0]):
        part = slice(X.indptr[i], X.indptr[i + 1])
        first.setdefault((X.indices[part].tobytes(), X.data[part].tobytes()), i)
    kept = np.array(list(first.values()))
    lengths = np.diff(X.indptr)[kept]
    starts = np.concatenate(([0], np.cumsum(lengths)))
    at = np.repeat(X.indptr[kept] - starts[:-1], lengths) + np.arange(starts[-1])
    return Set(name, Csr(starts, X.indices[at], X.data[at], X.n_columns), y[kept])


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
