"""Numeric CSV: one column is the target, every other one a feature, dense.

The first row is a header if none of its features is a number. Empty cells, NaN and infinity are
refused with their place; the target may be any word.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator

from hardlimit.exceptions import ColumnError, DataFormatError
from hardlimit.readers import csv
from hardlimit.readers.columns import no_column
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.delimited import Record
from hardlimit.readers.numbers import Numbers, NumericFormat, Wanted, no_rows, targets


def load(source: TextSource, wanted: Wanted) -> Numbers:
    """Read a numeric CSV whole: O(cells), about 0.1 microseconds each."""
    import numpy as np

    delimiter = wanted.delimiter or csv.detect_delimiter(source)
    records = csv.records(source, delimiter)
    first = next((record for record in records if any(record[1])), None)
    if first is None:
        raise no_rows(source)
    names, header, target = _head(source, wanted, [cell.strip() for cell in first[1]])
    labels: list[str] = []
    cells = array("d")
    for line, fields in _body(None if header else first, records):
        if len(fields) != len(names):
            raise DataFormatError(
                f"{source.name}:{line}: {len(fields)} fields, but the first row has {len(names)}"
            )
        label = fields.pop(target).strip()
        try:
            row = list(map(float, fields))
        except ValueError:
            row = [math.nan]
        if not label or "_" in "".join(fields) or not all(map(math.isfinite, row)):
            fields.insert(target, label)
            raise _broken(source, line, fields, names, target)
        labels.append(label)
        cells.extend(row)
    if not labels:
        raise no_rows(source)
    X = np.array(cells, dtype=np.float64).reshape(len(labels), len(names) - 1)
    features = tuple(name for number, name in enumerate(names) if number != target)
    return Numbers(X, targets(labels), features, label=names[target])


def _head(source: TextSource, wanted: Wanted, first: list[str]) -> tuple[list[str], bool, int]:
    """Tell the names, whether the first row holds them, and where the target is."""
    label = wanted.label
    if isinstance(label, str) and label.isdecimal() and label not in first:
        label = int(label)
    if isinstance(label, int) and label >= len(first):
        raise no_column(source.name, label, "label", list(map(str, range(len(first)))))
    guess = len(first) - 1 if not isinstance(label, int) else label
    header = wanted.header
    if header is None:
        named = isinstance(label, str)
        features = [cell for number, cell in enumerate(first) if number != guess]
        header = named or (bool(features) and not any(map(_is_number, features)))
    names = first if header else list(map(str, range(len(first))))
    if isinstance(label, str):
        if label not in names:
            raise no_column(source.name, label, "label", names)
        guess = names.index(label)
    if len(names) < 2:
        raise ColumnError(f"{source.name}: one column only; features and a target were wanted")
    return names, header, guess


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
    source: TextSource, line: int, fields: list[str], names: list[str], target: int
) -> DataFormatError:
    """Find the first cell that is no finite number."""
    place = 1
    for number, (cell, name) in enumerate(zip(fields, names, strict=True)):
        where = f"{source.name}:{line}:{place}: column {name!r}"
        if number == target and not cell:
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
