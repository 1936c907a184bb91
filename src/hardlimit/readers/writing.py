"""Writing rows back with further columns: CSV, TSV, JSON Lines or a workbook, by extension.

The columns that were there keep their names, order and contents. A file is written beside its
target, synced and renamed, so a run that fails leaves the old one as it was; ``.gz``, ``.bz2``,
``.xz`` and ``.zst`` are packed. Output is UTF-8, with the byte-order mark and the line ends of a
CSV that had them, so that what came from Excel opens there again. For a spreadsheet a CSV gets
the mark in any case, and texts that it would take for formulas an apostrophe before them.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, TextIO

from hardlimit.exceptions import FileError, Given, InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.readers.opening import strip_compression
from hardlimit.readers.registry import detect_by_extension
from hardlimit.readers.rows import Row, Table

QUOTE = '"'
LINES = ("csv", "tsv", "jsonl")
WRITABLE = (*LINES, "xlsx")
# What a spreadsheet takes for the begin of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
Values = Sequence[str | int | float | bool | list[Any] | None]
_Encode = Callable[[Row, Values], str]


def write_rows(
    target: str | os.PathLike[str] | TextIO,
    table: Table,
    extra_columns: Sequence[str],
    rows: Iterable[tuple[Row, Values]],
    *,
    format: str | None = None,
    spreadsheet: bool = False,
) -> tuple[str, ...]:
    """Write rows of a table, each with further values.

    Parameters
    ----------
    target
        A path, or an open text stream (with ``newline=""``).
    table
        Where the rows come from.
    extra_columns
        Names of the further columns; one that is taken becomes ``predicted_NAME``.
    rows
        Pairs of a row and its further values; consumed one by one.
    format
        "csv", "tsv", "jsonl" or "xlsx"; by default what the path's extension says, else the
        table's own.
    spreadsheet
        Of CSV and TSV: whether a spreadsheet is to open the file. Then it has the byte-order mark,
        and texts that begin like a formula and are no numbers begin with an apostrophe.

    Returns
    -------
    tuple of str
        The names that the further columns got.

    Raises
    ------
    FileError
        The target cannot be written; what was there is untouched.
    InputError
        The format is none of these, or cannot hold a row; ``spreadsheet`` of another than CSV and
        TSV.
    """
    path = None if isinstance(target, io.TextIOBase) or hasattr(target, "write") else target
    format = format or choose_format(path, table)
    if spreadsheet and format not in ("csv", "tsv"):
        raise InputError(
            "only CSV and TSV are marked for spreadsheets; a workbook needs no mark",
            parameter="spreadsheet",
            where="" if path is None else os.fspath(path),
        )
    columns = _name_columns(table, format)
    names = find_free_names(columns, extra_columns)
    if format == "xlsx":
        _write_workbook(path, table, columns, names, rows)
        return names
    encode = _ENCODERS[format](table, columns, names, spreadsheet)
    header = _make_header(table, format, columns, names, spreadsheet)
    lines = _encode_lines(header, encode, rows)
    if path is None:
        if spreadsheet:
            target.write("\ufeff")  # type: ignore[union-attr]
        for line in lines:
            target.write(line)  # type: ignore[union-attr]
        return names
    with open_target(os.fspath(path)) as file:
        # Excel takes a CSV without the mark for cp1252
        again = format == "csv" and (table.source.marked or table.source.encoding == "cp1252")
        if spreadsheet or again:
            file.write(b"\xef\xbb\xbf")
        for line in lines:
            file.write(line.encode("utf-8", "replace"))
    return names


def encode_rows(
    table: Table, format: str, names: tuple[str, ...], rows: Iterable[tuple[Row, Values]]
) -> Iterator[str]:
    """Yield the lines of rows of a table, each with further values under these names.

    Without a header: they may be a part of a whole.
    """
    encode = _ENCODERS[format](table, _name_columns(table, format), names, False)
    return _encode_lines(None, encode, rows)


def _write_workbook(
    path: str | os.PathLike[str] | None,
    table: Table,
    columns: tuple[str, ...],
    names: tuple[str, ...],
    rows: Iterable[tuple[Row, Values]],
) -> None:
    from hardlimit.readers.xlsx_writing import write_workbook  # start-up: few are written

    if path is None:
        raise InputError("a workbook is written to a file", got=Given("a stream"))
    header = None if table.layout.header is False else [*columns, *names]
    cells = (
        [*_cells_of(table, columns, row), *(_as_cell(value) for value in values)]
        for row, values in rows
    )
    with open_target(os.fspath(path)) as file:
        table.remarks += write_workbook(file, header, cells, os.fspath(path))


def _as_cell(value: object) -> Any:
    return value if isinstance(value, int | float) else _format_value(value)


def _cells_of(table: Table, columns: tuple[str, ...], row: Row) -> list[Any]:
    """Return the fields of a row by the columns of the header."""
    fields = row.fields
    if not isinstance(fields, dict):
        return list(fields)
    # the header is written already, so a new key has no column left
    unknown = fields.keys() - set(columns)
    if unknown:
        raise InputError(
            f"the key {min(unknown)!r} was not in the first rows",
            where=f"{table.source.name}:{row.line}",
            fix="write .jsonl",
        )
    return [_as_cell(fields.get(key)) for key in columns]


def find_free_names(columns: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Find names for new columns that collide with none.

    >>> find_free_names(["text", "label"], ["label", "score"])
    ('predicted_label', 'score')
    """
    taken = set(columns)
    next_numbers: dict[str, int] = {}
    return tuple(_take_free_name(name, taken, next_numbers) for name in wanted)


def _take_free_name(wanted: str, taken: set[str], next_numbers: dict[str, int]) -> str:
    """Return a name that nobody has, and take it; numbers go on where those of a name ended."""
    free = wanted
    if free in taken:
        free = wanted = f"predicted_{wanted}"
    while free in taken:
        number = next_numbers.get(wanted, 2)
        next_numbers[wanted] = number + 1
        free = f"{wanted}_{number}"
    taken.add(free)
    return free


@contextlib.contextmanager
def open_target(path: str) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of ``path`` once complete; a pipe or device as it is."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        mode = stat.S_IFREG
    # a pipe or a device cannot be replaced by renaming
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        with replacing(path) as beside, open(beside, "wb") as raw, _compress(path, raw) as file:
            yield file
        return
    try:
        with open(path, "wb") as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(f"cannot be written: {error.strerror or error}", where=path) from None


def _compress(path: str, raw: IO[bytes]) -> IO[bytes]:
    extension = os.path.splitext(path)[1].lower()
    if extension == ".gz":
        # no name and no time inside, so that the same rows give the same bytes
        return gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0)  # type: ignore[return-value]
    if extension == ".bz2":
        return bz2.BZ2File(raw, "wb")
    if extension == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if extension == ".zst":
        from hardlimit.readers.zstd import ZstdWriter  # start-up: few files are packed so

        return ZstdWriter(path, raw)  # type: ignore[return-value]
    return contextlib.nullcontext(raw)  # type: ignore[return-value]


def choose_format(path: str | os.PathLike[str] | None, table: Table) -> str:
    """Return the format that a path asks for, else the table's own; None is a stream."""
    format = None if path is None else detect_by_extension(os.fspath(path))
    if format == "xlsx":
        _check_workbook_name(os.fspath(path or ""))
    if format in WRITABLE:
        return format
    extension = "" if path is None else os.path.splitext(strip_compression(os.fspath(path)))[1]
    if extension or format is not None:
        wanted = ", ".join(f".{name}" for name in WRITABLE)
        raise InputError(
            where=os.fspath(path or ""), got=extension, wanted=f"one of {wanted} as the extension"
        )
    own = table.layout.format or ""
    return own if own in LINES else "csv"


def _check_workbook_name(path: str) -> None:
    """Refuse a name under which no spreadsheet would open a workbook."""
    if not path.lower().endswith(".xlsx"):
        raise InputError(
            "a workbook is packed already, and has no macros",
            where=path,
            wanted="a name that ends with .xlsx",
        )


def _name_columns(table: Table, format: str) -> tuple[str, ...]:
    """Name the columns; JSON cannot hold two of one name."""
    if format != "jsonl":
        return table.columns
    return find_free_names((), table.columns)


def _make_header(
    table: Table, format: str, columns: tuple[str, ...], names: tuple[str, ...], spreadsheet: bool
) -> str | None:
    if format == "jsonl" or table.layout.header is False:
        return None
    join = _make_joiner(table, format)
    cells = [*columns, *names]
    return join("the header", [*map(_guarded, cells)] if spreadsheet else cells)


def _encode_lines(
    header: str | None, encode: _Encode, rows: Iterable[tuple[Row, Values]]
) -> Iterator[str]:
    if header is not None:
        yield header
    for row, values in rows:
        yield encode(row, values)


def _make_joiner(table: Table, format: str) -> Callable[[str, list[str]], str]:
    """Return how the fields of one row become a line."""
    own = table.layout.format == format
    end = table.source.line_end
    quoting = table.layout.quoting if own else None
    if quoting or (quoting is None and format == "csv"):
        delimiter = table.delimiter if own else ("," if format == "csv" else "\t")
        special = re.compile(r'["\r\n]')
        needs = re.compile(f'[{re.escape(delimiter)}"\r\n]').search

        def join_quoted(_: str, fields: list[str]) -> str:
            line = delimiter.join(fields)
            # one look at the whole line, since most rows need no quotes
            if line.count(delimiter) != len(fields) - 1 or special.search(line):
                cells = (f'"{f.replace(QUOTE, QUOTE * 2)}"' if needs(f) else f for f in fields)
                line = delimiter.join(cells)
            # a single empty field would be a blank line, which readers skip
            return (line or '""') + end

        return join_quoted
    delimiter = table.delimiter if own else "\t"

    def join_plain(where: str, fields: list[str]) -> str:
        line = delimiter.join(fields)
        if line.count(delimiter) != len(fields) - 1 or "\n" in line or line.endswith("\r"):
            raise InputError(
                "a TSV cannot hold a field with a tab or a line break",
                where=where,
                fix="write .csv",
            )
        return line + end

    return join_plain


_Encoder = Callable[[Table, tuple[str, ...], tuple[str, ...], bool], _Encode]


def _make_encoder_of(format: str) -> _Encoder:
    def encoder(
        table: Table, columns: tuple[str, ...], names: tuple[str, ...], spreadsheet: bool
    ) -> _Encode:
        join = _make_joiner(table, format)

        def encode(row: Row, values: Values) -> str:
            cells = [*_cells_of(table, columns, row), *values]
            texts = list(map(_format_value, cells))
            where = f"{table.source.name}:{row.line}"
            return join(where, list(map(_guarded, texts)) if spreadsheet else texts)

        return encode

    return encoder


def _guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> _guarded("=1+1"), _guarded("-1.5"), _guarded("- see you"), _guarded("a=b")
    ("'=1+1", '-1.5', "'- see you", 'a=b')
    """
    if not text.startswith(FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def _jsonl(
    table: Table, columns: tuple[str, ...], names: tuple[str, ...], spreadsheet: bool
) -> _Encode:
    def encode(row: Row, values: Values) -> str:
        fields = row.fields
        own = names
        if isinstance(fields, dict):
            # a key that only this row has may be one of ours
            own = names if fields.keys().isdisjoint(names) else find_free_names([*fields], names)
        else:
            fields = dict(zip(columns, fields, strict=True))
        line = json.dumps(fields | dict(zip(own, values, strict=True)), ensure_ascii=False)
        try:
            line.encode()
        except UnicodeEncodeError:  # a lone surrogate stays what it was: an escape
            line = json.dumps(fields | dict(zip(own, values, strict=True)))
        return line + "\n"

    return encode


def _format_value(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


_ENCODERS: dict[str, _Encoder] = {
    "csv": _make_encoder_of("csv"),
    "tsv": _make_encoder_of("tsv"),
    "jsonl": _jsonl,
}
