"""Workbooks whose parts are changed and packed again: rows or a refusal, in little time.

The first byte says that the rest is a file, or chooses a part of a small workbook that is valid;
then come changes of the unpacked part: a place (of 65,536 parts of it), and what is put there, a
word of XML or a byte, over what was there or between.
"""

import io
import struct
import zipfile

from fuzz.harness import refusals_pass, scratch

_WHOLE = 255  # the rest is a file as it is
_MOST = 20_000  # bytes of a row: all bounds are small
WORDS = (
    b'<row r="1000000000">', b'<row>', b'</row>', b'<c r="XFD7" t="s"><v>', b'</v></c>', b'<!--',
    b'-->', b'<![CDATA[', b']]>', b'<?x ', b'?>', b'<!DOCTYPE a [<!ENTITY b "cc">]>', b'&b;',
    b'&#x10FFFF;', b't="inlineStr"', b'<is><t>', b'</t></is>', b'99999999999999999999', b'-1',
    b'"', b'r="A1"', b'<sheetData/>', b'1e400', b'NaN', b't="d"', b't="b"', b'2024-13-45',
    b'ref="A1:XFD1048576"', b"x" * 3000,
)  # fmt: skip


def _parts():
    try:
        import openpyxl
    except ImportError:
        return {}
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (
        ["text", "label", "n"],
        ["win a prize", "x", 1],
        [],
        ["noon", "y", "=1+1"],
        ["a", True],
    ):
        book.active.append(row)
    book.save(file)
    with zipfile.ZipFile(file) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


PARTS = _parts()
_NAMES = sorted(PARTS, key=lambda name: ("sheet1.xml" not in name, "shared" not in name, name))
SEEDS = [
    bytes([part]) + struct.pack(">HBB", place, what, word)
    for part, place, what in ((0, 40_000, 0), (1, 30_000, 1))
    for word in range(len(WORDS))
] + [b"\0"]


def change(content: bytes, edits: bytes) -> bytes:
    """Return a part with words of XML in it."""
    made = bytearray(content)
    for place, what, value in struct.iter_unpack(">HBB", edits[: len(edits) // 4 * 4]):
        at = place * len(made) >> 16
        word = WORDS[value % len(WORDS)] if what & 2 == 0 else bytes([value])
        made[at : at + (len(word) if what & 1 == 0 else 0)] = word * (1 + (what >> 5))
    return bytes(made)


def run(data: bytes) -> None:
    """Read the first sheet."""
    from hardlimit import readers
    from hardlimit.exceptions import MissingExtraError

    if not data or not PARTS:
        return
    if data[0] == _WHOLE:
        content = data[1:]
    else:
        name, file = _NAMES[data[0] % len(_NAMES)], io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for other, part in PARTS.items():
                packed.writestr(other, change(part, data[1:]) if other == name else part)
        content = file.getvalue()
    path = scratch(content, "input.xlsx")
    try:
        with refusals_pass():
            layout = readers.Layout(max_line=_MOST, skip_bad=True)
            for row in readers.open_rows(path, layout, need_label=True):
                assert isinstance(row.text, str) and row.label is not None
                assert row.line <= 1_048_576 and len(row.text) <= _MOST
    except MissingExtraError:
        pass
