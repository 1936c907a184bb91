"""Excel's workbooks: the rows of the first sheet; wants the extra ``excel``.

A cell with a formula has the value that Excel stored last. Whole numbers and booleans stay what
they are as labels; as texts, cells are taken as they are shown. What a workbook unpacks to is
bounded by 16 times ``max_line``, since a few bytes of zip may hold gigabytes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from hardlimit.exceptions import (
    DataFormatError,
    FileError,
    HardlimitError,
    MissingExtraError,
    Setting,
)
from hardlimit.foundation import storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers.columns import locate_columns, resolve_columns, take_sample
from hardlimit.readers.decoding import Source
from hardlimit.readers.layout import Layout
from hardlimit.readers.opening import STANDARD_INPUT, too_long_error
from hardlimit.readers.registry import Format
from hardlimit.readers.rows import Label, Row, Table
from hardlimit.readers.xlsx_parts import check_parts

_SAMPLE_ROWS = 200
_PARTS = 16  # of the size of ``max_line`` that a workbook may unpack to in all
_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576  # as many as Excel has
# What XML cannot hold is written so by Excel and by us; halves of surrogate pairs stay as they are.
_ESCAPE = re.compile("_x((?!D[89A-F])[0-9A-F]{4})_", re.IGNORECASE)
_CELL = 8  # bytes of a cell in memory, also of one that is empty


def read(path: str, layout: Layout, need_label: bool) -> Table:
    """Open the first sheet."""
    if path == STANDARD_INPUT:
        raise FileError("workbooks are read from a file", where="<stdin>")
    source = Source(path)
    source.skip_bad = layout.skip_bad
    records = _read_cells(path, layout.max_line)
    sample = take_sample(records, _SAMPLE_ROWS, lambda record: record[1])
    if not sample:
        return Table(source, layout, (), lambda _: iter(()), need_label=need_label)
    width = max(len(cells) for _, cells in sample)
    even = [[_format(cell) for cell in _widen(cells, width)] for _, cells in sample]
    layout = resolve_columns(path, layout, even, need_label=need_label)
    columns = tuple([name.strip() for name in even[0]] if layout.header else map(str, range(width)))
    text, label = locate_columns(layout, columns)
    following = itertools.chain(sample[1:] if layout.header else sample, records)

    def rows(table: Table) -> Iterator[Row]:
        for number, cells in following:
            source.number = number
            if len(cells) > width:
                reason = f"{plural(len(cells), 'cell')}, but the columns are {width}"
                source.reject(DataFormatError(reason, where=f"{path}: row {number}"))
                continue
            cells = _widen(cells, width)
            fields = tuple(map(_format, cells))
            value = None if label is None else _as_label(cells[label])
            yield Row(number, "" if text is None else fields[text], value, fields)

    return Table(source, layout, columns, rows, need_label=need_label)


def _read_cells(path: str, most: int) -> Iterator[tuple[int, list[Any]]]:
    """Give the rows that are not empty, with their numbers from 1."""
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError:
        raise MissingExtraError(
            "Excel's workbooks want the package openpyxl",
            where=path,
            fix="pip install 'hardlimit[excel]', or save it as CSV",
        ) from None
    _check_size(path, most)
    source = storage.path_or_copy(path)
    try:
        # opened here: of a damaged workbook openpyxl leaves its file open
        with open(source, "rb") if isinstance(source, str) else source as file:
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            # the size that the file claims may be a lie
            sheet.reset_dimensions()
            yield from _check_rows(enumerate(sheet.iter_rows(values_only=True), 1), path, most)
    except (HardlimitError, GeneratorExit, KeyboardInterrupt):
        raise
    except Exception as error:  # openpyxl has no class for its errors: KeyError, ParseError, ...
        reason = " ".join(str(error).split())[:200]
        raise DataFormatError(f"damaged, or no workbook: {reason}", where=path) from None


def _check_rows(
    rows: Iterator[tuple[int, Sequence[Any]]], path: str, most: int
) -> Iterator[tuple[int, list[Any]]]:
    """Give the rows that are not empty, as far as they are of the sizes that Excel has."""
    n_cells = 0
    for number, cells in rows:
        n_cells += len(cells)
        if _CELL * n_cells > _PARTS * most:  # a row with one cell is as wide as its last column
            fix = ("if that is meant, say ", Setting("max_line", 4 * most))
            reason = f"{plural(n_cells, 'cell')} up to here, with those that are empty"
            raise DataFormatError(reason, where=f"{path}: row {number}", fix=fix)
        if number > _MOST_ROWS:
            raise DataFormatError(f"more than {_MOST_ROWS:,} rows", where=path)
        last = len(cells) - 1
        while last >= 0 and cells[last] in (None, ""):
            last -= 1
        if last >= _MOST_COLUMNS:
            reason = f"more than {_MOST_COLUMNS:,} columns"
            raise DataFormatError(reason, where=f"{path}: row {number}")
        filled = [cell for cell in cells if cell is not None]
        if sum(len(cell) for cell in filled if isinstance(cell, str)) > most:
            raise too_long_error(f"{path}: row {number}", "row", most)
        if last >= 0:
            yield number, [_unescape(cell) for cell in cells[: last + 1]]


def _unescape(cell: object) -> Any:
    r"""Return a text with the characters that XML cannot hold, which openpyxl leaves escaped.

    >>> _unescape("a_x000D_b"), _unescape("_x005F_x0041_"), _unescape("_xD83D_"), _unescape(3)
    ('a\rb', '_x0041_', '_xD83D_', 3)
    """
    if not isinstance(cell, str) or "_x" not in cell:
        return cell
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), cell)


def _check_size(path: str, most: int) -> None:
    """Refuse a workbook that unpacks to too much, or that would take too long."""
    import zipfile  # start-up: the list of formats does without

    try:
        with zipfile.ZipFile(storage.path_or_copy(path)) as packed:
            size = sum(part.file_size for part in packed.infolist())
            if size <= _PARTS * most:
                check_parts(packed, path)
    except HardlimitError:
        raise
    except (FileNotFoundError, PermissionError) as error:
        raise FileError(f"cannot be read: {error.strerror or error}", where=path) from None
    except Exception as error:  # zipfile raises what it stumbles over: OSError, struct.error, ...
        raise DataFormatError(f"no workbook of Excel: {error}", where=path) from None
    if size > _PARTS * most:
        fix = ("if that is meant, say ", Setting("max_line", size // _PARTS + 1))
        raise DataFormatError(f"unpacks to {plural(size, 'byte')}", where=path, fix=fix)


def _widen(cells: list[Any], width: int) -> list[Any]:
    return cells + [None] * (width - len(cells))


def _format(cell: object) -> str:
    """Return a cell as it is shown; whole numbers without a point."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return str(cell)


def _as_label(cell: object) -> Label | None:
    """Return a label with its kind; what has none of ours is taken as it is shown."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    if isinstance(cell, bool | int | float):
        return cell
    shown = _format(cell)
    return shown if shown.strip() else None


FORMAT = Format(
    "xlsx", (".xlsx", ".xlsm"), read, "Excel's first sheet (extra excel)", takes_path=True
)
