"""The header and the directory of a cache of rows: ``docs/cache-format.md``."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardlimit import _native
from hardlimit.exceptions import DataFormatError, Given
from hardlimit.foundation.formatting import plural

MAGIC = b"hardlimit cache\n"
VERSION = 1
LAYOUTS = ("values", "counts", "dense")
HEADER = struct.Struct("<16sIIQQQIIIIQQQ")
SIZE = HEADER.size + 8
MOST_ROWS, MOST_CELLS = 1 << 20, (1 << 31) - 1
MOST_COLUMNS = 1 << 62
MOST_BLOCKS, MOST_FACTS = 1 << 32, 1 << 24
_ENTRY = struct.Struct("<8Q")


class BlockEntry(NamedTuple):
    """A block: its rows, its cells (of dense rows all numbers), its sections, their digest."""

    n_rows: int
    n_cells: int
    columns: int
    counts: int
    values: int
    targets: int
    weights: int
    digest: int

    @property
    def sections(self) -> tuple[int, ...]:
        """The bytes of each section, in the order of the file."""
        return self[2:7]

    @property
    def size(self) -> int:
        """The bytes of the block."""
        return sum(self.sections)


@dataclass
class CacheDescription:
    """What a cache holds beside its blocks.

    value, index : bytes of a value and of a column number; 0 where there are none.
    width : targets of a row, 0 where there are none.
    facts : what the writer wants to know again, plain JSON.
    """

    layout: str
    n_columns: int
    value: int = 0
    index: int = 0
    width: int = 0
    weighted: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    entries: list[BlockEntry] = field(default_factory=list)

    @property
    def n_rows(self) -> int:
        """Rows of all blocks."""
        return sum(entry.n_rows for entry in self.entries)

    def compose(self) -> tuple[bytes, bytes]:
        """Return the bytes of the header, and of the directory behind the blocks."""
        facts = compose_facts(self.facts)
        directory = b"".join(_ENTRY.pack(*entry) for entry in self.entries) + facts
        header = HEADER.pack(
            MAGIC,
            VERSION,
            LAYOUTS.index(self.layout),
            self.n_columns,
            self.n_rows,
            len(self.entries),
            self.value,
            self.index,
            self.width,
            self.weighted,
            len(facts),
            SIZE + sum(entry.size for entry in self.entries),
            _native.digest(directory),
        )
        return header + _native.digest(header).to_bytes(8, "little"), directory


def compose_facts(facts: Mapping[str, Any]) -> bytes:
    """Return plain JSON in its one form."""
    text = json.dumps(dict(facts), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


class CacheHeader:
    """The first bytes of a cache: what the directory is, and where.

    Raises
    ------
    DataFormatError
        Not a cache of this version, cut off, or changed.
    """

    def __init__(self, start: bytes, size: int, where: str) -> None:
        self.where, self.size = where, size
        if start[: len(MAGIC)] != MAGIC:
            raise DataFormatError("not a cache of rows", where=where)
        if len(start) < SIZE:
            raise cut_off(where, SIZE - len(start))
        version = int.from_bytes(start[16:20], "little")
        if version > VERSION:
            raise DataFormatError(
                f"written by a newer hardlimit (format {version}); this one reads {VERSION}",
                where=where,
                fix="pip install --upgrade hardlimit, or delete it to have it made again",
            )
        if int.from_bytes(start[HEADER.size : SIZE], "little") != _native.digest(
            start[: HEADER.size]
        ):
            raise damaged(where, "its header was changed")
        if version != VERSION:
            raise DataFormatError(
                where=where, got=Given(f"format {version}"), wanted=f"format {VERSION}"
            )
        fields = HEADER.unpack(start[: HEADER.size])
        (_, _, layout, self.n_columns, self.n_rows, self.n_blocks, self.value, self.index) = fields[
            :8
        ]
        self.width, self.weighted, self.n_facts, self.begin, self.digest = fields[8:]
        self._check(layout)
        self.layout = LAYOUTS[layout]

    def _check(self, layout: int) -> None:
        kinds = {0: ((4, 8), (4, 8)), 1: ((0,), (4,)), 2: ((4, 8), (0,))}
        if (
            layout not in kinds
            or self.value not in kinds[layout][0]
            or self.index not in kinds[layout][1]
            or self.n_columns > MOST_COLUMNS
            or self.weighted > 1
            or self.width > MOST_ROWS
            or self.n_facts > MOST_FACTS
            or self.n_blocks > MOST_BLOCKS
            or self.begin < SIZE
        ):
            raise damaged(self.where, "its header contradicts itself")
        if self.size < self.end:
            raise cut_off(self.where, self.end - self.size)
        if self.size > self.end:
            raise damaged(self.where, "there are bytes behind its end")

    @property
    def end(self) -> int:
        """Where the file ends."""
        return int(self.begin + _ENTRY.size * self.n_blocks + self.n_facts)

    def describe(self, directory: bytes) -> CacheDescription:
        """Check the directory and return the whole description."""
        if _native.digest(directory) != self.digest:
            raise damaged(self.where, "its directory was changed")
        length = _ENTRY.size * self.n_blocks
        entries = [BlockEntry(*fields) for fields in _ENTRY.iter_unpack(directory[:length])]
        self._check_entries(entries)
        try:
            facts = json.loads(directory[length:])
        except (ValueError, RecursionError):
            facts = None
        if not isinstance(facts, dict):
            raise damaged(self.where, "its facts are no JSON object")
        return CacheDescription(
            self.layout,
            self.n_columns,
            self.value,
            self.index,
            self.width,
            bool(self.weighted),
            facts,
            entries,
        )

    def _check_entries(self, entries: list[BlockEntry]) -> None:
        dense = self.layout == "dense"
        for number, entry in enumerate(entries):
            good = 0 < entry.n_rows <= MOST_ROWS and entry.n_cells <= MOST_CELLS
            good = good and (not dense or entry.n_cells == entry.n_rows * self.n_columns)
            good = good and max(entry.sections) < self.size
            absent = {
                "columns": dense,
                "counts": self.layout != "counts",
                "values": self.layout == "counts",
                "targets": not self.width,
                "weights": not self.weighted,
            }
            good = good and all(bool(getattr(entry, name)) != none for name, none in absent.items())
            if not good:
                raise damaged(self.where, f"its entry of block {number} contradicts the others")
        if sum(entry.size for entry in entries) != self.begin - SIZE:
            raise damaged(self.where, "its blocks do not fill it")
        if sum(entry.n_rows for entry in entries) != self.n_rows:
            raise damaged(self.where, "its blocks have another number of rows")


def damaged(where: str, reason: str) -> DataFormatError:
    """Return the error for a file that cannot be trusted."""
    fix = "delete it: it is made again from its source"
    return DataFormatError(f"a damaged cache of rows: {reason}", where=where, fix=fix)


def cut_off(where: str, missing: int) -> DataFormatError:
    """Return the error for a file whose end is missing."""
    return damaged(where, f"cut off: {plural(missing, 'byte')} missing at its end")
