"""Rows of any layout with what goes with them: cut, joined and packed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hardlimit import _native
from hardlimit.engine.examples import canonical_arrays, dense_values, rows_of
from hardlimit.engine.matrices import is_sparse
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.formatting import plural

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array
    from hardlimit.streaming.cache_format import CacheDescription


@dataclass
class CachedBatch:
    """Rows with their targets and weights.

    starts : where the cells of each row begin, int64, n + 1 numbers. Of dense rows all are cells.
    columns : of each cell; None of dense rows.
    cells : values, or counts.
    """

    starts: Array
    columns: Array | None
    cells: Array
    targets: Array | None = None
    weights: Array | None = None

    @property
    def n_rows(self) -> int:
        """Rows."""
        return len(self.starts) - 1

    @property
    def n_cells(self) -> int:
        """Cells of all rows."""
        return self.cells_between(0, self.n_rows)

    @property
    def value(self) -> int:
        """Bytes of a value; 0 of counts."""
        return 0 if self.cells.dtype.kind == "u" else self.cells.itemsize

    @property
    def index(self) -> int:
        """Bytes of a column number; 0 of dense rows."""
        return 0 if self.columns is None else self.columns.itemsize

    @property
    def width(self) -> int:
        """Targets of a row; 0 where there are none."""
        if self.targets is None:
            return 0
        return 1 if self.targets.ndim == 1 else self.targets.shape[1]

    def cells_between(self, first: int, end: int) -> int:
        """Cells of these rows."""
        return int(self.starts[end] - self.starts[first])

    def part(self, first: int, end: int) -> CachedBatch:
        """Return rows ``first`` to ``end - 1``, over the same memory."""
        begin, stop = int(self.starts[first]), int(self.starts[end])
        return CachedBatch(
            self.starts[first : end + 1] - begin,
            None if self.columns is None else self.columns[begin:stop],
            self.cells[begin:stop],
            None if self.targets is None else self.targets[first:end],
            None if self.weights is None else self.weights[first:end],
        )

    def packed(self, about: CacheDescription) -> list[bytes]:
        """Return the sections of a block."""
        columns: bytes | None = b""
        counts: bytes | None = b""
        values = b""
        if self.columns is not None:
            of_counts = None if self.value else self.cells
            columns, counts = _native.pack_cells(
                self.starts, self.columns, of_counts, about.n_columns
            )
        if self.value:
            values = _pack(self.cells, floats=True)
        targets = b"" if self.targets is None else _pack(self.targets, floats=False)
        weights = b"" if self.weights is None else _pack(self.weights, floats=True)
        return [columns or b"", counts or b"", values, targets, weights]


def _pack(numbers: Array, floats: bool) -> bytes:
    octets = np.ascontiguousarray(numbers).reshape(-1).view(np.uint8)
    return _native.pack_numbers(octets, numbers.itemsize, floats)


def batch_of(rows: object, layout: str, n_columns: int) -> CachedBatch:
    """Return rows as a batch, checked.

    Raises
    ------
    InputError, KindError
        Rows of another layout or width, and what no fit would take.
    """
    if layout == "counts":
        return _counts(rows)
    if is_sparse(rows) != (layout == "values"):
        got = Given("sparse rows" if is_sparse(rows) else "dense rows")
        raise KindError(parameter="rows", got=got, wanted=f"rows of the layout {layout!r}")
    return _sparse(rows, n_columns) if layout == "values" else _dense(rows, n_columns)


def _counts(rows: object) -> CachedBatch:
    if isinstance(rows, Csr) and rows.data.dtype == np.uint32:
        return CachedBatch(rows.indptr, rows.indices, rows.data)
    if not isinstance(rows, _native.TextRows):
        wanted = "counts of terms, as TextVectorizer.count gives them"
        raise KindError(parameter="rows", got=rows, wanted=wanted)
    return CachedBatch(*rows.take_counts())


def _sparse(rows: Any, n_columns: int) -> CachedBatch:
    _check_width(rows.shape[1], n_columns)
    starts, columns, values = canonical_arrays(rows)
    if columns.dtype not in (np.int32, np.int64):
        columns = columns.astype(np.int64)
    end = int(starts[-1])
    return CachedBatch(
        np.ascontiguousarray(starts, np.int64),
        np.ascontiguousarray(columns[:end]),
        np.ascontiguousarray(values[:end]),
    )


def _dense(rows: object, n_columns: int) -> CachedBatch:
    rows_of(rows, 0.0)  # refuses what is not finite
    values = dense_values(rows)
    n_rows = len(values)
    _check_width(values.shape[1], n_columns)
    return CachedBatch(np.arange(n_rows + 1, dtype=np.int64) * n_columns, None, values.reshape(-1))


def _check_width(found: int, n_columns: int) -> None:
    if found != n_columns:
        raise InputError(
            parameter="rows", got=Given(plural(found, "column")), wanted=f"{n_columns:,}"
        )


def joined(batches: list[CachedBatch]) -> CachedBatch:
    """Return several batches as one."""
    if len(batches) == 1:
        return batches[0]
    ends = np.cumsum([batch.n_cells for batch in batches])
    starts = [batches[0].starts] + [
        batch.starts[1:] + end for batch, end in zip(batches[1:], ends, strict=False)
    ]
    return CachedBatch(
        np.concatenate(starts),
        _all([batch.columns for batch in batches]),
        np.concatenate([batch.cells for batch in batches]),
        _all([batch.targets for batch in batches]),
        _all([batch.weights for batch in batches]),
    )


def _all(parts: list[Array | None]) -> Array | None:
    there = [part for part in parts if part is not None]
    return np.concatenate(there) if there else None
