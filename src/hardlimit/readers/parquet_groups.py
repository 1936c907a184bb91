"""The row groups of a Parquet file, each looked at before it is unpacked.

A cell is no longer than the largest page of its column. So the bytes of a batch are bounded by its
rows, and a group with large pages is read in smaller batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, BinaryIO

from hardlimit.exceptions import DataFormatError, Setting
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.readers import arrow_slices
from hardlimit.readers.parquet_pages import list_pages

PARTS = 16  # of the size of ``max_line`` that what is unpacked at once may take
_LEVELS = 16  # bytes of a value of a list: its code and its levels


def read_groups(
    file: BinaryIO,
    name: str,
    metadata: Any,
    groups: Sequence[int] | None,
    names: Sequence[str],
    lists: Sequence[str],
    most: int,
) -> Iterator[Any]:
    """Yield the batches of the row groups, all or those of these numbers, bounded in bytes.

    Parameters
    ----------
    metadata : as the footer has it
    names, lists : the columns that are wanted; those of them that hold lists
    most : the longest row in bytes; pages of 16 times as much are refused

    Raises
    ------
    DataFormatError, MemoryEstimateError
        Pages that would unpack to more than that, or than this process may take.
    """
    held = _HeldChunks(file)
    coded = [leaf.path for leaf in _find_leaves(metadata, lists) if leaf.is_coded]
    opened = import_module("pyarrow.parquet").ParquetFile(
        held,
        metadata=metadata,
        read_dictionary=coded or None,
        pre_buffer=False,
        page_checksum_verification=True,
    )
    leaves, before = _find_leaves(metadata, names), 0
    for number in range(metadata.num_row_groups) if groups is None else groups:
        group = metadata.row_group(number)
        texts = _look(held, f"{name}: row group {number}", group, leaves, most)
        n_rows = max(1, min(arrow_slices.BATCH_ROWS, arrow_slices.BATCH_BYTES // max(1, texts)))
        found = opened.iter_batches(n_rows, row_groups=[number], columns=list(names))
        # of short texts no row can be too long, and looking at each costs as much as reading it
        is_short = texts <= most and not any(leaf.is_nested for leaf in leaves)
        yield from found if is_short else arrow_slices.cut(found, name, most, before)
        before += group.num_rows


@dataclass(frozen=True)
class _Leaf:
    """A column as it is stored."""

    place: int
    path: str
    is_text: bool
    is_nested: bool
    is_coded: bool


def _find_leaves(metadata: Any, names: Sequence[str]) -> list[_Leaf]:
    """Return the stored columns that columns of these names are made of."""
    wanted, found = set(names), []
    for place in range(metadata.num_columns):
        column = metadata.schema.column(place)
        path = column.path
        if path not in wanted and not _is_inside(path, wanted):
            continue
        is_text = column.physical_type == "BYTE_ARRAY"
        is_nested = column.max_repetition_level > 0
        # pyarrow has no codes for texts that are stored by what they share with the text before
        groups = map(metadata.row_group, range(metadata.num_row_groups if is_nested else 0))
        shared = any("DELTA" in one for group in groups for one in group.column(place).encodings)
        found.append(_Leaf(place, path, is_text, is_nested, is_text and is_nested and not shared))
    return found


def _is_inside(path: str, names: set[str]) -> bool:
    parts = path.split(".")
    return any(".".join(parts[:n]) in names for n in range(1, len(parts)))


def _look(held: _HeldChunks, where: str, group: Any, leaves: Sequence[_Leaf], most: int) -> int:
    """Return the longest texts that a row of a group can have; refuse what takes too much."""
    texts = total = 0
    for leaf in leaves:
        chunk = group.column(leaf.place)
        pages = list(list_pages(held.fetch(chunk), chunk.num_values, where))
        largest = max((page.unpacked for page in pages), default=0)
        total += largest
        if leaf.is_nested:  # one row may hold all of it
            n_values = sum(page.values for page in pages)
            total += sum(page.unpacked for page in pages) + _LEVELS * n_values
            largest = 0 if leaf.is_coded else largest * n_values
        if leaf.is_text:
            texts += largest
    refuse_unpacked(texts, where, most)
    memory.require(total, f"{where}: its pages", "write it with smaller pages, or smaller groups")
    return texts


def refuse_unpacked(size: int, where: str, most: int) -> None:
    """Refuse what unpacks to more than 16 times the longest row."""
    if size > PARTS * most:
        fix = ("if that is meant, say ", Setting("max_line", size // PARTS + 1))
        raise DataFormatError(f"unpacks to {plural(size, 'byte')}", where=where, fix=fix)


@dataclass
class _HeldChunks:
    """A file for pyarrow, which gives chunks that were looked at without reading them again."""

    file: BinaryIO
    closed: bool = False
    _at: int = 0
    _chunks: dict[int, bytes] = field(default_factory=dict)

    def fetch(self, chunk: Any) -> bytes:
        """Return the bytes of a chunk, which the next read there gives again."""
        begin = chunk.data_page_offset
        if chunk.has_dictionary_page and 0 < (chunk.dictionary_page_offset or 0) < begin:
            begin = chunk.dictionary_page_offset
        self.file.seek(begin)
        data = self.file.read(max(0, chunk.total_compressed_size))
        self._chunks[begin] = data
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place."""
        self._at = self.file.seek(place, whence)
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def read(self, size: int = -1) -> bytes:
        """Return the bytes from here."""
        data = self._chunks.pop(self._at, b"")
        if len(data) < size or size < 0:
            self.file.seek(self._at)
            data = self.file.read(size)
        elif len(data) > size:
            data = data[:size]
        self._at += len(data)
        return data

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that any place can be gone to."""
        return True

    def close(self) -> None:
        """Leave the file open: whoever opened it closes it."""
        self.closed = True
