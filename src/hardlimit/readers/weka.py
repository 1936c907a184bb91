"""ARFF as the rows of a mixed table: numeric, nominal and string attributes, as Weka writes them.

An ARFF of numbers alone is read by `hardlimit.readers.arff`. A ``?`` stays what it is: a missing
value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardlimit.exceptions import DataFormatError
from hardlimit.readers.arff import (
    Attribute,
    default_label,
    first_value,
    read_attributes,
    read_dense,
    read_sparse,
)
from hardlimit.readers.columns import locate_columns, resolve_columns
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.layout import Layout
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Row, Table


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open an ARFF; its attributes are the columns."""
    lines = source.lines()
    attributes = read_attributes(source, lines)
    names = [attribute.name for attribute in attributes]
    label = layout.label
    if layout.table:  # as of an ARFF of numbers
        label = default_label(attributes) if label is None else label
    if isinstance(label, str) and label not in names and not need_label:
        label = None
    asked = replace(layout, header=True, label=label)
    layout = resolve_columns(source.name, asked, [names], need_label=need_label)
    text, target = locate_columns(layout, names)

    def rows(table: Table) -> Iterator[Row]:
        for line in lines:
            content = line.strip()
            if not content or content.startswith("%"):
                continue
            try:
                fields = _read_fields(f"{source.name}:{source.number}", content, attributes)
            except DataFormatError as error:
                source.reject(error)
                continue
            value = None if target is None else fields[target]
            value = None if value in ("?", "") else value
            yield Row(source.number, "" if text is None else fields[text], value, fields)

    found = replace(layout, header=None)
    return Table(source, found, tuple(names), rows, need_label=need_label)


def _read_fields(where: str, line: str, attributes: list[Attribute]) -> tuple[str, ...]:
    if not line.startswith("{"):
        cells = read_dense(where, line, attributes)
    else:
        cells = read_sparse(where, line, attributes)
    return tuple(cells.get(k, first_value(one)) for k, one in enumerate(attributes))


FORMAT = Format("weka", (), read, "ARFF as a mixed table: numbers, nominal values, strings")
