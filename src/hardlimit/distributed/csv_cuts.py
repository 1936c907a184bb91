"""Where a CSV file that is written plainly may be cut, at the speed of reading it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from hardlimit.foundation import progress
from hardlimit.readers import Table
from hardlimit.readers.csv import allow_long_fields
from hardlimit.readers.csv_records import find_record_ends


def cut_plainly(
    file: BinaryIO, begin: int, size: int, targets: Sequence[int], table: Table, name: str
) -> list[int] | None:
    """Return the begins of records behind the targets, from the first one to the end of the file.

    None where only the csv module can tell.

    begin : where the file stands, behind a mark.    name : for the line of progress.
    """
    if table.layout.header:
        length = _length_of_header(file, table.delimiter)
        if length is None:
            return None
        begin = file.seek(begin + length)
    ends = find_record_ends(
        file,
        table.delimiter,
        begin,
        targets,
        lambda place: progress.report(name, place, size, "bytes"),
    )
    return None if ends is None else sorted({begin, *ends, size})


def _length_of_header(file: BinaryIO, delimiter: str) -> int | None:
    """Return the bytes up to the end of the first record that is not blank."""
    allow_long_fields()
    length = 0

    def lines() -> Iterator[str]:
        nonlocal length
        for line in file:
            length += len(line)
            yield line.decode()

    try:
        for fields in csv.reader(lines(), delimiter=delimiter, strict=True):
            if any(field.strip() for field in fields):
                break
    except (csv.Error, UnicodeDecodeError):
        return None
    return length
