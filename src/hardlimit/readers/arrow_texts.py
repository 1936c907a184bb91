"""Rows of text from tables by columns: Parquet and Arrow.

Columns of texts, numbers and booleans are read, and lists of these where a row has several labels;
those of other types (dates, bytes) are left out, with a note. A row is known by its number from 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from hardlimit.exceptions import ColumnError, DataFormatError, FileError, Given, abbreviate
from hardlimit.readers.arrow_files import Open, OpenedArrow, arrow_errors
from hardlimit.readers.columns import list_names, resolve_keys, take_sample
from hardlimit.readers.decoding import Source
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import STANDARD_INPUT
from hardlimit.readers.rows import Label, Row, Table

_SAMPLE_ROWS = 50


def open_texts(path: str, layout: Layout, need_label: bool, open: Open) -> Table:
    """Open a file as rows of text."""
    if path == STANDARD_INPUT:
        raise FileError("tables by columns are read from a file", where="<stdin>")
    source = Source(path)
    source.skip_bad = layout.skip_bad
    with arrow_errors(path):
        opened = open(path)
    pairs = zip(opened.names, opened.kinds, strict=True)
    names = [name for name, kind in pairs if kind in layout.labels.cells]
    records = _read_records(source, opened, names, layout.max_line)
    sample = take_sample(records, _SAMPLE_ROWS, dict.values)
    if not sample:
        return Table(source, layout, (), lambda _: iter(()), need_label=need_label)
    resolved, text, label = resolve_keys(path, layout, names, sample, need_label=need_label)
    if text is not None and opened.kinds[opened.names.index(text)] != "text":
        raise ColumnError(
            f"the column {abbreviate(text)} holds no texts; there are {list_names(names)}",
            where=path,
        )

    following = itertools.chain(sample, records)

    def rows(table: Table) -> Iterator[Row]:
        for record in following:
            source.number += 1
            where = f"{path}: row {source.number}"
            if text is not None and not isinstance(record[text], str):
                wrong = f"{where}, column {abbreviate(text)}"
                source.reject(DataFormatError(where=wrong, got=Given("null"), wanted="a text"))
                continue
            value = None if label is None else record[label]
            each = value if isinstance(value, list) else [value]
            if any(isinstance(one, float) and not math.isfinite(one) for one in each):
                wrong = f"{where}, column {abbreviate(label)}"
                source.reject(DataFormatError(where=wrong, got=value, wanted="a label"))
                continue
            found = "" if text is None else record[text]
            yield Row(source.number, found, _as_label(value), record)

    table = Table(source, resolved, tuple(names), rows, need_label=need_label)
    others = [name for name in opened.names if name not in names]
    if others:
        table.remarks.append(f"{path}: columns of other types are left out: {list_names(others)}")
    return table


def _read_records(
    source: Source, opened: OpenedArrow, names: list[str], most: int
) -> Iterator[dict[str, Any]]:
    with arrow_errors(source.name):
        for batch in opened.batches(names, most):
            columns = [batch.column(name).to_pylist() for name in names]
            for values in zip(*columns, strict=True):
                yield dict(zip(names, values, strict=True))


def _as_label(value: Label | None) -> Label | None:
    return None if isinstance(value, str) and not value.strip() else value
