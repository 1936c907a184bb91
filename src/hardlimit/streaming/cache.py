"""Rows on disk, packed: several passes over data that are larger than memory.

:class:`CacheWriter` writes them once, :class:`RowCache` gives each block back with the same bits.
``docs/cache-format.md`` is the specification of the file.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from hardlimit import _native
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import DataFormatError, FileError, Given, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.streaming.cache_format import (
    SIZE,
    BlockEntry,
    CacheDescription,
    CacheHeader,
    damaged,
)
from hardlimit.streaming.cache_writing import BLOCK, CELLS, CacheWriter

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array
    from hardlimit.text.vectorizer import TextVectorizer

__all__ = ["BLOCK", "CELLS", "CacheWriter", "CachedRows", "RowCache"]


class CachedRows(NamedTuple):
    """The rows of a block with their targets and weights, None where the cache has none."""

    rows: Any
    targets: Array | None
    weights: Array | None


class RowCache:
    """A cache of rows, open for reading; :meth:`open` makes it.

    A block is read when it is asked for, compared with its digest and unpacked: about 6 ns a cell,
    and with counts, idf and length about 12 ns, half of what texts take to become the same rows.
    Threads may share one. A file that is replaced meanwhile goes on being read as it was; one that
    is changed in place is refused, block by block.

    Attributes
    ----------
    path : str
    layout : str
        ``"values"``, ``"counts"`` or ``"dense"``.
    n_rows, n_columns, n_blocks : int
    facts : dict
        What the writer wanted to be kept.
    size_in_bytes : int
        Of the file.
    """

    def __init__(
        self, path: str, file: int, about: CacheDescription, vectorizer: TextVectorizer | None
    ) -> None:
        self.path, self._file, self._about = path, file, about
        self._vectorizer = vectorizer
        self._open = True
        self._lock = threading.Lock()
        sizes = [entry.size for entry in about.entries]
        self._begins = (SIZE + np.cumsum([0, *sizes])).tolist()
        self.layout, self.n_columns = about.layout, about.n_columns
        self.n_rows, self.n_blocks = about.n_rows, len(about.entries)
        self.facts: dict[str, Any] = dict(about.facts)
        self.size_in_bytes = os.fstat(file).st_size

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], vectorizer: TextVectorizer | None = None
    ) -> RowCache:
        """Open a cache; header and directory are read and checked, blocks when they are asked for.

        Parameters
        ----------
        path
            A regular file.
        vectorizer
            Of the layout ``"counts"``: computes the values from the counts, by its idf of that
            moment. Without it a block has ``TextRows``.

        Raises
        ------
        FileError
            The path cannot be read.
        DataFormatError
            The file is no cache, one of another version, cut off or changed.
        InputError
            The vectorizer has fewer columns than the cache.
        """
        shown = os.fsdecode(path)
        file = _opened(path, shown)
        try:
            size = os.fstat(file).st_size
            header = CacheHeader(_read(file, 0, SIZE), size, shown)
            directory = _read(file, header.begin, size - header.begin)
            about = header.describe(directory)
            if vectorizer is not None and about.layout == "counts":
                _check_width(vectorizer, about.n_columns)
            return cls(shown, file, about, vectorizer)
        except BaseException:
            os.close(file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; blocks that were read stay."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._file)

    def __del__(self) -> None:
        if getattr(self, "_open", False):
            self.close()

    def __len__(self) -> int:
        return self.n_blocks

    def rows_of_block(self, k: int) -> int:
        """Rows of the k-th block: O(1)."""
        return self._entry(k).n_rows

    def block(self, k: int) -> tuple[Any, Array | None]:
        """Return rows and targets of the k-th block, with the bits that were appended."""
        rows, targets, _ = self.examples(k)
        return rows, targets

    def examples(self, k: int) -> CachedRows:
        """Return rows, targets and weights of the k-th block.

        Raises
        ------
        DataFormatError
            The block is not what was written.
        """
        entry = self._entry(k)
        contents = self._contents(k, entry)
        try:
            return self._unpacked(entry, contents)
        except DataFormatError as error:
            raise damaged(self.path, f"block {k}: {error.reason}") from None

    def __iter__(self) -> Iterator[CachedRows]:
        return (self.examples(k) for k in range(self.n_blocks))

    def _entry(self, k: int) -> BlockEntry:
        if not 0 <= k < self.n_blocks:
            raise InputError(parameter="k", got=k, wanted=f"a block from 0 to {self.n_blocks - 1}")
        return self._about.entries[k]

    def _contents(self, k: int, entry: BlockEntry) -> bytes:
        with self._lock:
            if not self._open:
                raise FileError("was closed", where=self.path)
            # Its own descriptor, so that nobody closes it, and another file takes its number.
            file = os.dup(self._file)
        try:
            contents = _read(file, self._begins[k], entry.size)
        except OSError as error:
            raise FileError(f"cannot be read: {error.strerror or error}", where=self.path) from None
        finally:
            os.close(file)
        if len(contents) != entry.size or _native.digest(contents) != entry.digest:
            raise damaged(self.path, f"block {k} of {self.n_blocks} was changed")
        return contents

    def _unpacked(self, entry: BlockEntry, contents: bytes) -> CachedRows:
        view, about = memoryview(contents), self._about
        ends = np.cumsum(entry.sections).tolist()
        columns, counts, values, targets, weights = (
            view[end - size : end] for end, size in zip(ends, entry.sections, strict=True)
        )
        n, shape = entry.n_rows, (entry.n_rows, about.width)
        codes = sample_weights = None
        if about.width:
            numbers = _native.unpack_numbers(targets, n * about.width, 8, True).view(np.int64)
            codes = numbers if about.width == 1 else numbers.reshape(shape)
        if about.weighted:
            sample_weights = _native.unpack_numbers(weights, n, 8, True).view(np.float64)
        return CachedRows(self._rows(entry, columns, counts, values), codes, sample_weights)

    def _rows(self, entry: BlockEntry, columns: memoryview, counts: memoryview, values: Any) -> Any:
        about, n, n_cells = self._about, entry.n_rows, entry.n_cells
        if about.layout == "counts":
            if self._vectorizer is not None:
                return self._vectorizer.weigh_packed((columns, counts), n, n_cells)
            return _native.unpack_counts(columns, counts, n, n_cells, about.n_columns)
        kind = np.float32 if about.value == 4 else np.float64
        if about.layout == "dense":
            numbers = _native.unpack_numbers(values, n_cells, about.value, False)
            return numbers.view(kind).reshape(n, about.n_columns)
        wide = about.index == 8
        starts, indices = _native.unpack_cells(columns, n, n_cells, about.n_columns, wide)
        data: Any = _native.unpack_numbers(values, n_cells, about.value, True).view(kind)
        return Csr(starts, indices, data, about.n_columns)


def _check_width(vectorizer: TextVectorizer, n_columns: int) -> None:
    bits = vectorizer.hash_bits
    found = vectorizer.n_columns_ if bits is None else 1 << bits
    if found < n_columns:
        got = Given(plural(found, "column"))
        raise InputError(parameter="vectorizer", got=got, wanted=f"the {n_columns:,} of the cache")


def _opened(path: str | os.PathLike[str], shown: str) -> int:
    try:
        # Asked before opening: opening a named pipe would wait for a writer.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError("cannot be read: it is not a regular file", where=shown)
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileError:
        raise
    except ValueError as error:  # a null byte in the path
        raise FileError(f"cannot be read: {error}", where=repr(shown)) from error
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", where=shown) from error


# Blocks are read, not mapped: pages of a map count as memory of the process, and a file that is cut
# short under its map ends the process. A block is read from the system's memory in a hundredth of
# the time of unpacking it.
def _read(file: int, begin: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.pread(file, min(size, 1 << 24), begin)
        if not part:
            break
        parts.append(part)
        begin += len(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
