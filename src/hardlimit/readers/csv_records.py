"""Where the records of a CSV file end, found without reading their fields."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from typing import BinaryIO

from hardlimit._native import CsvRecords

_BLOCK = 1 << 20


def find_record_ends(
    file: BinaryIO,
    delimiter: str,
    begin: int,
    targets: Sequence[int],
    tell: Callable[[int], object] = lambda place: None,
) -> list[int] | None:
    r"""Return for each target the end of the first record that ends there or behind it.

    None where only the csv module can tell: quotes in unusual places, line ends other than
    ``\n`` and ``\r\n``, bytes that are not UTF-8, a quote that is never closed. Of targets
    behind the last line end there is none.

    Parameters
    ----------
    file : at the begin of the first record
    begin : its place in the file
    targets : places in the file, ascending
    tell : called now and then with the place reached

    Cost: O(bytes), some hundred megabytes a second.

    Examples
    --------
    >>> import io
    >>> find_record_ends(io.BytesIO(b'a,"b\nc"\nd,e\n'), ",", 0, [1, 9])
    [8, 12]
    """
    if len(delimiter) != 1 or not delimiter.isascii():
        return None
    records = CsvRecords(delimiter, begin, list(targets))
    decoder, place = codecs.getincrementaldecoder("utf-8")(), begin
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
            if not records.read(block):
                return None
            place += len(block)
            tell(place)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return None
    return list(records.ends) if records.may_end else None
