"""CSV as RFC 4180 has it: quoted fields, doubled quotes, line breaks inside quotes.

The delimiter is a comma, or whichever of ``;``, tab and ``|`` splits the first lines evenly;
Excel's ``sep=;`` line is understood. A quote in the middle of an unquoted field is a character.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator

from hardlimit.exceptions import DataFormatError, Setting
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.delimited import Record, open_delimited, split_lines
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import too_long_error
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Table

_DELIMITERS = ",;\t|"
_PEEKED_LINES = 20
# a line may be a whole book, and its beginning shows the delimiter
_PEEKED_LENGTH = 1 << 16
_LONE_RETURN = re.compile(r"(?<=\r)(?!\n)")
_LONG = 4 if sys.platform == "win32" else 8  # bytes in a C long


def split_records(source: TextSource, delimiter: str) -> Iterator[Record]:
    """Split by the rules of RFC 4180; `DataFormatError` names line and column."""
    allow_long_fields()
    feed = _LineFeed(source)
    begun = False
    # strict, or text behind a closing quote would join the field without a word
    reader = csv.reader(iter(feed), delimiter=delimiter, strict=True)
    while True:
        # a record may span lines; rows and errors name the one where it starts
        feed.start = source.number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # without a first row nothing is known of the others, and an open quote has no end
            if not begun or "end of data" in str(error):
                raise _syntax_error(source, feed, delimiter, error) from None
            source.reject(_syntax_error(source, feed, delimiter, error))
            continue
        begun = True
        yield feed.start, fields


class _LineFeed:
    """The lines of a source; remembers what an error message needs."""

    def __init__(self, source: TextSource) -> None:
        self._source = source
        self.start = 1
        self.first = self.last = ""

    def __iter__(self) -> Iterator[str]:
        size = 0
        for line in _split_at_returns(self._source.lines()):
            self.last = line
            if self._source.number == self.start:
                self.first = line
                size = 0
            else:
                # A quote that is never closed would take the rest of the file into one row.
                size += len(line)
                if size > self._source.max_line:
                    where = f"{self._source.name}:{self.start}"
                    raise too_long_error(where, "row", self._source.max_line)
            yield line


def _split_at_returns(lines: Iterator[str]) -> Iterator[str]:
    """Split at a lone carriage return too (CSV of the old Macintosh)."""
    for line in lines:
        # a search first: nearly no line has a lone one, and splitting costs more
        first = line.find("\r", 0, -1)
        if first < 0 or (first == len(line) - 2 and line.endswith("\n")):
            yield line
        else:
            yield from _LONE_RETURN.split(line)


def allow_long_fields() -> None:
    """Lift the standard library's limit of 128 KiB, which is one number for the whole process."""
    # never lowered: another library may have raised it before us
    longest = min(sys.maxsize, 2 ** (8 * _LONG - 1) - 1)
    if csv.field_size_limit() < longest:
        csv.field_size_limit(longest)


def _syntax_error(
    source: TextSource, feed: _LineFeed, delimiter: str, error: csv.Error
) -> DataFormatError:
    """Say what the parser stumbled over, and where.

    ``csv.Error`` knows neither the column nor which quote is at fault, so the last line is looked
    at again, then the line where the row began.
    """
    after_quote = "expected after" in str(error)  # the parser has one class for all its errors
    inside = feed.last is not feed.first
    for line, number, within in (
        (feed.last, source.number, inside),
        (feed.first, feed.start, False),
    ):
        opened, after = _find_quote_fault(line, delimiter, within=within)
        if after is not None and after_quote:
            return DataFormatError(
                f"expected {delimiter!r} or the end of the row after the closing quote, "
                f"got {line[after]!r}",
                where=f"{source.name}:{number}:{after + 1}",
                fix="double a quote inside a field",
            )
        if opened is not None and not within:
            fix = (
                "double a quote inside a field, or say ",
                Setting("quoting", False),
                " where quotes are ordinary characters",
            )
            where = f"{source.name}:{number}:{opened + 1}"
            return DataFormatError('a quote (") is opened and never closed', where=where, fix=fix)
    return DataFormatError(str(error), where=f"{source.name}:{feed.start}")


def _find_quote_fault(line: str, delimiter: str, *, within: bool) -> tuple[int | None, int | None]:
    """Return where the quote opens that the line leaves open, or what follows a closing quote."""
    at, end = 0, len(line)
    while at < end:
        if within or line[at] == '"':
            opened, at = at, at if within else at + 1
            within = False
            # two quotes in a row are one quote inside the field
            while (at := line.find('"', at)) >= 0 and line[at + 1 : at + 2] == '"':
                at += 2
            if at < 0:
                return opened, None
            at += 1
            if line[at : at + 1] not in (delimiter, "\r", "\n", ""):
                return None, at
        at = line.find(delimiter, at)
        if at < 0:
            break
        at += 1
    return None, None


def detect_delimiter(source: TextSource) -> str:
    """Tell the delimiter by how evenly it splits the first lines."""
    lines = [line[:_PEEKED_LENGTH] for line in source.peek(_PEEKED_LINES)]
    # Excel's own line: it holds no record, so it is taken off
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        next(source.lines())
        return lines[0][4]
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        score = _measure_evenness(lines, delimiter)
        # on a tie the earlier one stays, so that in doubt it is the comma
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _measure_evenness(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Return the share of records as wide as the first, and that width; (0, 0) unsplit."""
    allow_long_fields()
    reader = csv.reader(_split_at_returns(iter(lines)), delimiter=delimiter)
    widths = [len(fields) for fields in reader if fields]
    if len(widths) > 2:
        widths.pop()  # the last one may be cut off
    if not widths or widths[0] < 2:
        return 0.0, 0
    return sum(width == widths[0] for width in widths) / len(widths), widths[0]


def read(source: TextSource, layout: Layout, need_label: bool) -> Table:
    """Open a CSV."""
    delimiter = layout.delimiter or detect_delimiter(source)
    split = split_lines if layout.quoting is False else split_records
    return open_delimited(source, layout, split(source, delimiter), delimiter, need_label)


FORMAT = Format("csv", (".csv",), read, "comma-separated values (RFC 4180), ; and cp1252 of Excel")
