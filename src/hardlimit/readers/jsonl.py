"""JSON Lines: one object a line; keys may differ, as long as text and label are there.

Labels are strings, integers, floats or booleans and keep their kind; ``null`` is no label. Blank
lines are skipped and counted.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from typing import Any

from hardlimit.exceptions import DataFormatError, Given, Setting, abbreviate
from hardlimit.readers.columns import list_names, resolve_keys, take_sample
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Label, Row, Table

_SAMPLE_ROWS = 50
_LARGEST = 2**64
_LABEL = "a label: a string, a number of up to 64 bits or a boolean"
Record = tuple[int, dict[str, Any]]


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open JSON Lines; the columns are the keys of the first objects, in order of appearance."""
    # a list: blank lines are met before there is a table to count them in
    skipped = [0]
    objects = _read_objects(source, skipped)
    sample = take_sample(objects, _SAMPLE_ROWS, lambda record: record[1].values())
    if not sample:
        return Table(source, layout, (), lambda _: iter(()), need_label=need_label)
    columns = tuple(dict.fromkeys(itertools.chain.from_iterable(fields for _, fields in sample)))
    records = [fields for _, fields in sample]
    resolved, text, label = resolve_keys(
        source.name, layout, columns, records, need_label=need_label
    )
    several = layout.labels_separator is not None

    def read_label(line: int, label: str, fields: dict[str, Any]) -> Any:
        value = fields.get(label)
        if not isinstance(value, list):
            return _read_label(source.name, line, label, fields)
        if not several:
            error = _value_error(source.name, line, label, value, _LABEL)
            raise error.replaced(fix=("for several labels say ", Setting("labels_separator", ",")))
        each = (_read_label(source.name, line, label, {label: one}) for one in value)
        return [one for one in each if one is not None]

    following = itertools.chain(sample, objects)

    def rows(table: Table) -> Iterator[Row]:
        for line, fields in following:
            table.skipped = skipped[0]
            try:
                value = None if label is None else read_label(line, label, fields)
                found = "" if text is None else _read_text(source.name, line, text, fields)
            except DataFormatError as error:
                source.reject(error)
                continue
            yield Row(line, found, value, fields)

    return Table(source, resolved, columns, rows, need_label=need_label)


def _read_objects(source: TextSource, skipped: list[int]) -> Iterator[Record]:
    for line in source.lines():
        if not line.strip():
            skipped[0] += 1
            continue
        where = f"{source.name}:{source.number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            # behind the line's end JSON would count another line
            where = f"{where}:{min(error.pos, len(line.rstrip())) + 1}"
            source.reject(DataFormatError(f"not JSON: {error.msg}", where=where))
            continue
        except (ValueError, RecursionError) as error:  # numbers or nesting that Python refuses
            reason = f"a number is too long, or the nesting too deep: {error}"
            source.reject(DataFormatError(reason, where=f"{where}:1"))
            continue
        if not isinstance(value, dict):
            kind = type(value).__name__
            reason = f"expected an object ({{...}}), got a {kind}"
            source.reject(DataFormatError(reason, where=f"{where}:1"))
            continue
        yield source.number, value


def _read_text(name: str, line: int, key: str, fields: dict[str, Any]) -> str:
    value = fields.get(key)
    if isinstance(value, str):
        return value
    if key not in fields:
        reason = f"there is no key {abbreviate(key)}; there are {list_names(list(fields))}"
        raise DataFormatError(reason, where=f"{name}:{line}")
    raise _value_error(name, line, key, value, "a string")


def _read_label(name: str, line: int, key: str, fields: dict[str, Any]) -> Label | None:
    value = fields.get(key)
    if isinstance(value, str):
        return value if value.strip() else None
    # a bool is an int; and longer ones could be chosen so that Python's sets take quadratic time
    if value is None or (isinstance(value, int) and -_LARGEST <= value <= _LARGEST):
        return value
    # Python's json takes NaN and Infinity, which name no class
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise _value_error(name, line, key, value, _LABEL)


def _value_error(name: str, line: int, key: str, value: object, wanted: str) -> DataFormatError:
    got = Given(json.dumps(value)[:40])
    return DataFormatError(where=f"{name}:{line}: key {abbreviate(key)}", got=got, wanted=wanted)


FORMAT = Format("jsonl", (".jsonl", ".ndjson"), read, "JSON Lines, one object a line")
