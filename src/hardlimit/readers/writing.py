"""Writing rows back with further columns: CSV, TSV or JSON Lines, by extension.

The columns that were there keep their names, order and contents. A file is written beside its
target, synced and renamed, so a run that fails leaves the old one as it was; ``.gz``, ``.bz2``,
``.xz`` and ``.zst`` are packed. Output is UTF-8, with the byte-order mark and the line ends of a
CSV that had them, so that what came from Excel opens there again.
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

from hardlimit.exceptions import FileError, InputError
from hardlimit.foundation.atomic_file import replacing
from hardlimit.readers.opening import strip_compression
from hardlimit.readers.registry import detect_by_extension
from hardlimit.readers.rows import Row, Table

QUOTE = '"'
WRITABLE = ("csv", "tsv", "jsonl")
Values = Sequence[str | int | float | bool | list[Any] | None]
_Encode = Callable[[Row, Values], str]


def write_rows(
    target: str | os.PathLike[str] | TextIO,
    table: Table,
    extra_columns: Sequence[str],
    rows: Iterable[tuple[Row, Values]],
    *,
    format: str | None = None,
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
        "csv", "tsv" or "jsonl"; by default what the path's extension says, else the table's own.

    Returns
    -------
    tuple of str
        The names that the further columns got.

    Raises
    ------
    FileError
        The target cannot be written; what was there is untouched.
    InputError
        The format is none of the three, or a TSV would have to hold a tab or a line break.
    """
    path = None if isinstance(target, io.TextIOBase) or hasattr(target, "write") else target
    format = format or choose_format(path, table)
    columns = _name_columns(table, format)
    names = find_free_names(columns, extra_columns)
    encode = _ENCODERS[format](table, columns, names)
    header = _make_header(table, format, columns, names)
    lines = _encode_lines(header, encode, rows)
    if path is None:
        for line in lines:
            target.write(line)  # type: ignore[union-attr]
        return names
    with open_target(os.fspath(path)) as file:
        # Excel takes a CSV without the mark for cp1252
        if format == "csv" and (table.source.marked or table.source.encoding == "cp1252"):
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
    return _encode_lines(None, _ENCODERS[format](table, _name_columns(table, format), names), rows)


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
    if format in WRITABLE:
        return format
    extension = "" if path is None else os.path.splitext(strip_compression(os.fspath(path)))[1]
    if extension or format is not None:
        wanted = ", ".join(f".{name}" for name in WRITABLE)
        raise InputError(
            where=os.fspath(path or ""), got=extension, wanted=f"one of {wanted} as the extension"
        )
    own = table.layout.format or ""
    return own if own in WRITABLE else "csv"


def _name_columns(table: Table, format: str) -> tuple[str, ...]:
    """Name the columns; JSON cannot hold two of one name."""
    if format != "jsonl":
        return table.columns
    return find_free_names((), table.columns)


def _make_header(
    table: Table, format: str, columns: tuple[str, ...], names: tuple[str, ...]
) -> str | None:
    if format == "jsonl" or table.layout.header is False:
        return None
    join = _make_joiner(table, format)
    return join("the header", [*columns, *names])


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


def _make_encoder_of(format: str) -> Callable[[Table, tuple[str, ...], tuple[str, ...]], _Encode]:
    def encoder(table: Table, columns: tuple[str, ...], names: tuple[str, ...]) -> _Encode:
        join = _make_joiner(table, format)

        def encode(row: Row, values: Values) -> str:
            fields = row.fields
            where = f"{table.source.name}:{row.line}"
            if isinstance(fields, dict):
                # the header is written already, so a new key has no column left
                unknown = fields.keys() - set(columns)
                if unknown:
                    raise InputError(
                        f"the key {min(unknown)!r} was not in the first rows",
                        where=where,
                        fix="write .jsonl",
                    )
                before = [_format_value(fields.get(key)) for key in columns]
            else:
                before = list(fields)
            return join(where, before + [_format_value(value) for value in values])

        return encode

    return encoder


def _jsonl(table: Table, columns: tuple[str, ...], names: tuple[str, ...]) -> _Encode:
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


def _format_value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


_ENCODERS: dict[str, Callable[[Table, tuple[str, ...], tuple[str, ...]], _Encode]] = {
    "csv": _make_encoder_of("csv"),
    "tsv": _make_encoder_of("tsv"),
    "jsonl": _jsonl,
}
