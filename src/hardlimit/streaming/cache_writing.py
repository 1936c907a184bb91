"""Writing a cache of rows: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hardlimit import _native
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import dtypes
from hardlimit.foundation.formatting import plural
from hardlimit.streaming.cache_batches import CachedBatch, batch_of, joined
from hardlimit.streaming.cache_file import CacheFile, Elsewhere
from hardlimit.streaming.cache_format import (
    LAYOUTS,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_FACTS,
    MOST_ROWS,
    SIZE,
    BlockEntry,
    CacheDescription,
    compose_facts,
)

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array

BLOCK = 4096
# Of one block: what is unpacked at once has 8 to 16 bytes of each.
CELLS = 1 << 22


class CacheWriter:
    """Write rows and targets, block by block, into a file that :class:`RowCache` reads.

    The file appears under its name when the ``with`` block ends well; otherwise what was there
    stays as it was.

    Parameters
    ----------
    path
        The target.
    n_columns
        Columns of every row.
    layout
        ``"values"``: sparse rows; ``"counts"``: counts of a text's terms, whose values are computed
        again when they are read; ``"dense"``.
    block
        Rows of a block, at most 2**20. A block ends earlier where it would have more than
        ``cells`` cells, so that memory stays bounded. How rows are appended changes no block.
    facts
        A dict of plain JSON that the cache keeps: what it was made of.
    elsewhere
        Gives the path of another file where this one cannot be written; :attr:`path` is that of
        the file that was.

    Raises
    ------
    InputError, KindError
        Parameters that have no meaning; rows as :func:`hardlimit.engine.rows_of` refuses them.
    FileError
        The target cannot be written.

    Examples
    --------
    >>> import numpy as np, os, tempfile
    >>> from hardlimit.streaming.cache import CacheWriter, RowCache
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "rows.cache")
    >>> with CacheWriter(path, n_columns=2, layout="dense", block=2) as writer:
    ...     writer.append(np.array([[0.0, 1.0], [1.0, 0.5], [2.0, 1.0]]), [0, 1, 1])
    >>> with RowCache.open(path) as cache:
    ...     cache.n_blocks, cache.block(1)
    (2, (array([[2., 1.]]), array([1])))
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        n_columns: int,
        layout: str = "values",
        block: int = BLOCK,
        cells: int = CELLS,
        facts: Mapping[str, Any] | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        if layout not in LAYOUTS:
            raise InputError(parameter="layout", got=layout, wanted=", ".join(map(repr, LAYOUTS)))
        for name, value, least, most in (
            ("n_columns", n_columns, 0, MOST_COLUMNS),
            ("block", block, 1, MOST_ROWS),
            ("cells", cells, 1, MOST_CELLS),
        ):
            if not least <= value <= most:
                wanted = f"a whole number from {least} to {most:,}"
                raise InputError(parameter=name, got=value, wanted=wanted)
        self._description = CacheDescription(layout, int(n_columns), facts=dict(facts or {}))
        if len(compose_facts(self._description.facts)) > MOST_FACTS:
            raise InputError(parameter="facts", wanted=f"at most {MOST_FACTS:,} bytes of JSON")
        self._block, self._cells = block, cells
        self._file = CacheFile(path, elsewhere)
        self._waiting: list[CachedBatch] = []
        self._n_waiting = self._cells_waiting = 0
        self._begun = False

    @property
    def path(self) -> str | os.PathLike[str]:
        """Where the file is, or will be."""
        return self._file.path

    def __enter__(self) -> Self:
        self._file.begin()
        try:
            # Without its header the file is no cache.
            self._file.write(bytes(SIZE))
        except BaseException:
            self._file.abandon()
            raise
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            self._file.abandon()
            return
        try:
            self._finish()
        except BaseException:
            self._file.abandon()
            raise
        self._file.finish()

    def append(self, rows: object, targets: object = None, weights: object = None) -> None:
        """Add rows, in any number.

        Parameters
        ----------
        rows
            Sparse rows (of this package, or of scipy), a dense array (n, n_columns), or
            ``TextRows``, as the layout says. Those that are no ``TextRows`` are checked like the
            rows of a fit.
        targets
            Whole numbers (n,) or (n, width); always or never.
        weights
            Sample weights (n,), float64; always or never.
        """
        batch = self._check(rows, targets, weights)
        self._waiting.append(batch)
        self._n_waiting += batch.n_rows
        self._cells_waiting += batch.n_cells
        if self._n_waiting >= self._block or self._cells_waiting > self._cells:
            self._write_blocks(to_the_end=False)

    def _check(self, rows: object, targets: object, weights: object) -> CachedBatch:
        about = self._description
        batch = batch_of(rows, about.layout, about.n_columns)
        batch.targets = _targets(targets, batch.n_rows)
        batch.weights = _weights(weights, batch.n_rows)
        kinds = batch.value, batch.index, batch.width, batch.weights is not None
        if not self._begun:
            about.value, about.index, about.width, about.weighted = kinds
            self._begun = True
        elif kinds != (about.value, about.index, about.width, about.weighted):
            raise InputError(
                "types of values and columns, and what goes with each row, are those of the rows "
                "before",
                who="CacheWriter.append",
            )
        return batch

    def _write_blocks(self, to_the_end: bool) -> None:
        waiting = joined(self._waiting) if self._waiting else None
        first = 0
        while waiting is not None and first < waiting.n_rows:
            end = self._end_of_block(waiting, first)
            if end == waiting.n_rows and end - first < self._block and not to_the_end:
                break
            sections = waiting.part(first, end).packed(self._description)
            self._write_block(sections, end - first, waiting.cells_between(first, end))
            first = end
        self._waiting = [waiting.part(first, waiting.n_rows)] if waiting is not None else []
        self._n_waiting = sum(batch.n_rows for batch in self._waiting)
        self._cells_waiting = sum(batch.n_cells for batch in self._waiting)

    def _end_of_block(self, waiting: CachedBatch, first: int) -> int:
        most = int(waiting.starts[first]) + self._cells
        fitting = int(np.searchsorted(waiting.starts, most, "right")) - 1
        return max(first + 1, min(first + self._block, fitting, waiting.n_rows))

    def _write_block(self, sections: list[bytes], n_rows: int, n_cells: int) -> None:
        contents = b"".join(sections)
        self._file.write(contents)
        sizes = [len(section) for section in sections]
        entry = BlockEntry(*(n_rows, n_cells, *sizes, _native.digest(contents)))
        self._description.entries.append(entry)

    def _finish(self) -> None:
        self._write_blocks(to_the_end=True)
        if not self._begun:  # no rows: any types will do
            about = self._description
            about.value = 0 if about.layout == "counts" else 4
            about.index = 0 if about.layout == "dense" else 4
        header, directory = self._description.compose()
        self._file.write(directory)
        self._file.rewrite(header)


def _targets(targets: object, n_rows: int) -> Array | None:
    if targets is None:
        return None
    codes = np.asarray(targets)
    if not dtypes.is_whole(codes.dtype) or codes.ndim not in (1, 2) or len(codes) != n_rows:
        got = Given(f"an array of {codes.dtype}, shape {codes.shape}")
        raise InputError(
            parameter="targets",
            got=got,
            wanted=f"a whole number for each of {plural(n_rows, 'row')}",
        )
    return np.ascontiguousarray(codes, np.int64)


def _weights(weights: object, n_rows: int) -> Array | None:
    if weights is None:
        return None
    numbers = np.ascontiguousarray(weights, np.float64)
    if numbers.shape != (n_rows,) or not np.isfinite(numbers).all():
        wanted = f"a finite number for each of {plural(n_rows, 'row')}"
        raise InputError(parameter="weights", got=Given(f"shape {numbers.shape}"), wanted=wanted)
    return numbers
