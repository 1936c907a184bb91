"""JSON Lines: one object a line; keys may differ, as long as text and label are there.

Labels are strings, integers, floats or booleans and keep their kind; ``null`` is no label. Blank
lines are skipped and counted.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hardlimit.exceptions import DataFormatError
from hardlimit.readers.columns import resolve
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Label, Row, Table

_SAMPLE_ROWS = 50
Record = tuple[int, dict[str, Any]]


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open JSON Lines; the columns are the keys of the first objects, in order of appearance."""
    skipped = [0]
    objects = _objects(source, skipped)
    sample = list(itertools.islice(objects, _SAMPLE_ROWS))
    if not sample:
        return Table(source, layout, (), lambda _: iter(()), need_label=need_label)
    columns = tuple(dict.fromkeys(itertools.chain.from_iterable(found for _, found in sample)))
    table_like = [columns, *([_cell(found, key) for key in columns] for _, found in sample)]
    asked = replace(layout, header=True)
    found = resolve(source.name, asked, table_like, need_label=need_label)
    text, label = _key(found.text, columns), _key(found.label, columns)

    def rows(table: Table) -> Iterator[Row]:
        for line, fields in itertools.chain(sample, objects):
            table.skipped = skipped[0]
            value = None if label is None else _label(source.name, line, label, fields)
            yield Row(line, _text(source.name, line, text, fields), value, fields)

    found = replace(found, header=None, text=text, label=label or None)
    return Table(source, found, columns, rows, need_label=need_label)


def _objects(source: TextSource, skipped: list[int]) -> Iterator[Record]:
    for line in source.lines():
        if not line.strip():
            skipped[0] += 1
            continue
        at = f"{source.name}:{source.number}"
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataFormatError(f"{at}:{error.colno}: not JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise DataFormatError(f"{at}:1: JSON beyond all measure: {error}") from None
        if not isinstance(found, dict):
            kind = type(found).__name__
            raise DataFormatError(f"{at}:1: expected an object ({{...}}), got a {kind}")
        yield source.number, found


def _cell(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else json.dumps(value)


def _key(column: str | int | None, columns: tuple[str, ...]) -> str:
    if column is None:
        return ""
    return columns[column] if isinstance(column, int) else column


def _text(name: str, line: int, key: str, fields: dict[str, Any]) -> str:
    value = fields.get(key)
    if isinstance(value, str):
        return value
    got = f"got {json.dumps(value)[:40]}" if key in fields else f"there are {list(fields)}"
    raise DataFormatError(f"{name}:{line}: expected a string under the key {key!r}, {got}")


def _label(name: str, line: int, key: str, fields: dict[str, Any]) -> Label | None:
    value = fields.get(key)
    if isinstance(value, str):
        return value if value.strip() else None
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise DataFormatError(
        f"{name}:{line}: expected a string, a number or a boolean as the label {key!r}, "
        f"got {json.dumps(value)[:40]}"
    )


FORMAT = Format("jsonl", (".jsonl", ".ndjson"), read, "JSON Lines, one object a line")
