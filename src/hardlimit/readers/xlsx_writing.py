"""Rows as one of Excel's workbooks: one sheet, written as the rows come.

Texts are inline strings, which no program takes for a formula. A text that is a number as Python
would write it, of at most 15 digits, is a number; ``007`` and ``1.50`` stay texts.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO, Any
from xml.sax.saxutils import escape

from hardlimit.exceptions import InputError
from hardlimit.foundation.formatting import plural

MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_576, 16_384, 32_767  # as many as Excel has
_MOST_BYTES = 1 << 32  # of a sheet, unpacked: more needs another kind of zip
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
    '+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship '
    f'Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
# The names in the first row stay in view.
_FROZEN = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d*[1-9])?").fullmatch
# What XML cannot hold, and what would be read as such: both are written as _xHHHH_.
_SPECIAL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


class Sheet:
    """A sheet under way.

    cut : cells that were longer than Excel's, and lost their ends.
    """

    def __init__(self, file: IO[bytes], where: str) -> None:
        self._file, self._where = file, where
        self._n = self._size = 0
        self.cut = 0

    def write(self, cells: Sequence[Any]) -> None:
        """Write the next row.

        Raises
        ------
        InputError
            More rows, columns or bytes than a workbook may have.
        """
        self._n += 1
        if self._n > MOST_ROWS or len(cells) > MOST_COLUMNS or self._size > _MOST_BYTES - (1 << 30):
            raise InputError(
                f"a workbook has at most {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns, and a "
                "sheet of 3 GB",
                where=self._where,
                fix="write .csv",
            )
        line = "".join(map(self._cell, cells))
        data = f"<row>{line}</row>".encode()
        self._size += len(data)
        self._file.write(data)

    def _cell(self, value: object) -> str:
        if value is None or value == "":
            return "<c/>"
        if isinstance(value, bool):
            return f'<c t="b"><v>{value:d}</v></c>'
        number = _as_number(value)
        if number is not None:
            return f"<c><v>{number}</v></c>"
        text = str(value)
        short = _cut(text)
        self.cut += len(short) < len(text)
        text = escape(_SPECIAL.sub(lambda found: f"_x{ord(found[0]):04X}_", short))
        return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _cut(text: str) -> str:
    r"""Return what Excel has a place for: it counts units of UTF-16, of which an emoji has two.

    >>> len(_cut("\U0001f389" * 20_000)), len(_cut("e" * 20_000))
    (16383, 20000)
    """
    if len(text) <= MOST_CHARACTERS // 2:
        return text
    units = text[: MOST_CHARACTERS + 1].encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MOST_CHARACTERS:
        return text
    units = units[: 2 * MOST_CHARACTERS]
    if 0xD8 <= units[-1] < 0xDC:  # half an emoji
        units = units[:-2]
    return units.decode("utf-16-le", "surrogatepass")


def _as_number(value: object) -> str | None:
    """Return a number as it is written; None for a text.

    >>> [_as_number(x) for x in (0.5, "12", "-0.25", "007", "1.50", "1e5", 10**20, float("nan"))]
    ['0.5', '12', '-0.25', None, None, None, None, None]
    """
    if isinstance(value, int | float):
        # numpy's floats are floats, but do not look like them
        plain = repr(float(value)) if isinstance(value, float) else repr(value)
        large = isinstance(value, int) and abs(value) >= 10**15
        return None if large or plain in ("nan", "inf", "-inf") else plain
    if isinstance(value, str) and len(value) <= 17 and _NUMBER(value):
        digits = sum(map(str.isdigit, value))
        return value if digits <= 15 and value != "-0" else None
    return None


def write_workbook(
    file: IO[bytes], header: Sequence[str] | None, rows: Iterable[Sequence[Any]], where: str
) -> list[str]:
    """Write rows as a workbook; return notes on what it could not hold.

    No time stands in it: the same rows give the same bytes.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in _PARTS.items():
            packed.writestr(_info(name), _HEAD + text)
        with packed.open(_info("xl/worksheets/sheet1.xml"), "w") as part:
            frozen = "" if header is None else _FROZEN
            part.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{frozen}<sheetData>'.encode())
            sheet = Sheet(part, where)
            if header is not None:
                sheet.write(header)
            for row in rows:
                sheet.write(row)
            part.write(b"</sheetData></worksheet>")
    if not sheet.cut:
        return []
    cells = plural(sheet.cut, "cell is", "cells are")
    return [
        f"{where}: {cells} longer than {MOST_CHARACTERS:,} characters, which a workbook has no "
        "place for, and cut; .csv keeps all"
    ]


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # of 1980, whenever it is written
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
