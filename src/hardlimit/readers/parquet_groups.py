"""The row groups of a Parquet file, each looked at before it is unpacked.

A batch of rows is unpacked at once, so it has as many rows as are sure to take few bytes. The pages
tell what a row may take: a plain page holds its values, a value that is coded is no longer than the
longest of the dictionary, and none is longer than the largest page.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from hardlimit.exceptions import DataFormatError, Setting
from hardlimit.foundation import memory
from hardlimit.foundation.formatting import plural
from hardlimit.readers import arrow_slices
from hardlimit.readers.parquet_pages import Page, list_pages

if TYPE_CHECKING:
    from pyarrow.parquet import ColumnChunkMetaData, FileMetaData


PARTS = 16  # of the size of ``max_line`` that what is unpacked at once may take
_LEVELS = 16  # bytes of a value of a list: its code and its levels
_NUMBER = 8
_BUFFERS = 1 << 23  # bytes that are read ahead, all columns together


def read_groups(
    file: BinaryIO,
    name: str,
    metadata: FileMetaData,
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
    leaves, before = _find_leaves(metadata, names), 0
    coded = [leaf.path for leaf in _find_leaves(metadata, lists) if leaf.is_coded]
    opened = _open(held, metadata, coded, len(leaves))
    for number in range(metadata.num_row_groups) if groups is None else groups:
        group = metadata.row_group(number)
        look = _Look(held, f"{name}: row group {number}", metadata, number)
        texts, n_rows = look.check(leaves, most), look.count_rows(leaves)
        found = opened.iter_batches(n_rows, row_groups=[number], columns=list(names))
        # of short texts no row can be too long, and looking at each costs as much as reading it
        is_short = texts <= most and not any(leaf.is_nested for leaf in leaves)
        yield from found if is_short else arrow_slices.cut(found, name, most, before)
        before += group.num_rows


def _open(held: _HeldChunks, metadata: FileMetaData, coded: Sequence[str], n_leaves: int) -> Any:
    """Open the file, page by page: a row group may be as large as the file."""
    return import_module("pyarrow.parquet").ParquetFile(
        held,
        metadata=metadata,
        read_dictionary=list(coded) or None,
        pre_buffer=False,
        buffer_size=max(1 << 12, min(1 << 16, _BUFFERS // max(1, n_leaves))),
        page_checksum_verification=True,
    )


@dataclass(frozen=True)
class _Leaf:
    """A column as it is stored."""

    place: int
    path: str
    is_text: bool
    is_nested: bool
    is_coded: bool


def _find_leaves(metadata: FileMetaData, names: Sequence[str]) -> list[_Leaf]:
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


class _Bound(NamedTuple):
    """What neighbouring rows of a column may take.

    largest : one row.      average : a row of a whole page.      ends : the rows at both ends,
    whose pages are cut.
    """

    largest: float
    average: float
    ends: float = 0.0

    def of_rows(self, n: int) -> float:
        """Return the most bytes of so many rows."""
        return min(n * self.largest, n * self.average + self.ends)


class _Look:
    """A row group, looked at page by page."""

    def __init__(self, held: _HeldChunks, where: str, metadata: FileMetaData, number: int) -> None:
        self._held, self._where, self._metadata, self._number = held, where, metadata, number
        self._group = metadata.row_group(number)
        self._pages: dict[int, list[Page]] = {}

    def check(self, leaves: Sequence[_Leaf], most: int) -> int:
        """Return the longest texts that a row can have; refuse what takes too much."""
        texts = total = 0
        for leaf in leaves:
            chunk = self._group.column(leaf.place)
            begin, size = self._held.hold(chunk)
            pages = list(list_pages(self._held.reader(begin), size, chunk.num_values, self._where))
            self._pages[leaf.place] = pages
            largest = max((page.unpacked for page in pages), default=0)
            total += largest
            if leaf.is_nested:  # one row may hold all of it
                n_values = sum(page.values for page in pages)
                total += sum(page.unpacked for page in pages) + _LEVELS * n_values
                largest = 0 if leaf.is_coded else largest * n_values
            if leaf.is_text:
                texts += largest
        refuse_unpacked(texts, self._where, most)
        fix = "write it with smaller pages, or smaller groups"
        memory.require(total, f"{self._where}: its pages", fix)
        return texts

    def count_rows(self, leaves: Sequence[_Leaf]) -> int:
        """Return how many rows are unpacked at once: a power of 2, and 1 at least."""
        bounds, n = [self._bound(leaf) for leaf in leaves], arrow_slices.BATCH_ROWS
        while n > 1 and sum(one.of_rows(n) for one in bounds) > arrow_slices.BATCH_BYTES:
            n //= 2
        return n

    def _bound(self, leaf: _Leaf) -> _Bound:
        if not leaf.is_text:
            return _Bound(_NUMBER, _NUMBER)
        pages = self._pages[leaf.place]
        largest = max((page.unpacked for page in pages), default=0)
        if leaf.is_nested:
            values = 0 if leaf.is_coded else sum(page.values for page in pages)
            return _Bound(largest * values, largest * values)
        if any(page.is_shared for page in pages):
            return _Bound(largest, largest)
        plain = [page for page in pages if page.values and not page.is_coded]
        average = max((page.unpacked / page.values for page in plain), default=0.0)
        if len(plain) < sum(page.values > 0 for page in pages):
            short = largest * arrow_slices.BATCH_ROWS <= arrow_slices.BATCH_BYTES
            average = max(average, largest if short else self._longest_of_dictionary(leaf, largest))
        return _Bound(largest, average, 2.0 * max((page.unpacked for page in plain), default=0))

    def _longest_of_dictionary(self, leaf: _Leaf, otherwise: int) -> int:
        """Return the length of the longest value, where the first page has the dictionary's."""
        pages = [page for page in self._pages[leaf.place] if page.values]
        if not pages[0].is_coded:
            return otherwise
        opened = _open(self._held, self._metadata, [leaf.path], 1)
        first = next(opened.iter_batches(1, row_groups=[self._number], columns=[leaf.path]))
        return int(max(arrow_slices.measure(first.column(0).dictionary), default=0))


def refuse_unpacked(size: int, where: str, most: int) -> None:
    """Refuse what unpacks to more than 16 times the longest row."""
    if size > PARTS * most:
        fix = ("if that is meant, say ", Setting("max_line", size // PARTS + 1))
        raise DataFormatError(f"unpacks to {plural(size, 'byte')}", where=where, fix=fix)


class _HeldChunks:
    """A file for pyarrow; small chunks that were looked at are not read again."""

    MOST = 1 << 24  # bytes of chunks that are held

    def __init__(self, file: BinaryIO) -> None:
        self.closed = False
        self._file, self._at = file, 0
        self._begins: list[int] = []  # ascending
        self._chunks: dict[int, bytes] = {}
        self._held = 0

    def hold(self, chunk: ColumnChunkMetaData) -> tuple[int, int]:
        """Return where a chunk begins, and its size; hold it if it is small."""
        begin, size = chunk.data_page_offset, max(0, chunk.total_compressed_size)
        if chunk.has_dictionary_page and 0 < (chunk.dictionary_page_offset or 0) < begin:
            begin = chunk.dictionary_page_offset
        if self._held + size > self.MOST:
            self._begins, self._chunks, self._held = [], {}, 0
        if size <= self.MOST and begin not in self._chunks:
            self._file.seek(begin)
            self._chunks[begin] = self._file.read(size)
            self._held += len(self._chunks[begin])
            insort(self._begins, begin)
        return begin, size

    def reader(self, begin: int) -> Callable[[int, int], bytes]:
        """Return what reads inside of a chunk: so many bytes from a place."""

        def read(place: int, size: int) -> bytes:
            self.seek(begin + place)
            return self.read(size)

        return read

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place."""
        self._at = place if whence == 0 else self._file.seek(place, whence)
        return self._at

    def tell(self) -> int:
        """Return the place."""
        return self._at

    def read(self, size: int = -1) -> bytes:
        """Return the bytes from here."""
        place = bisect_right(self._begins, self._at) - 1
        begin = self._begins[place] if place >= 0 else 0
        data = self._chunks.get(begin, b"")[self._at - begin : self._at - begin + max(0, size)]
        if len(data) != size:
            self._file.seek(self._at)
            data = self._file.read(size)
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
