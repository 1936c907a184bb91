"""What CSV and TSV share once a line is split: header, columns, and rows of equal length."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hardlimit.exceptions import DataFormatError, Parameter
from hardlimit.foundation.formatting import plural
from hardlimit.readers.columns import locate_columns, resolve_columns, take_sample
from hardlimit.readers.decoding import TextSource, strip_line_end
from hardlimit.readers.layout import Layout
from hardlimit.readers.rows import Row, Table

_SAMPLE_ROWS = 200
Record = tuple[int, list[str]]  # the line where it starts, the fields


def split_lines(source: TextSource, delimiter: str) -> Iterator[Record]:
    """Split each line at each delimiter; a quote is a character."""
    for line in source.lines():
        yield source.number, strip_line_end(line).split(delimiter)


def open_delimited(
    source: TextSource, layout: Layout, records: Iterator[Record], delimiter: str, need_label: bool
) -> Table:
    """Find the columns in the first records, then give all of them as rows."""
    # blank lines above the header would otherwise be taken for it
    records = itertools.dropwhile(lambda record: not any(map(str.strip, record[1])), records)
    sample = take_sample(records, _SAMPLE_ROWS, lambda record: record[1])
    if not sample:
        # no rows; `Table` decides whether that is an error
        nothing: Iterator[Row] = iter(())
        return Table(
            source, layout, (), lambda _: nothing, need_label=need_label, delimiter=delimiter
        )
    # A piece may begin with a ragged row.
    width = len(source.columns or sample[0][1])
    # a ragged row is refused below, with its line; here it would only hide the columns
    even = [fields for _, fields in sample if len(fields) == width] or [[*source.columns]]
    layout = resolve_columns(source.name, layout, even, need_label=need_label)
    first = sample[0][1]
    numbered = tuple(map(str, range(width)))
    columns = tuple(name.strip() for name in first) if layout.header else numbered
    text, label = locate_columns(layout, columns)
    following = itertools.chain(sample[1:] if layout.header else sample, records)

    def rows(table: Table) -> Iterator[Row]:
        for line, fields in following:
            # of a single column an empty field is an empty text, which is a row
            if not any(fields) and (width > 1 or not fields):
                table.skipped += 1
                continue
            if len(fields) != width:
                # A piece of a file gets the names of its header, which it does not have itself.
                first_row = "the first row" if table.columns == numbered else "the header"
                where = f"{source.name}:{line}"
                source.reject(_ragged_error(where, fields, width, delimiter, first_row))
                continue
            value = None if label is None else fields[label]
            # white space is no label; `Table` names such rows where labels are needed
            if value is not None and not value.strip():
                value = None
            yield Row(line, "" if text is None else fields[text], value, tuple(fields))

    return Table(source, layout, columns, rows, need_label=need_label, delimiter=delimiter)


def _ragged_error(
    line: str, fields: list[str], width: int, delimiter: str, first: str
) -> DataFormatError:
    # the first field too many, in a row without quotes; of a row with quotes it is a hint
    column = sum(map(len, fields[:width])) + width if len(fields) > width else 1
    fix = (
        f"enclose a field that contains {delimiter!r} in double quotes"
        if len(fields) > width
        else "fill in the missing fields"
    )
    return DataFormatError(
        f"{plural(len(fields), 'field')}, but {first} has {width}",
        where=f"{line}:{column}",
        fix=(fix, ", or give another ", Parameter("delimiter")),
    )
