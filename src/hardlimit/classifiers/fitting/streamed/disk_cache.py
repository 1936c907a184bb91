"""The rows of the first pass on disk, for the passes after it.

Of texts their counts lie there, from which the values are computed again: of words and pairs of
words a third of long texts and six tenths of short messages. The values would take 2.2 times as
much, and with idf 3.2 to 4 times as much.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import FileError, Given, InputError
from hardlimit.foundation.types import Array
from hardlimit.streaming.cache import CacheWriter, RowCache
from hardlimit.streaming.cache_file import Elsewhere
from hardlimit.streaming.cache_format import MAGIC, MOST_CELLS

if TYPE_CHECKING:
    from hardlimit.text import TextVectorizer

# Columns of a file of numbers are known at its end; no row has so many.
WIDEST = 1 << 31


def refuse_other_file(path: str | os.PathLike[str]) -> None:
    """Refuse a path where something lies that is no cache: it would be replaced, then removed.

    Raises
    ------
    FileError
        There is a folder, or a file that is neither empty nor a cache.
    """
    try:
        with open(path, "rb") as file:
            found = file.read(len(MAGIC))
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError(f"cannot be a cache: {error.strerror}", where=os.fsdecode(path)) from None
    if found not in (b"", MAGIC):
        raise FileError(
            "there is a file that is no cache of rows; it would be overwritten and removed",
            where=os.fsdecode(path),
            fix="name a file that is not there",
        )


class DiskCache:
    """Blocks written once, in their order, and read again.

    Parameters
    ----------
    path : of the file, which is replaced when the last block is there
    block : rows of a block
    weighted : whether rows have weights, which is the same for all of them
    vectorizer : of texts, whose counts are kept; None: rows of numbers
    elsewhere : gives the path of another file where this one cannot be written
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        block: int,
        weighted: bool,
        vectorizer: TextVectorizer | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._weighted, self._vectorizer = weighted, vectorizer
        layout, width = "values", WIDEST
        if vectorizer is not None:
            layout, width = "counts", vectorizer.n_columns_
        # Blocks of the cache are those of the order, whatever they hold.
        self._writer = CacheWriter(
            path,
            n_columns=width,
            layout=layout,
            block=block,
            cells=MOST_CELLS,
            elsewhere=elsewhere,
        )
        self._cache: RowCache | None = None
        self._dtype: Any = None
        self._writing = False

    @classmethod
    def reopened(
        cls, path: str | os.PathLike[str], vectorizer: TextVectorizer | None = None
    ) -> DiskCache:
        """Return a cache that was written before."""
        self = cls.__new__(cls)
        self._vectorizer, self._writing = vectorizer, False
        self._cache = RowCache.open(path, vectorizer)
        return self

    @property
    def n_rows(self) -> int:
        """Rows of a cache that can be read."""
        assert self._cache is not None
        return self._cache.n_rows

    @property
    def n_blocks(self) -> int:
        """Blocks of a cache that can be read."""
        assert self._cache is not None
        return self._cache.n_blocks

    @property
    def size_in_bytes(self) -> int:
        """Of the file."""
        assert self._cache is not None
        return self._cache.size_in_bytes

    def append(self, rows: Any, targets: Array, weights: Array | None) -> None:
        """Keep a block: rows, or of texts the counts, which are gone then."""
        if not self._writing:
            self._writer.__enter__()
            self._writing = True
        if weights is None and self._weighted:
            weights = np.ones(len(targets))
        if weights is not None and not self._weighted:
            raise InputError(
                "examples have weights, and those of the first batches had none",
                parameter="batches",
                got=Given("weights"),
                fix="give every batch its weights",
            )
        kept = rows if self._vectorizer is not None else self._uniform(rows)
        self._writer.append(kept, targets, weights)

    def _uniform(self, rows: Csr) -> Csr:
        """Return rows of numbers with the types and the width of all others."""
        if self._dtype is None:
            self._dtype = rows.data.dtype
        indices = rows.indices.astype(np.int32, copy=False)
        return Csr(rows.indptr, indices, rows.data.astype(self._dtype, copy=False), WIDEST)

    def close(self) -> None:
        """Write the end of the file, and open it for reading."""
        self._writing = False
        self._writer.__exit__(None, None, None)
        self._cache = RowCache.open(self._writer.path, self._vectorizer)

    def abandon(self) -> None:
        """Leave nothing of a file that was not closed, and let go of one that was."""
        if self._writing:
            self._writing = False
            error = InputError("abandoned")
            self._writer.__exit__(InputError, error, None)
        if self._cache is not None:
            self._cache.close()

    def block(self, number: int) -> tuple[Csr, Array, Array | None]:
        """Return a block as it was kept: rows, class numbers, and weights or None."""
        assert self._cache is not None
        rows, targets, weights = self._cache.examples(number)
        assert targets is not None
        return rows, targets.astype(np.int32), weights
