"""Batches of rows of numbers in, blocks of sparse rows out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from hardlimit.classifiers.features.numbers import ColumnCount, NumberFeatures
from hardlimit.classifiers.fitting.streamed.looking import look_at_all
from hardlimit.classifiers.fitting.streamed.opened import Asked, Opened, as_counted, leave_out
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.model.model import Model
from hardlimit.classifiers.targets import absent_classes, require_rows
from hardlimit.engine import (
    canonical_arrays,
    dense_values,
    explain_refusals,
    is_sparse,
)
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.tables import check_feature_names, feature_names
from hardlimit.streaming.batches import RowBatch
from hardlimit.streaming.blocks import Block, cut

# Rows whose classes are looked at before anything is learnt, and the most cells that they have.
HEAD_ROWS = 10_000
HEAD_CELLS = 1 << 23


def open_numbers(asked: Asked) -> Opened:
    """Find classes and columns in the first rows; blocks of rows come as they are asked for."""
    choices, passes, counts = asked.choices, ["learn"], None
    names, blocks = _open_blocks(asked)
    features = NumberFeatures(choices)
    head: list[Block] = []
    n_rows, n_cells, whole = 0, 0, False
    while n_rows < HEAD_ROWS and n_cells < HEAD_CELLS:
        block = next(blocks, None)
        if block is None:
            whole = True
            break
        head.append(block)
        n_rows, n_cells = n_rows + block.n_rows, n_cells + len(block.examples.data)
    require_rows(n_rows, "batches")
    weighted = any(block.weights is not None for block in head)
    n_columns = max(block.examples.n_columns for block in head)
    labels = [label for block in head for label in block.labels][:HEAD_ROWS]
    blocks = chain(head, blocks)

    def again() -> Iterator[Block]:
        return _map_blocks(_open_blocks(asked)[1], features)

    if asked.resumed is not None:
        features.restore(asked.resumed)
        n_columns, blocks = asked.resumed.n_columns, _map_blocks(blocks, features)
    elif features.is_mapped:
        if any(block.examples.grows for block in head):
            asked.source.require_repeats("columns are counted before any row is mapped")
            seen = ColumnCount()
            counts = look_at_all(seen, blocks, lambda: _open_blocks(asked)[1], asked.targets)
            passes, n_columns = [*(each.what for each in seen.passes), *passes], seen.n_columns
            blocks = as_counted(_open_blocks(asked)[1], counts, asked.targets)
        n_columns, blocks = features.fit_map(n_columns, names), _map_blocks(blocks, features)
    if asked.resumed is None and (choices.balanced or features.counts):
        why = "columns are measured" if features.counts else "the classes are counted"
        asked.source.require_repeats(f"{why} before any row is learnt")
        counts = look_at_all(features, blocks, again, asked.targets)
        *before, last = passes
        passes = [*before, *(each.what for each in features.passes), last]
        n_columns, blocks = features.n_columns, as_counted(again(), counts, asked.targets)
    more = {**features.of_model, "feature_names": names}
    if asked.resumed is not None:
        book = asked.resumed.classes
        counts = Counter(asked.resumed.state.class_counts.counts) or None
        weighted = asked.position is not None and asked.position.has_weights
    else:
        book = asked.targets.open_book(choices, labels, counts, asked.classes, whole=whole)
    start = asked.weights_at_start(book)
    marked = _mark(cut(blocks, asked.size), asked)
    return Opened(book, marked, n_columns, Model, more, weighted, counts, passes, start)


def _map_blocks(blocks: Iterable[Block], features: NumberFeatures) -> Iterator[Block]:
    """Yield the blocks with the columns that are learnt."""
    for block in blocks:
        yield replace(block, rows=features.mapped(block.examples))


def _mark(blocks: Iterable[Block], asked: Asked) -> Iterator[Block]:
    """Yield the blocks with the digest of all so far, for checkpoints."""
    digest = asked.digest
    for block in blocks:
        if digest is not None:
            rows = block.examples
            digest.add_rows((rows.indptr, rows.indices, rows.data), block.labels, block.weights)
            block = replace(block, mark=digest.now)
        yield block


def _open_blocks(asked: Asked) -> tuple[Any, Iterator[Block]]:
    """Return the names of the columns, and the rows as they come."""
    batches = asked.pipeline.ahead(asked.source)
    first = next(batches, None)
    if first is None:
        require_rows(0, "batches")
        raise AssertionError
    names = feature_names(first.examples)
    absent = absent_classes(asked.choices)
    return names, _make_blocks(chain([first], batches), asked, names, absent)


def _make_blocks(
    batches: Iterator[RowBatch], asked: Asked, names: Any, absent: set[Any]
) -> Iterator[Block]:
    """Yield the rows of each batch as sparse ones; examples of weight 0 are left out."""
    width = 0
    for number, batch in enumerate(batches):
        if number:
            check_feature_names(names, batch.examples)
        rows = _as_csr(batch.examples)
        width = _check_width(batch.examples, rows.n_columns, width, number)
        n_rows = rows.shape[0]
        if not n_rows:
            continue
        labels, weights = asked.read_labels(n_rows, batch.labels, "X"), None
        if batch.weights is not None:
            weights = read_weights(batch.weights, n_rows)
        if absent or weights is not None:
            kept, labels, weights = leave_out(labels, weights, absent)
            rows = rows.take(kept)
        yield Block(rows, labels, weights)


def _check_width(X: Any, found: int, width: int, number: int) -> int:
    """Return the columns of all rows so far; of a matrix those of the first batch."""
    if number == 0 or getattr(X, "grows", False):
        return max(found, width)
    if found != width:
        raise InputError(
            parameter=f"batches[{number}]",
            got=Given(f"{found} columns"),
            wanted=f"{width}, as in the first batch",
        )
    return width


def _as_csr(X: Any) -> Csr:
    """Return a dense or sparse matrix as sparse rows; which of the two changes no bit."""
    with explain_refusals("X"):
        if is_sparse(X):
            indptr, indices, data = canonical_arrays(X)
            starts, grows = indptr.astype(np.int64), getattr(X, "grows", False)
            return Csr(starts, indices, data.astype(np.float64), X.shape[1], grows)
        values = dense_values(X)
    places, columns = np.nonzero(values)
    indptr = np.zeros(len(values) + 1, np.int64)
    np.add.accumulate(np.bincount(places, minlength=len(values)), out=indptr[1:])
    data = values[places, columns].astype(np.float64)
    return Csr(indptr, columns.astype(np.int32), data, values.shape[1])
