"""CSV as RFC 4180 has it: quoted fields, doubled quotes, line breaks inside quotes.

The delimiter is a comma, or whichever of ``;``, tab and ``|`` splits the first lines evenly;
Excel's ``sep=;`` line is understood. A quote in the middle of an unquoted field is a character.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator

from hardlimit.exceptions import DataFormatError
from hardlimit.readers.delimited import Record, open_delimited, plain_records
from hardlimit.readers.opening import TextSource
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Layout, Table

_DELIMITERS = ",;\t|"
_LOOKED_AT = 20
_LONE_RETURN = re.compile(r"(?<=\r)(?!\n)")
_LONG = 4 if sys.platform == "win32" else 8  # bytes in a C long


def records(source: TextSource, delimiter: str) -> Iterator[Record]:
    """Split by the rules of RFC 4180; `DataFormatError` names line and column."""
    _allow_long_fields()
    feed = _Feed(source)
    reader = csv.reader(feed, delimiter=delimiter, strict=True)
    while True:
        feed.start = source.number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _broken(source, feed, delimiter, str(error)) from None
        yield feed.start, fields


class _Feed:
    """The lines of a source; remembers what an error message needs."""

    def __init__(self, source: TextSource) -> None:
        self._lines = _at_any_end(source.lines())
        self._source = source
        self.start = 1
        self.first = self.last = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.last = next(self._lines)
        if self._source.number == self.start:
            self.first = self.last
        return self.last


def _at_any_end(lines: Iterator[str]) -> Iterator[str]:
    """Split at a lone carriage return too (CSV of the old Macintosh)."""
    for line in lines:
        if line.find("\r", 0, -2) < 0:
            yield line
        else:
            yield from _LONE_RETURN.split(line)


def _allow_long_fields() -> None:
    """Lift the standard library's limit of 128 KiB; it is one number for the whole process."""
    longest = min(sys.maxsize, 2 ** (8 * _LONG - 1) - 1)
    if csv.field_size_limit() < longest:
        csv.field_size_limit(longest)


def _broken(source: TextSource, feed: _Feed, delimiter: str, error: str) -> DataFormatError:
    opened = _open_quote(feed.first, delimiter)
    if "unexpected end" in error or opened is None:
        at = f"{source.name}:{feed.start}:{(opened or 0) + 1}"
        return DataFormatError(
            f'{at}: a quote (") is opened and never closed: double quotes inside a field must be '
            'doubled (""); if they are mere characters, turn quoting off'
        )
    return DataFormatError(f"{source.name}:{source.number}: {error}")


def _open_quote(line: str, delimiter: str) -> int | None:
    """Return where the quote opens that is still open at the end of the line."""
    at, end = 0, len(line)
    while at < end:
        if line[at] == '"':
            opened, at = at, at + 1
            while (at := line.find('"', at)) >= 0 and line[at + 1 : at + 2] == '"':
                at += 2
            if at < 0:
                return opened
        at = line.find(delimiter, at)
        if at < 0:
            return None
        at += 1
    return None


def detect_delimiter(source: TextSource) -> str:
    """Tell the delimiter by how evenly it splits the first lines."""
    lines = source.peek(_LOOKED_AT)
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        next(source.lines())
        return lines[0][4]
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        score = _evenness(lines, delimiter)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _evenness(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Share of records as wide as the first, and that width; (0, 0) if it does not split."""
    _allow_long_fields()
    reader = csv.reader(_at_any_end(iter(lines)), delimiter=delimiter)
    widths = [len(fields) for fields in reader if fields]
    if len(widths) > 2:
        widths.pop()  # the last one may be cut off
    if not widths or widths[0] < 2:
        return 0.0, 0
    return sum(width == widths[0] for width in widths) / len(widths), widths[0]


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open a CSV."""
    delimiter = layout.delimiter or detect_delimiter(source)
    split = plain_records if layout.quoting is False else records
    return open_delimited(source, layout, split(source, delimiter), delimiter, need_label)


FORMAT = Format("csv", (".csv",), read, "comma-separated values (RFC 4180), ; and cp1252 of Excel")
