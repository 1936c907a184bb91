"""Numeric CSV: one column is the target, every other one a feature, dense.

The first row is a header if none of its features is a number. Empty cells, NaN and infinity are
refused with their place; the target may be any word.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hardlimit.exceptions import ColumnError, DataFormatError
from hardlimit.readers import csv
from hardlimit.readers.columns import no_column
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.delimited import Record
from hardlimit.readers.layout import Layout
from hardlimit.readers.numbers import Numbers, NumericFormat, Wanted, no_rows, targets
from hardlimit.readers.rows import Row, Table

_NAMED = 12


class _Head(NamedTuple):
    """What the first row says: names, whether it holds them, where target and features are."""

    names: list[str]
    header: bool
    target: int | None
    places: list[int]


def load(source: TextSource, wanted: Wanted) -> Numbers:
    """Read a numeric CSV whole: O(cells), about 0.1 microseconds each."""
    import numpy as np

    delimiter = wanted.delimiter or csv.detect_delimiter(source)
    records = csv.records(source, delimiter)
    first = next((record for record in records if any(record[1])), None)
    if first is None:
        raise no_rows(source)
    head = _head(source, wanted, [cell.strip() for cell in first[1]])
    names, target, places = head.names, head.target, head.places
    labels: list[str] = []
    cells, lines = array("d"), array("q")
    for line, fields in _body(None if head.header else first, records):
        if len(fields) != len(names):
            raise DataFormatError(
                f"{source.name}:{line}: {len(fields)} fields, but the first row has {len(names)}"
            )
        label = "" if target is None else fields[target].strip()
        chosen = [fields[place] for place in places]
        try:
            row = list(map(float, chosen))
        except ValueError:
            row = [math.nan]
        unlabelled = wanted.need_label and not label
        if unlabelled or "_" in "".join(chosen) or not all(map(math.isfinite, row)):
            raise _broken(source, line, fields, names, target, need_label=wanted.need_label)
        labels.append(label)
        cells.extend(row)
        lines.append(line)
    if not labels:
        raise no_rows(source)
    X = np.array(cells, dtype=np.float64).reshape(len(labels), len(places))
    return Numbers(
        X,
        targets(labels) if all(labels) else None,
        tuple(names[place] for place in places),
        label="label" if target is None else names[target],
        place=target,
        header=head.header,
        lines=lines,
    )


def table(source: TextSource, *, header: bool, delimiter: str | None = None) -> Table:
    """Give the rows that `load` gave, as they stand, so that they can be written back."""
    delimiter = delimiter or csv.detect_delimiter(source)
    records = _body(None, csv.records(source, delimiter))
    first = next(records, None)
    if first is None:
        raise no_rows(source)
    columns = [cell.strip() for cell in first[1]] if header else map(str, range(len(first[1])))

    def rows(_: Table) -> Iterator[Row]:
        for line, fields in records if header else itertools.chain([first], records):
            yield Row(line, "", None, tuple(fields))

    layout = Layout(format="csv", header=header)
    return Table(source, layout, tuple(columns), rows, need_label=False, delimiter=delimiter)


def _head(source: TextSource, wanted: Wanted, first: list[str]) -> _Head:
    """Tell the names, whether the first row holds them, and where target and features are."""
    label = wanted.label
    if isinstance(label, str) and label.isdecimal() and label not in first:
        label = int(label)
    header = wanted.header
    if header is None:
        header = _has_header(source, wanted, label, first)
    names = first if header else list(map(str, range(len(first))))
    if header and wanted.columns is not None:
        return _matched(source, wanted, label, names)
    target = _target(source, wanted, label, names, header=header)
    places = [place for place in range(len(names)) if place != target]
    if not places:
        raise ColumnError(f"{source.name}: one column only; features and a target were wanted")
    if wanted.n_features not in (None, len(places)):
        beside = "" if target is None else f" beside the label {names[target]!r}"
        raise ColumnError(
            f"{source.name}: {len(places)} columns of numbers{beside}, but the model was trained "
            f"on {wanted.n_features}"
        )
    return _Head(names, header, target, places)


def _has_header(
    source: TextSource, wanted: Wanted, label: str | int | None, first: list[str]
) -> bool:
    numbers = sum(map(_is_number, first))
    if wanted.columns is not None:
        if numbers >= len(first) - 1 and not set(first) & set(wanted.columns):
            raise ColumnError(
                f"{source.name}: the first row holds no names, but the columns are known by name: "
                f"{_listed(wanted.columns)}; add that row, or say --no-header if they stand in "
                "this order"
            )
        return True
    if isinstance(label, str) and (wanted.need_label or label in first):
        return True
    optional = not wanted.need_label and len(first) == wanted.n_features
    guess = None if optional else label if isinstance(label, int) else len(first) - 1
    features = [cell for place, cell in enumerate(first) if place != guess]
    return bool(features) and not any(map(_is_number, features))


def _target(
    source: TextSource,
    wanted: Wanted,
    label: str | int | None,
    names: list[str],
    *,
    header: bool,
) -> int | None:
    """Find the target by its name or number; by the count of columns whether it is there."""
    if header and isinstance(label, str) and label in names:
        return names.index(label)
    if not wanted.need_label and len(names) == wanted.n_features:
        return None
    if not header and wanted.place is not None:
        label = wanted.place
    if isinstance(label, str):
        raise no_column(source.name, label, "label", names)
    place = len(names) - 1 if label is None else label
    if place >= len(names):
        raise no_column(source.name, place, "label", list(map(str, range(len(names)))))
    return place


def _matched(
    source: TextSource, wanted: Wanted, label: str | int | None, names: list[str]
) -> _Head:
    """Match the columns by name, whatever their order; none may be missing or too many."""
    known = wanted.columns or ()
    surplus = [name for name in names if name not in known]
    if label is None and len(surplus) == 1:
        label = surplus[0]
    target = names[label] if isinstance(label, int) and label < len(names) else label
    missing = [name for name in known if name not in names]
    if missing:
        raise ColumnError(
            f"{source.name}: no column {_listed(missing)}, which the model was trained on; there "
            f"are {_listed(names)}"
        )
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise ColumnError(f"{source.name}: two columns are called {_listed(twins)}; rename one")
    if target not in names and wanted.need_label:
        raise no_column(source.name, str(target), "label", names)
    surplus = [name for name in surplus if name != target]
    if surplus:
        raise ColumnError(
            f"{source.name}: column {_listed(surplus)} is none that the model was trained on "
            f"({_listed(known)}): take it out"
        )
    place = names.index(str(target)) if target in names else None
    return _Head(names, True, place, [names.index(name) for name in known])


def _listed(names: Sequence[str]) -> str:
    """Name columns, not too many.

    >>> _listed(["a", "b"])
    "'a', 'b'"
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + more


def _body(first: Record | None, records: Iterator[Record]) -> Iterator[Record]:
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


def _broken(
    source: TextSource,
    line: int,
    fields: list[str],
    names: list[str],
    target: int | None,
    *,
    need_label: bool,
) -> DataFormatError:
    """Find the first cell that is no finite number."""
    place = 1
    for number, (cell, name) in enumerate(zip(fields, names, strict=True)):
        where = f"{source.name}:{line}:{place}: column {name!r}"
        if number == target and need_label and not cell.strip():
            return DataFormatError(f"{where}: the label is missing")
        if number != target and not _is_number(cell):
            got = repr(cell) if cell.strip() else "an empty cell"
            return DataFormatError(f"{where}: expected a number, got {got}")
        if number != target and not math.isfinite(float(cell)):
            return DataFormatError(f"{where}: {cell.strip()!r} is not finite")
        place += len(cell) + 1
    return DataFormatError(f"{source.name}:{line}: expected numbers")


NUMERIC = NumericFormat(
    "numeric-csv", (".csv", ".data"), load, "a target column, all others are features, dense"
)
