"""Shards of files of numbers: lines of svmlight, rows of CSV, row groups of Parquet, whole files.

Columns of all files are those of the first: see :mod:`hardlimit.readers.stacking`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hardlimit.examples.dense import read_numbers
from hardlimit.exceptions import DataFormatError, InputError, mask
from hardlimit.foundation import storage
from hardlimit.readers import (
    Layout,
    Row,
    Table,
    arrow_files,
    arrow_numbers,
    csv,
    numeric_csv,
    svmlight,
)
from hardlimit.readers.decoding import Source, TextSource
from hardlimit.readers.delimited import Record
from hardlimit.readers.file_notes import FileNotes
from hardlimit.readers.numbers import (
    Csr,
    LoadOptions,
    Numbers,
    by_column,
    check_columns,
    detect_by_content,
    detect_by_extension,
    empty_file_error,
    numeric_formats,
    refuse_sets,
)
from hardlimit.readers.numeric_files import load_file
from hardlimit.readers.stacking import match_options
from hardlimit.sources import cutting
from hardlimit.sources.pieces import PartSource, Piece, Shard, count_lines, shift_line
from hardlimit.sources.reading import FileBatch

NAMED = "vw"


class _TableOfNumbers(Table):
    """The table of rows that were read by themselves, and what was met in them."""

    met: tuple[FileNotes, ...] = ()

    def counted(self) -> list[FileNotes]:
        """Return what was met in the rows."""
        return [*self.met]


@dataclass(frozen=True)
class NumericPiece(Piece):
    """Bytes of a file of numbers, or all of it.

    labels : columns of labels, where a row has several.    head : of CSV, where the columns are.
    zero_based : of svmlight, whether indices count from 0; None: by those of all files.
    n_features : as it was asked for, or None.
    """

    must_be_utf8: ClassVar[bool] = False  # comments of svmlight may be anything
    zero_based: bool | None = None
    n_features: int | None = None
    options: LoadOptions = LoadOptions()
    labels: tuple[str, ...] = ()
    # Part of the file, which the other fields name.
    head: numeric_csv.Head | None = field(default=None, compare=False)

    @property
    def label_spelling(self) -> tuple[str | None, tuple[str, ...]]:
        """How its labels are spelled: what stands between several, and the columns of several."""
        return self.options.labels_separator, self.labels

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns as they stand in the file; none where they have no names."""
        return () if self.head is None else tuple(self.head.names)

    @property
    def counts_from_all(self) -> bool:
        """Whether only all rows show from where the indices of sparse rows count."""
        return self.format == "svmlight" and self.zero_based is None

    @property
    def shows_rows(self) -> bool:
        """Whether a row that was read can be written as it stood: columns stay columns."""
        return not self.is_columnar

    def as_wide_as(self, n_columns: Callable[[], int]) -> NumericPiece:
        """Return the piece for a model with so many columns: sparse rows may lack the last."""
        return replace(self, n_features=self.n_features or n_columns())

    @contextlib.contextmanager
    def opened(
        self, gathering: object, most: int, *, keep: bool = False
    ) -> Iterator[tuple[Table, Iterator[FileBatch]]]:
        """Give the table of the rows, and all of them as one batch: numbers are read whole."""
        layout, source = Layout(format="csv", header=True), Source(self.path)
        table = _TableOfNumbers(source, layout, self.columns, lambda _: iter(()), need_label=False)
        found = self.read(None, keep=keep)
        table.met = found.notes
        yield table, iter([found])

    def batches(self, gather: object) -> Iterator[FileBatch]:
        """Yield the rows."""
        yield self.read(gather)

    def read(self, gather: object, *, keep: bool = False) -> FileBatch:
        """Return all rows, with their labels as they stand in the file; of CSV as texts.

        keep : whether each is kept as it stands.
        """
        with self.nearby():
            self.check()
            try:
                found = self._read_csv(self.head, keep) if self.head else self._read(keep)
            except DataFormatError as error:
                before = 0 if self.group is not None else count_lines(self.path, self.begin)
                where = shift_line(str(error.where), self.path, before)
                raise error.replaced(where=where) from None
        X: Any = found.examples
        if self.n_features is None or self.counts_from_all or not isinstance(X, Csr):
            return found
        check_columns(self.path, X.n_columns, self.n_features)
        return found._replace(examples=X.widened(self.n_features))

    def _read(self, keep: bool) -> FileBatch:
        options = replace(self.options, label_columns=self.labels)
        columns = [self._load(own) for own in by_column(options)] or [self._load(self.options)]
        parts, notes = columns[-1]
        read = [
            [y for part in own if part.y is not None for y in part.y.tolist()] for own, _ in columns
        ]
        labels: list[Any] = list(zip(*read, strict=True)) if self.labels else read[0]
        X = parts[0].X if len(parts) == 1 else _stack(parts)
        examples = read_numbers(X)
        lines = [line for part in parts for line in part.lines] or range(1, len(examples) + 1)
        rows = tuple(Row(line, "", None, ()) for line in lines) if keep else ()
        return FileBatch(examples, labels, 0, (), rows, (notes,))

    def _load(self, options: LoadOptions) -> tuple[list[Numbers], FileNotes]:
        """Return the rows, in one part or several, and what was met in them."""
        if self.end is not None and self.group is None:
            with PartSource(self) as source:
                return list(svmlight.read(source, options, whole=False)), source.counted()
        if self.group is None:
            found = load_file(self.path, self.format, options)
        else:
            opened = partial(arrow_files.open_parquet, groups=[self.group])
            (found,) = arrow_numbers.read(self.path, options, True, opened)
        return [found], FileNotes(mask(self.path), remarks=found.notes)

    def _read_csv(self, head: numeric_csv.Head, keep: bool) -> FileBatch:
        """Return rows of CSV; of columns of labels a row has a tuple of them."""
        options, whole = replace(self.options, label_columns=self.labels), self.end is None
        with (
            TextSource(self.path, max_line=options.max_line)
            if whole
            else PartSource(self) as source
        ):
            source.skip_bad = options.skip_bad
            delimiter = options.delimiter or csv.detect_delimiter(source)
            records = csv.split_records(source, delimiter)
            if whole and head.header:
                next((record for record in records if any(record[1])), None)
            seen: list[Record] = []
            rows = numeric_csv.skip_empty(None, records)
            if keep:
                rows = _kept(rows, seen)
            labels, cells, lines = numeric_csv.read_rows(source, options, head, rows)
        X = np.array(cells, dtype=np.float64).reshape(len(labels), len(head.places))
        good = set(lines)
        kept = (Row(line, "", None, tuple(cells)) for line, cells in seen if line in good)
        notes = (source.counted(),)
        return FileBatch(read_numbers(X), labels, 0, (), tuple(kept), notes)


def _kept(records: Iterator[Record], seen: list[Record]) -> Iterator[Record]:
    for record in records:
        seen.append(record)
        yield record


def _stack(parts: Sequence[Numbers]) -> Csr:
    found = [part.X for part in parts if isinstance(part.X, Csr)]
    if found:
        return Csr.joined(found)
    return Csr(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), 0)


class _Borders(NamedTuple):
    """What whoever cuts records of CSV asks of a table."""

    layout: Layout
    delimiter: str


def cut_numbers(
    paths: Sequence[str], settings: Mapping[str, Any], n_shards: int, *, at_most: bool = False
) -> tuple[list[Shard], Numbers]:
    """Return recipes of all shards, and some of the rows of the first file, which have its columns.

    settings : as :func:`hardlimit.readers.load_numbers` takes them; ``label`` may name several
    columns.    at_most : whether there may
    be fewer shards, where files cannot be cut so often.

    Raises
    ------
    InputError
        Standard input; fewer records than shards; names that come as they come.
    """
    paths = cutting.find_files(paths)
    given = dict(settings)
    format = given.pop("format", None)
    given["drop"] = tuple(map(str, given.get("drop", ())))
    columns = _columns_of_labels(given)
    # Of a model file come lists, and a piece is the key of its rows.
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    options = LoadOptions(**given)
    states = [cutting.state_of_file(path) for path in paths]
    total, done = sum(size for size, _ in states), 0
    files: list[list[Piece]] = []
    first: Numbers | None = None
    for path, (size, version) in zip(paths, states, strict=True):
        targets = cutting.find_targets(done, size, total, n_shards)
        name = _format_of(path, format)
        refuse_sets(numeric_formats()[name], replace(options, label_columns=columns))
        own = options if first is None else match_options(first, options)
        layout = Layout(format=name, max_line=own.max_line, skip_bad=own.skip_bad)
        whole = NumericPiece(path, layout, size, version=version, options=own, labels=columns)
        pieces, seen = _cut_file(whole, targets)
        if first is not None and seen.is_sparse != first.is_sparse:
            raise DataFormatError(
                f"sparse and dense rows do not go together, and those of {paths[0]} are of the "
                "other kind",
                where=path,
                fix="give files of one format",
            )
        first = first or seen
        files.append(pieces)
        done += size
    assert first is not None  # there is a file
    if at_most:
        n_shards = min(n_shards, sum(map(len, files)))
    return cutting.deal_pieces(files, n_shards, total), first


def _columns_of_labels(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of labels, where several are named; the last stands for them."""
    labels = given.pop("label_columns", ()) or given.get("label")
    if not isinstance(labels, list | tuple):
        return ()
    drop = [name for name in given["drop"] if name not in labels]
    given |= {"label": labels[-1], "drop": (*drop, *labels[:-1])}
    return tuple(labels)


def _format_of(path: str, format: str | None) -> str:
    name = format or detect_by_extension(path)
    if name is None:
        with TextSource(path) as source:
            name = detect_by_content(source)
    if name == NAMED:
        raise InputError(
            "features are numbered as their names come, one file after the other",
            who="distributed.train",
            parameter="format",
            got=NAMED,
            fix="write the rows as svmlight, or learn in one process",
        )
    return name


def _cut_file(whole: NumericPiece, targets: list[int]) -> tuple[list[Piece], Numbers]:
    """Return the pieces of a file, and some of its rows."""
    name, options = whole.format, whole.options
    if name == "numeric-csv":
        return _cut_csv(whole, targets)
    if name == "svmlight":
        seen = _first_rows(whole)
        # Indices as they stand; from which they count is known when all files are.
        keep = True if options.zero_based is None else options.zero_based
        whole = replace(
            whole,
            options=replace(options, zero_based=keep, n_features=None),
            zero_based=options.zero_based,
            n_features=options.n_features,
        )
        if not _is_plain(whole):
            return [whole], seen
        return _pieces(whole, cutting.cut_lines(whole, targets, header=False)), seen
    seen = _first_rows(whole)
    return (cutting.cut_row_groups(whole) if name == "numeric-parquet" else [whole]), seen


def _first_rows(whole: NumericPiece) -> Numbers:
    """Return some rows of a file, or all where its format is read whole."""
    known = numeric_formats()[whole.format]
    if known.takes_path:
        return replace(next(known.read(whole.path, whole.options, False)), format=whole.format)
    with TextSource(whole.path, max_line=whole.options.max_line) as source:
        source.skip_bad = whole.options.skip_bad
        found = next(known.read(source, whole.options, False), None)
        if found is None:
            raise empty_file_error(source)
        return replace(found, format=whole.format)


def _cut_csv(whole: NumericPiece, targets: list[int]) -> tuple[list[Piece], Numbers]:
    """Return the pieces of a CSV, whose columns are known from its first row."""
    path, options = whole.path, whole.options
    with TextSource(path, max_line=options.max_line) as source:
        delimiter = options.delimiter or csv.detect_delimiter(source)
        records = csv.split_records(source, delimiter)
        first = next((record for record in records if any(record[1])), None)
        if first is None:
            raise empty_file_error(source)
        head = numeric_csv.read_head(source, options, [cell.strip() for cell in first[1]])
    whole = replace(whole, options=replace(options, delimiter=delimiter), head=head)
    seen = replace(_first_rows(whole), format=whole.format)
    if not _is_plain(whole):
        return [whole], seen
    borders: Any = _Borders(Layout(header=head.header), delimiter)
    return _pieces(whole, cutting.cut_records(whole, targets, borders)), seen


def _is_plain(whole: NumericPiece) -> bool:
    """Whether a file can be cut at the ends of lines."""
    if not storage.is_file(whole.path):
        return False
    with TextSource(whole.path, max_line=whole.options.max_line) as source:
        return cutting.is_plain(whole, source)


def _pieces(whole: NumericPiece, cuts: list[int]) -> list[Piece]:
    pairs = ((begin, end) for begin, end in pairwise(cuts) if begin < end)
    return [replace(whole, begin=begin, end=end) for begin, end in pairs] or [whole]
