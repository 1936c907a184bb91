"""Numeric CSV: one column is the target, every other one a feature, dense.

The first row is a header if none of its features is a number. Empty cells, NaN and infinity are
refused with their place; the target may be any word.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hardlimit.exceptions import ColumnError, DataFormatError, Given, Setting, abbreviate
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.readers import csv
from hardlimit.readers.columns import is_number, list_names, missing_column_error
from hardlimit.readers.decoding import Source, TextSource
from hardlimit.readers.delimited import Record
from hardlimit.readers.layout import Layout
from hardlimit.readers.numbers import (
    LoadOptions,
    Numbers,
    NumericFormat,
    as_words,
    empty_file_error,
    gathered_numbers,
    parse_targets,
)
from hardlimit.readers.rows import Row, Table, in_batches

_ROWS = 1024  # of a block, and
_CELLS = 1 << 20  # at most


class Head(NamedTuple):
    """What the first row says: names, whether it holds them, where target and features are."""

    names: list[str]
    header: bool
    target: int | None
    places: list[int]


def read(source: TextSource, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read a numeric CSV: O(cells), about 0.1 microseconds each.

    Whether labels are numbers is told by the first rows that are read, of each column by itself.
    """
    import numpy as np

    delimiter = options.delimiter or csv.detect_delimiter(source)
    records = csv.split_records(source, delimiter)
    first = next((record for record in records if any(record[1])), None)
    if first is None:
        raise empty_file_error(source)
    head = read_head(source, options, [cell.strip() for cell in first[1]])
    rows = skip_empty(None if head.header else first, records)
    are_numbers: list[bool] = []
    batches = in_batches(rows, _ROWS, lambda record: len(record[1]), _CELLS)
    for some in [rows] if whole else map(iter, batches):
        labels, cells, lines = read_rows(source, options, head, some, not are_numbers)
        if not labels:
            continue
        every = list(zip(*labels, strict=True)) if options.label_columns else [labels]
        columns = tuple(
            parse_targets(list(own)) if is_number else as_words(list(own))
            for own, is_number in zip(every, are_numbers or [True] * len(every), strict=True)
        )
        are_numbers = [dtypes.is_real(own.dtype) for own in columns]
        yield Numbers(
            np.array(cells, dtype=np.float64).reshape(len(labels), len(head.places)),
            columns[-1] if all(every[-1]) else None,
            tuple(head.names[place] for place in head.places),
            label="label" if head.target is None else head.names[head.target],
            place=head.target,
            header=head.header,
            lines=lines,
            label_columns=columns if options.label_columns else (),
        )
    if not are_numbers:
        raise empty_file_error(source)


def read_rows(
    source: TextSource,
    options: LoadOptions,
    head: Head,
    records: Iterator[Record],
    first: bool = True,
) -> tuple[list[Any], array[float], array[int]]:
    """Return labels, cells and lines of the records; ``first``: of the first rows of a file.

    Of several columns of labels a row has a tuple of them.
    """
    names, target, places = head.names, head.target, head.places
    several = [_find_label(source, name, names) for name in options.label_columns]
    targets = several or ([] if target is None else [target])
    labels: list[Any] = []
    # 8 bytes a cell; lists of Python floats would take 32
    cells, lines = array("d"), array("q")
    gathered = gathered_numbers(source.name)
    for line, fields in records:
        if len(fields) != len(names):
            reason = f"{plural(len(fields), 'field')}, but the first row has {len(names)}"
            source.reject(DataFormatError(reason, where=f"{source.name}:{line}"))
            continue
        own = [fields[place].strip() for place in targets]
        label: Any = tuple(own) if several else own[0] if own else ""
        chosen = [fields[place] for place in places]
        try:
            row = list(map(float, chosen))
        except ValueError:
            # one path for all bad cells: `_cell_error` finds the first of them
            row = [math.nan]
        unlabelled = options.need_label and not (own and all(own))
        # Python's float takes "1_000"; a file does not
        if unlabelled or "_" in "".join(chosen) or not all(map(math.isfinite, row)):
            need_label = options.need_label
            error = _cell_error(source, line, fields, names, targets, need_label=need_label)
            # In the first row of a training file it is the columns that are misunderstood.
            if (
                first
                and not lines
                and need_label
                and options.columns is None
                and options.label is None
            ):
                error = error.replaced(fix=_WHICH_COLUMNS)
            source.reject(error)
            continue
        labels.append(label)
        cells.extend(row)
        lines.append(line)
        gathered.add(8 * len(row) + len(label))
    return labels, cells, lines


def open_table(
    source: TextSource, *, header: bool, lines: Sequence[int], delimiter: str | None = None
) -> Table:
    """Open the rows that `load` gave as they are, so that they can be written back.

    lines : where they stand.
    """
    delimiter = delimiter or csv.detect_delimiter(source)
    records = skip_empty(None, csv.split_records(source, delimiter))
    first = next(records, None)
    if first is None:
        raise empty_file_error(source)
    columns = [cell.strip() for cell in first[1]] if header else map(str, range(len(first[1])))

    def rows(_: Table) -> Iterator[Row]:
        left = iter(lines)
        wanted = next(left, None)
        for line, fields in records if header else itertools.chain([first], records):
            # a row between them was left out as bad
            if line == wanted:
                wanted = next(left, None)
                yield Row(line, "", None, tuple(fields))

    layout = Layout(format="csv", header=header)
    return Table(source, layout, tuple(columns), rows, need_label=False, delimiter=delimiter)


def read_head(source: Source, options: LoadOptions, first: list[str]) -> Head:
    """Find the names, whether the first row holds them, and where target and features are."""
    label = _as_place(options, first)
    header = options.header
    if header is None:
        header = _has_header(source, options, label, first)
    names = first if header else list(map(str, range(len(first))))
    # by name where both have names: a test file may have its columns in another order
    if header and options.columns is not None:
        return _match_columns(source, options, label, names)
    dropped = _find_dropped(source, options, names if header else [], len(names))
    target = _find_target(source, options, label, names, dropped, header=header)
    places = [place for place in range(len(names)) if place != target and place not in dropped]
    if not places:
        raise ColumnError(
            "there is only one column; features and a target were wanted", where=source.name
        )
    if options.n_features not in (None, len(places)):
        beside = "" if target is None else f" beside the label {names[target]!r}"
        raise ColumnError(
            f"{plural(len(places), 'column')} of numbers{beside}, but the model was trained on "
            f"{options.n_features}",
            where=source.name,
        )
    return Head(names, header, target, places)


def _as_place(options: LoadOptions, first: list[str]) -> str | int | None:
    """Return the label's column as a number where it is one, and no name of the first row."""
    label = options.label
    if not isinstance(label, str) or not is_number(label):
        return label
    # A cell of the data may be the very number of the label's column.
    is_data = options.header is False or (
        options.header is None
        and options.columns is None
        and any(_is_number(cell) for cell in first if cell != label)
    )
    return int(label) if is_data or label not in first else label


def _find_dropped(
    source: Source, options: LoadOptions, names: list[str], n_columns: int
) -> set[int]:
    """Find the columns that are left out; of new rows they may be missing."""
    places = set()
    for name in options.drop:
        if name in names:
            places.add(names.index(name))
        elif is_number(name) and int(name) < n_columns and n_columns != options.n_features:
            places.add(int(name))
        elif options.need_label and options.n_features is None:
            there = names or list(map(str, range(n_columns)))
            raise missing_column_error(source.name, name, "columns to drop", there)
    return places


def _has_header(
    source: Source, options: LoadOptions, label: str | int | None, first: list[str]
) -> bool:
    numbers = sum(map(_is_number, first))
    if options.columns is not None:
        if numbers >= len(first) - 1 and not set(first) & set(options.columns):
            raise ColumnError(
                "the first row holds no names, but the columns are known by name: "
                f"{list_names(options.columns)}",
                where=source.name,
                fix=(
                    "add that row, or say ",
                    Setting("header", False),
                    " if they are in this order",
                ),
            )
        return True
    if isinstance(label, str) and (options.need_label or label in first):
        return True
    # The label may be missing (prediction): then all cells of the first row are looked at.
    optional = not options.need_label and len(first) == options.n_features
    guess = None if optional else label if isinstance(label, int) else len(first) - 1
    features = [
        cell
        for place, cell in enumerate(first)
        if place != guess
        and str(place) not in options.drop
        and (cell not in options.drop or _is_number(cell))
    ]
    return bool(features) and not any(map(_is_number, features))


def _find_target(
    source: Source,
    options: LoadOptions,
    label: str | int | None,
    names: list[str],
    dropped: set[int],
    *,
    header: bool,
) -> int | None:
    """Find the target by its name or number; the count of columns tells whether it is there."""
    if header and isinstance(label, str) and label in names:
        return names.index(label)
    # as many columns as the model has features leave no room for a target
    if not options.need_label and len(names) - len(dropped) == options.n_features:
        return None
    if not header and options.place is not None:
        label = options.place
    if isinstance(label, str):
        raise missing_column_error(source.name, label, "label", names)
    last = max((place for place in range(len(names)) if place not in dropped), default=0)
    place = last if label is None else label
    if place >= len(names):
        raise missing_column_error(source.name, place, "label", list(map(str, range(len(names)))))
    return place


def _match_columns(
    source: Source, options: LoadOptions, label: str | int | None, names: list[str]
) -> Head:
    """Match the columns by name, whatever their order; none may be missing or too many."""
    # Tables have a hundred thousand columns: each name is looked up, never searched for.
    dropped = set(options.drop)
    known = dict.fromkeys(options.columns or ())
    places = {name: place for place, name in reversed(list(enumerate(names)))}
    surplus = [name for name in names if name not in known and name not in dropped]
    if label is None and len(surplus) == 1:
        label = surplus[0]
    target = names[label] if isinstance(label, int) and label < len(names) else label
    missing = [name for name in known if name not in places]
    if missing:
        raise ColumnError(
            f"there is no column {list_names(missing)}, which the model was trained on; there are "
            f"{list_names(names)}",
            where=source.name,
        )
    duplicates = sorted(name for name, count in Counter(names).items() if count > 1)
    if duplicates:
        raise ColumnError(
            f"two columns are called {list_names(duplicates)}", where=source.name, fix="rename one"
        )
    if target not in places and options.need_label:
        raise missing_column_error(source.name, str(target), "label", names)
    surplus = [name for name in surplus if name != target]
    if surplus:
        raise ColumnError(
            f"the model was trained on {list_names(list(known))}, without column "
            f"{list_names(surplus)}",
            where=source.name,
            fix="remove that column",
        )
    place = places[str(target)] if target in places else None
    return Head(names, True, place, [places[name] for name in known])


def _find_label(source: Source, name: str, names: list[str]) -> int:
    """Find one of several columns of labels, by its name or number."""
    if name in names:
        return names.index(name)
    if is_number(name) and int(name) < len(names):
        return int(name)
    raise missing_column_error(source.name, name, "label", names)


def skip_empty(first: Record | None, records: Iterator[Record]) -> Iterator[Record]:
    """Yield the records that are not empty, behind the first where there is one."""
    if first is not None:
        yield first
    for line, fields in records:
        if any(fields):
            yield line, fields


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


_WHICH_COLUMNS = (
    "name the column of the label, ",
    Setting("label", Given("NAME")),
    " (default: the last), and columns to leave out, ",
    Setting("drop", Given("NAME")),
)


def _cell_error(
    source: TextSource,
    line: int,
    fields: list[str],
    names: list[str],
    targets: Sequence[int],
    *,
    need_label: bool,
) -> DataFormatError:
    """Find the first cell that is not a finite number."""
    place = 1
    for number, (cell, name) in enumerate(zip(fields, names, strict=True)):
        where = f"{source.name}:{line}:{place}: column {abbreviate(name)}"
        if number in targets and need_label and not cell.strip():
            return DataFormatError("the label is missing", where=where)
        if number not in targets and not _is_number(cell):
            got = cell if cell.strip() else Given("an empty cell")
            return DataFormatError(where=where, got=got, wanted="a number")
        if number not in targets and not math.isfinite(float(cell)):
            return DataFormatError(where=where, got=cell.strip(), wanted="a finite number")
        # counted without quotes: in a row that has some the column is a hint
        place += len(cell) + 1
    return DataFormatError("numbers were wanted", where=f"{source.name}:{line}")


NUMERIC = NumericFormat(
    "numeric-csv",
    (".csv", ".data"),
    read,
    "a target column, all others are features, dense",
    label_columns=True,
)
