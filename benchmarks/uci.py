"""The UCI tables as two-class problems: rows of numbers, targets -1 and +1.

A column is numeric if all its values are numbers, else its values are categories, with one 0/1
column each. ``?`` is missing: a category of its own, also beside a numeric column (whose value is
then the mean). Numeric columns are standardised by mean and deviation of the training rows alone. A
table of many classes gives one problem a class, each against the rest. Exact duplicates (same
features, same label) are dropped, so that no test row is a training row.

Which column is the label, which are no features, is in ``SOURCES``, with the reason.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpora import Missing, data_folder

MISSING = "?"


@dataclass(frozen=True)
class Source:
    """How one file is read."""

    files: tuple[str, ...]
    label: int = -1
    drop: tuple[int, ...] = ()
    header: int = 0
    label_of: Callable[[str], str] = str
    spelled_out: int | None = None  # a column whose letters are columns of their own


SOURCES = {
    "breast-cancer-wisconsin": Source(("breast-cancer-wisconsin.data",), drop=(0,)),  # a number
    "wdbc": Source(("wdbc.data",), label=1, drop=(0,)),  # a number
    # A number, and the time until recurrence or since: what is to be told is in it.
    "wpbc": Source(("wpbc.data",), label=1, drop=(0, 2)),
    # The last column marks a split. The label is the drinks a day, halved where the rows halve.
    "bupa": Source(
        ("bupa.data",),
        label=5,
        drop=(6,),
        header=1,
        label_of=lambda drinks: "3 or more" if float(drinks) >= 3 else "fewer",
    ),
    "ionosphere": Source(("ionosphere.csv",)),
    "sonar": Source(("sonar.csv",)),
    "iris": Source(("iris.csv",)),
    "promoters": Source(("promoters.data",), label=0, drop=(1,), spelled_out=2),  # a name
    "crx": Source(("credit.a.arff",)),
    "vote": Source(("vote.arff",)),
    "kr-vs-kp": Source(("kr.vs.kp.arff.gz",)),
    "adult": Source(
        ("adult-train.csv.gz", "adult-test.csv.gz"), label_of=lambda label: label.rstrip(".")
    ),
}


@dataclass(frozen=True)
class Table:
    """One file as text: features and a label a row."""

    rows: list[list[str]]
    labels: list[str]


@dataclass(frozen=True)
class Problem:
    """One class against the rest."""

    name: str
    numbers: np.ndarray  # NaN where missing
    categories: np.ndarray  # 0/1
    y: np.ndarray

    def split(self, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return training and test rows, standardised by the training rows."""
        mean, deviation = _moments(self.numbers[train])
        scaled = np.nan_to_num((self.numbers - mean) / deviation)  # missing becomes the mean, 0
        X = np.hstack([scaled, self.categories])
        return X[train], X[test]

    def sample(self, most: int, seed: int) -> Problem:
        """Return at most so many rows, drawn, in the order of the file."""
        if len(self.y) <= most:
            return self
        kept = np.sort(np.random.default_rng(seed).choice(len(self.y), most, replace=False))
        return Problem(self.name, self.numbers[kept], self.categories[kept], self.y[kept])


def load(name: str) -> Table:
    """Read one table; raise ``Missing`` where it is not on this machine."""
    source = SOURCES[name]
    seen: dict[tuple[str, ...], None] = {}
    for file in source.files:
        path = data_folder() / "uci" / file
        if not path.exists():
            raise Missing(f"{path} is not there (HARDLIMIT_DATA names the folder of the data sets)")
        for values in _values(path, source.header):
            label = source.label_of(values[source.label])
            seen[(*_features(values, source), label)] = None
    return Table([list(row[:-1]) for row in seen], [row[-1] for row in seen])


def problems(name: str) -> list[Problem]:
    """Return one problem for two classes, else one for each class against the rest."""
    table = load(name)
    numbers, categories = _columns(table)
    labels, classes = np.array(table.labels), sorted(set(table.labels))
    positives = {name: classes[1]} if len(classes) == 2 else {f"{name}, {c}": c for c in classes}
    return [
        Problem(title, numbers, categories, np.where(labels == positive, 1, -1))
        for title, positive in positives.items()
    ]


def _values(path: Path, header: int) -> Iterator[list[str]]:
    """Yield the values of every row; of an ARFF file, of those after ``@data``."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as stream:
        lines = (line.strip() for line in stream)
        if ".arff" in path.name:
            for line in lines:
                if line.lower() == "@data":
                    break
        for number, values in enumerate(csv.reader(lines, quotechar="'", skipinitialspace=True)):
            if values and number >= header and not values[0].startswith("%"):
                yield [value.strip() for value in values]


def _features(values: list[str], source: Source) -> list[str]:
    label = source.label % len(values)
    if source.spelled_out is not None:
        return list(values[source.spelled_out])
    return [v for i, v in enumerate(values) if i != label and i not in source.drop]


def _columns(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return the numeric columns and the 0/1 columns."""
    numbers, categories = [], []
    for column in zip(*table.rows, strict=True):
        there = sorted(set(column) - {MISSING})
        if all(map(_is_number, there)):
            numbers.append([np.nan if v == MISSING else float(v) for v in column])
            there = []
        values = np.array(column)
        categories += [values == value for value in [*there, *({MISSING} & set(column))]]
    n_rows = len(table.rows)
    return (
        np.array(numbers).reshape(-1, n_rows).T,
        np.array(categories, dtype=float).reshape(-1, n_rows).T,
    )


def _is_number(value: str) -> bool:
    try:
        return bool(np.isfinite(float(value)))
    except ValueError:
        return False


def _moments(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and deviation of each column; a column that does not vary keeps its unit."""
    deviation = np.nanstd(numbers, axis=0)
    return np.nanmean(numbers, axis=0), np.where(deviation > 0, deviation, 1.0)
