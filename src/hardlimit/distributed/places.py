"""Where a row of a piece stands in its file: looked up only where something is wrong with it."""

from __future__ import annotations

import re
from typing import TypeVar

from hardlimit.exceptions import HardlimitError
from hardlimit.readers.opening import open_binary

E = TypeVar("E", bound=HardlimitError)
_BLOCK = 1 << 20


def count_lines(path: str, end: int) -> int:
    """Return the line ends in the first bytes of a file."""
    found, left = 0, end
    with open_binary(path) as file:
        while left and (block := file.read(min(left, _BLOCK))):
            found += block.count(b"\n")
            left -= len(block)
    return found


def shift_line(where: str, path: str, lines_before: int) -> str:
    """Return a place with the line of the whole file, of one that counts from a later line.

    >>> shift_line("a.csv:7:2: column 'x'", "a.csv", 100), shift_line("a.csv", "a.csv", 100)
    ("a.csv:107:2: column 'x'", 'a.csv')
    """
    match = re.match(rf"{re.escape(path)}:(\d+)", where)
    if match is None:
        return where
    return f"{path}:{int(match[1]) + lines_before}{where[match.end() :]}"
