"""Rows of numbers (svmlight, numeric CSV) for the commands that read texts otherwise."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hardlimit.cli import reading, terminal

if TYPE_CHECKING:
    from hardlimit.readers import Csr, Numbers, Table
    from hardlimit.readers.detecting import NumericGuess

_NO_TEXT = ("text", "quoting", "encoding")


@dataclass
class Matrix(reading.Labelled):
    """Rows of numbers with their labels; ``examples`` is dense, or sparse by rows."""

    remembered: dict[str, Any] | None = None
    header: bool = False
    columns: Sequence[Any] = ()
    lines: Sequence[int] = ()

    def keys(self) -> list[bytes]:
        """Return the bytes of each row, equal where the rows are."""
        X = self.examples
        if not hasattr(X, "indptr"):
            return [row.tobytes() for row in X]
        ends = X.indptr.tolist()
        return [
            X.indices[a:b].tobytes() + X.data[a:b].tobytes()
            for a, b in zip(ends, ends[1:], strict=False)
        ]

    def take(self, rows: list[int]) -> Matrix:
        """Return some of the rows."""
        X = self.examples
        chosen = _sparse_rows(X, rows) if hasattr(X, "indptr") else X[rows]
        return Matrix(
            self.name,
            chosen,
            [self.labels[i] for i in rows],
            remembered=self.remembered,
            columns=self.columns,
            lines=[self.lines[i] for i in rows],
        )

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return self.remembered


def _sparse_rows(X: Csr, rows: list[int]) -> Csr:
    import numpy as np

    from hardlimit.readers import Csr

    lengths = np.diff(X.indptr)[rows]
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    places = np.repeat(X.indptr[rows] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return Csr(indptr, X.indices[places], X.data[places], (len(rows), X.shape[1]))


def detect(path: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """Look into a file of which nothing is said; return ``wanted`` with what was found."""
    if {"format", *_NO_TEXT} & wanted.keys():
        return wanted
    found = look(path, wanted.get("label"))
    if found is None:
        return wanted
    label = {} if found.label is None else {"label": found.label}
    where = "" if found.label is None else f" with the label in column {found.label!r}"
    options = "".join(f" or --{name}" for name in label)
    terminal.remark(
        f"{path}: numbers beside the label, so it is read as --format {found.format}{where}; say "
        f"--format{options} where that is wrong"
    )
    return {**label, **wanted, "format": found.format}


def look(path: str, label: str | None = None) -> NumericGuess | None:
    """Look into a file for numbers and their label; None where there may be others, or no file."""
    from hardlimit.readers.detecting import detect

    return detect(path, label) if path != "-" and os.path.isfile(path) else None


def stray(path: str, label: str | None = None) -> str:
    """Say where a table of numbers has a word; empty where it is none."""
    from hardlimit.readers.detecting import find_stray_word

    return find_stray_word(path, label) if os.path.isfile(path) else ""


def is_numeric(path: str, format: str | None) -> bool:
    """Tell whether a file holds numbers, by the format asked for or by its extension."""
    from hardlimit.readers.numbers import numeric_formats
    from hardlimit.readers.opening import strip_compression

    known = numeric_formats()
    if format is not None:
        return format in known
    extensions = {extension for found in known.values() for extension in found.extensions}
    bare = strip_compression(path).lower()
    return any(bare.endswith(extension) for extension in extensions - {".csv"})


def read(path: str, wanted: dict[str, Any], *, need_label: bool = True) -> Matrix:
    """Load a file of numbers whole."""
    from hardlimit.readers import load_numbers

    for name in _NO_TEXT:
        if name in wanted:
            raise click.UsageError(f"--{name} does not go with a file of numbers")
    found = load_numbers(path, **wanted, need_label=need_label)
    for sentence in found.notes:
        terminal.remark(sentence)
    name = "standard input" if path == "-" else path
    labels = [None] * found.X.shape[0] if found.y is None else found.y.tolist()
    return Matrix(
        name,
        found.X,
        labels,
        remembered=_to_remember(found, wanted),
        header=found.header,
        columns=found.columns,
        lines=found.lines,
    )


_PLACE = re.compile(r"(?:textbook: )?(.*?)row (\d+), column (\d+): ")


def placed(message: str, data: reading.Labelled) -> str:
    """Turn a row and a column, numbered from 0, into the place in the file.

    >>> placed("winnow-1: row 1, column 0: got -1", Matrix("a.csv", columns="xy", lines=[2, 4]))
    "a.csv:4: column 'x': winnow-1: got -1"
    """
    found = _PLACE.match(message)
    if not (found and isinstance(data, Matrix) and data.lines):
        return message
    line, column = data.lines[int(found[2])], data.columns[int(found[3])]
    return f"{data.name}:{line}: column {column!r}: {found[1]}{message[found.end() :]}"


def _to_remember(found: Numbers, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what later files of the same kind are read by."""
    own = ("delimiter", "header", "columns", "place")  # of this file, not of the next
    remembered = {key: value for key, value in wanted.items() if key not in own}
    remembered["n_features"] = found.X.shape[1]
    if hasattr(found.X, "indptr"):
        return {**remembered, "zero_based": found.zero_based}
    columns = list(found.columns)
    if found.header and len(set(columns)) == len(columns):
        remembered["columns"] = columns
    if found.place is not None:
        remembered["place"] = found.place
        remembered["label"] = found.label if found.header else found.place
    return remembered


@contextlib.contextmanager
def rows(path: str, matrix: Matrix, wanted: dict[str, Any]) -> Iterator[Table]:
    """Open the file of a matrix again, for its rows as they stand; numeric CSV only."""
    from hardlimit.readers import numeric_csv
    from hardlimit.readers.decoding import TextSource

    if path == "-":
        raise click.UsageError("-o wants numbers from a FILE, which is read twice; not from '-'")
    if hasattr(matrix.examples, "indptr"):
        raise click.UsageError("-o keeps columns, and svmlight has none; write with: > FILE")
    with TextSource(path) as source:
        yield numeric_csv.open_table(
            source, header=matrix.header, delimiter=wanted.get("delimiter")
        )
