"""The parts of a workbook, looked at before openpyxl reads them.

openpyxl hands its parser small pieces, and some parsers look at an unfinished tag or comment from
its beginning again with each piece: time would grow with the square of its length. So such a tag is
bounded. Entities, of which a few bytes become gigabytes, are in no workbook and refused.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, NoReturn

from hardlimit.exceptions import DataFormatError

if TYPE_CHECKING:
    import zipfile

LONGEST_TAG = 1 << 18  # bytes of a tag with its attributes, or of a comment; texts are no tags
_PIECE = 1 << 16


def check_parts(packed: zipfile.ZipFile, path: str) -> None:
    """Refuse a workbook with a part that takes more than linear time: O(bytes).

    Raises
    ------
    DataFormatError
        A tag or a comment is longer than `LONGEST_TAG`, or a part declares entities.
    """
    for part in packed.infolist():
        with packed.open(part) as file:
            _check_part(file, f"{path}: {part.filename[:200]}")


def _check_part(file: IO[bytes], where: str) -> None:
    from xml.parsers import expat  # start-up: the list of formats does without

    def refuse(*_: object) -> NoReturn:
        raise DataFormatError("entities are declared, which no workbook does", where=where)

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = refuse
    given = 0
    while piece := file.read(_PIECE):
        try:
            parser.Parse(piece, False)
        except expat.ExpatError:  # no XML, as pictures: openpyxl says so if it wants the part
            return
        given += len(piece)
        if given - parser.CurrentByteIndex > LONGEST_TAG:
            reason = f"a tag or comment of more than {LONGEST_TAG:,} bytes"
            raise DataFormatError(reason, where=where)
