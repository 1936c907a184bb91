"""Rows of numbers (svmlight, numeric CSV) for the commands that read texts otherwise."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardlimit import readers
from hardlimit.cli import labelled_rows, terminal
from hardlimit.cli.options import LayoutSettings, option_named
from hardlimit.exceptions import Cell, Explained
from hardlimit.readers import detecting, numeric_csv
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.opening import MAX_LINE, strip_compression
from hardlimit.readers.registry import DOCUMENTS, detect_by_extension

if TYPE_CHECKING:
    from hardlimit.readers import Csr, Numbers, Table

E = TypeVar("E", bound=Explained)
FORMATS = ("svmlight", "numeric-csv")
# Options that make no sense for numbers; any of them says that texts are meant.
_NO_TEXT = ("text", "quoting", "encoding", "mail", "label_from")


@dataclass
class Matrix(labelled_rows.Labelled):
    """Rows of numbers with their labels; ``examples`` is dense, or sparse by rows."""

    remembered: dict[str, Any] | None = None
    header: bool = False

    def keys(self) -> Sequence[str | bytes]:
        """Return the bytes of each row, equal where the rows are."""
        X = self.examples
        if not hasattr(X, "indptr"):
            # Bytes can be hashed; rows of an array cannot.
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
            files=[self.files[i] for i in rows] if self.files else (),
        )

    def to_remember(self) -> dict[str, Any] | None:
        """Return how the file was read, for the model."""
        return self.remembered


def _sparse_rows(X: Csr, rows: list[int]) -> Csr:
    from hardlimit.engine import select_rows  # start-up: numpy is not needed to predict texts

    indptr, places = select_rows(X.indptr, rows)
    return readers.Csr(indptr, X.indices[places], X.data[places], (len(rows), X.shape[1]))


def detect(path: str, wanted: LayoutSettings) -> LayoutSettings:
    """Look into a file of which nothing is said; return ``wanted`` with what was found."""
    # Whoever says how to read the file is believed.
    if {"format", *_NO_TEXT} & wanted.keys():
        return wanted
    found = look(path, wanted.get("label"), wanted.get("drop", ()), wanted.get("header"))
    if found is None:
        return wanted
    label = {} if found.label is None else {"label": found.label}
    where = "" if found.label is None else f" with the label in column {found.label!r}"
    options = "".join(f" or --{name}" for name in label)
    terminal.remark(
        f"{path}: all columns but the label are numbers, so it is read as --format "
        f"{found.format}{where}; use --format{options} if that is wrong"
    )
    return {**label, **wanted, "format": found.format}


def settle(path: str, wanted: LayoutSettings) -> tuple[LayoutSettings, bool]:
    """Return how a labelled file is read, and whether it holds numbers."""
    if is_numeric(path, wanted.get("format")):
        return wanted, True
    settings = detect(path, wanted)
    return settings, settings.get("format") in FORMATS


def look(
    path: str, label: str | None = None, drop: Sequence[str] = (), header: bool | None = None
) -> detecting.NumericGuess | None:
    """Look into a file for numbers and their label; None where there may be others, or no file."""
    # Standard input cannot be read twice.
    if path == "-" or not os.path.isfile(path) or detect_by_extension(path) in DOCUMENTS:
        return None
    return detecting.detect(path, label, drop, header)


def find_word(path: str, label: str | None = None) -> str:
    """Say where a table of numbers has a word; empty where it is none."""
    return detecting.find_stray_word(path, label) if os.path.isfile(path) else ""


def is_numeric(path: str, format: str | None) -> bool:
    """Tell whether a file holds numbers, by the format asked for or by its extension."""
    known = readers.numeric_formats()
    if format is not None:
        return format in known
    extensions = {extension for found in known.values() for extension in found.extensions}
    # data.svm.gz is svmlight by the name inside.
    bare = strip_compression(path).lower()
    # A .csv holds texts more often than numbers, so its content decides.
    return any(bare.endswith(extension) for extension in extensions - {".csv"})


def read(path: str | Sequence[str], wanted: LayoutSettings, *, need_label: bool = True) -> Matrix:
    """Load one file of numbers whole, or several."""
    for name in _NO_TEXT:
        if name in wanted:
            raise click.UsageError(f"{option_named(name)} does not go with a file of numbers")
    found = readers.load_numbers(path, **wanted, need_label=need_label)
    for sentence in found.notes:
        terminal.remark(sentence)
    labels = [None] * found.X.shape[0] if found.y is None else found.y.tolist()
    return Matrix(
        labelled_rows.name_sources(path),
        found.X,
        labels,
        remembered=_to_remember(found, wanted),
        header=found.header,
        columns=found.columns,
        lines=found.lines,
        files=[name for name, rows in found.files for _ in range(rows)],
    )


def locate(error: E, data: labelled_rows.Labelled) -> E:
    """Return an error about a row and a column with their place in the file.

    >>> from hardlimit.exceptions import InputError
    >>> error = InputError("got -1", who="winnow-1", where=Cell(1, 0))
    >>> str(locate(error, Matrix("a.csv", columns="xy", lines=[2, 4])))
    "a.csv:4: column 'x': winnow-1: got -1"
    """
    cell = error.where
    if not isinstance(cell, Cell) or not data.lines:
        return error
    line, column = data.lines[cell.row], data.columns[cell.column]
    file = data.files[cell.row] if data.files else data.name
    return error.replaced(where=f"{file}:{line}: column {column!r}")


def _to_remember(found: Numbers, wanted: LayoutSettings) -> dict[str, Any]:
    """Return what later files of the same kind are read by."""
    own = (
        "delimiter",
        "header",
        "columns",
        "place",
        "max_line",
        "skip_bad",
    )  # of this file, not of the next
    remembered = {key: value for key, value in wanted.items() if key not in own}
    # svmlight leaves zeros out: a new file may lack the last columns.
    remembered["n_features"] = found.X.shape[1]
    if wanted.get("drop"):
        remembered["drop"] = list(wanted["drop"])
    if hasattr(found.X, "indptr"):
        return {**remembered, "zero_based": found.zero_based}
    columns = list(found.columns)
    # Names that occur twice cannot find their columns again.
    if found.header and len(set(columns)) == len(columns):
        remembered["columns"] = columns
    if found.place is not None:
        remembered["place"] = found.place
        remembered["label"] = found.label if found.header else found.place
    return remembered


@contextlib.contextmanager
def rows(path: str, matrix: Matrix, wanted: LayoutSettings) -> Iterator[Table]:
    """Open the file of a matrix again, for its rows as they stand; numeric CSV only."""
    # The rows are written back as they stand, which takes a second reading.
    if path == "-":
        raise click.UsageError("-o wants numbers from a FILE, which is read twice; not from '-'")
    if hasattr(matrix.examples, "indptr"):
        raise click.UsageError("-o keeps columns, and svmlight has none; write with: > FILE")
    with TextSource(path, max_line=wanted.get("max_line", MAX_LINE)) as source:
        source.skip_bad = bool(wanted.get("skip_bad"))
        yield numeric_csv.open_table(
            source,
            header=matrix.header,
            lines=matrix.lines,
            delimiter=wanted.get("delimiter"),
        )
