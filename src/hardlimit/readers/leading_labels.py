"""Several labels at the beginning of a line of sparse numbers: ``1,3 5:0.2 7:1``.

A line that begins with ``index:value`` has none of the labels. Labels are numbers, and come as
tuples, each label once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import DataFormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardlimit.readers.decoding import Source


class LeadingLabels:
    """Takes the labels off the lines of a file, and gives them back by the numbers of the lines."""

    def __init__(self, source: Source, separator: str) -> None:
        self._source, self._separator = source, separator.encode()
        self._sets: dict[int, tuple[Any, ...]] = {}

    def take_off(self, block: bytes, before: int) -> bytes:
        """Return whole lines with one label, 0, in place of several; places stay what they are.

        before : lines that came before these.
        """
        lines = block.split(b"\n")
        for at, line in enumerate(lines):
            words = line.split(None, 1)
            word = words[0].partition(b"#")[0] if words else b""
            if not word:
                continue
            number = before + at + 1
            if b":" in word:
                self._sets[number] = ()
                continue
            begin = line.index(word)
            try:
                self._sets[number] = self._read(word, f"{self._source.name}:{number}:{begin + 1}")
            except DataFormatError as error:
                self._source.reject(error)
                lines[at] = b"#" + line[1:]  # left out
                continue
            rest = line[begin + len(word) :]
            lines[at] = line[:begin] + b"0" + b" " * (len(word) - 1) + rest
        return b"\n".join(lines)

    def _read(self, word: bytes, where: str) -> tuple[Any, ...]:
        found: dict[Any, None] = {}
        for part in word.decode("utf-8", "replace").split(self._separator.decode()):
            try:
                number = float(part) if "_" not in part else float("nan")
            except ValueError:
                number = float("nan")
            if number - number != 0:
                wanted = f"numbers as labels, with {self._separator.decode()!r} between them"
                raise DataFormatError(where=where, got=part, wanted=wanted)
            found[int(number) if number.is_integer() else number] = None
        return tuple(found)

    def of_lines(self, lines: Iterable[int]) -> NDArray[Any]:
        """Return the labels of these lines, a tuple each."""
        import numpy as np

        sets = [self._sets.pop(line) for line in lines]
        found = np.empty(len(sets), object)
        found[:] = sets
        return found
