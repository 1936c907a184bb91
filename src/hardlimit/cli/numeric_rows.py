"""Rows of numbers (svmlight, numeric CSV) for the commands that read texts otherwise."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardlimit import readers
from hardlimit.classifiers.model.ask import NUMBERS, Ask
from hardlimit.cli import label_columns, labelled_rows, terminal
from hardlimit.cli.asking import refuse
from hardlimit.cli.options import LayoutSettings
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Cell, Explained
from hardlimit.foundation import storage
from hardlimit.readers import detecting, numeric_csv, registry
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import detect_by_extension
from hardlimit.readers.opening import MAX_LINE, strip_compression
from hardlimit.sources.numbers import NAMED, NumberFiles

if TYPE_CHECKING:
    from hardlimit.readers import Table

E = TypeVar("E", bound=Explained)
# Options that make no sense for numbers; any of them says that texts are meant.
_NO_TEXT = ("text", "quoting", "encoding", "mail", "label_from", "labels_separator")


def detect(path: str, wanted: LayoutSettings) -> LayoutSettings:
    """Look into a file of which nothing is said; return ``wanted`` with what was found."""
    # Whoever says how to read the file is believed.
    if {"format", *_NO_TEXT} & wanted.keys():
        return wanted
    found = look(path, wanted.get("label"), wanted.get("drop", ()), wanted.get("header"))
    if found is None:
        return wanted
    if found.format == NAMED and "delimiter" in wanted:
        return wanted
    if found.format == NAMED:
        terminal.remark(
            f"{path}: these lines are those of Vowpal Wabbit, label |namespace features, so they "
            "are read as --format vw; use --format or --delimiter if that is wrong"
        )
        return {**wanted, "format": NAMED}
    label = {} if found.label is None else {"label": found.label}
    where = "" if found.label is None else f" with the label in column {found.label!r}"
    options = "".join(f" or --{name}" for name in label)
    terminal.remark(
        f"{path}: all columns but the label are numbers, so it is read as --format "
        f"{found.format}{where}; use --format{options} if that is wrong"
    )
    return {**label, **wanted, "format": found.format}


def look(
    path: str, label: str | None = None, drop: Sequence[str] = (), header: bool | None = None
) -> detecting.NumericGuess | None:
    """Look into a file for numbers and their label; None where there may be others, or no file."""
    # Standard input cannot be read twice.
    if path == "-" or not storage.is_file(path):
        return None
    takes_path = [known for known in readers.numeric_formats().values() if known.guess is not None]
    for known in takes_path:
        if known.guess is not None and path.lower().endswith(known.extensions):
            found = known.guess(path, label, tuple(drop))
            return None if found is None else detecting.NumericGuess(known.name, found)
    if not _is_text(path):
        return None
    return detecting.detect(path, label, drop, header)


def find_word(path: str, label: str | None = None) -> str:
    """Say where a table of numbers has a word; empty where it is none."""
    is_text = storage.is_file(path) and _is_text(path)
    return detecting.find_stray_word(path, label) if is_text else ""


def _is_text(path: str) -> bool:
    """Tell a file with lines of text from one that its reader opens by itself."""
    format = registry.detect_by_extension(path)
    return format is None or not registry.get_format(format).takes_path


def is_numeric(path: str, format: str | None) -> bool:
    """Tell whether a file holds numbers, by the format asked for or by its extension."""
    if format is not None:
        return format in readers.numeric_formats()
    # data.svm.gz is svmlight by the name inside.
    bare = strip_compression(path).lower()
    # A .csv holds texts more often than numbers, so its content decides.
    either = {extension for found in readers.formats().values() for extension in found.extensions}
    return detect_by_extension(path) is not None and os.path.splitext(bare)[1] not in either


def refuse_text_options(wanted: LayoutSettings) -> None:
    """Refuse settings of texts where the file holds numbers."""
    refuse(Ask(command="read", features=NUMBERS, asked=frozenset(wanted)))


def source_of(
    paths: str | Sequence[str], wanted: LayoutSettings, *, need_label: bool = True
) -> NumberFiles:
    """Return files of numbers as a source of rows."""
    refuse_text_options(wanted)
    if not need_label:
        wanted = label_columns.unlabelled(wanted)
    return NumberFiles(paths, wanted, need_label=need_label)


def read(
    path: str | Sequence[str],
    wanted: LayoutSettings,
    *,
    need_label: bool = True,
    known: Iterable[Any] = (),
) -> labelled_rows.Labelled:
    """Load one file of numbers whole, or several.

    known : names of labels, where they are folded.
    """
    return labelled_rows.read(source_of(path, wanted, need_label=need_label), known)


# What methods call rows and labels: an error about them is about their file.
_DATA = ("X", "y", "Y", "labels", "texts")


def locate(error: E, data: labelled_rows.RowsOfFiles) -> E:
    """Return an error about rows or labels with their place: a line and a column, or the file.

    >>> from hardlimit.exceptions import InputError
    >>> error = InputError("got -1", who="winnow-1", where=Cell(1, 0))
    >>> str(locate(error, labelled_rows.Labelled("a.csv", columns="xy", lines=[2, 4])))
    "a.csv:4: column 'x': winnow-1: got -1"
    """
    place = data.place(error.where) if isinstance(error.where, Cell) else ""
    if not error.where and error.parameter in _DATA:
        place = data.name
    return error.replaced(where=place) if place else error


@contextlib.contextmanager
def rows(path: str, matrix: labelled_rows.Labelled, wanted: LayoutSettings) -> Iterator[Table]:
    """Open the file of a matrix again, for its rows as they stand; numeric CSV only."""
    # The rows are written back as they stand, which takes a second reading.
    if path == "-":
        raise click.UsageError("-o wants numbers from a FILE, which is read twice; not from '-'")
    if isinstance(matrix.examples, Csr):
        raise click.UsageError("-o keeps columns, and svmlight has none; write with: > FILE")
    format = wanted.get("format") or detect_by_extension(path)
    if format not in (None, "numeric-csv"):
        raise click.UsageError("-o keeps the rows of a CSV of numbers; write with: > FILE")
    with TextSource(path, max_line=wanted.get("max_line", MAX_LINE)) as source:
        source.skip_bad = bool(wanted.get("skip_bad"))
        yield numeric_csv.open_table(
            source,
            header=matrix.header,
            lines=matrix.lines,
            delimiter=wanted.get("delimiter"),
        )
