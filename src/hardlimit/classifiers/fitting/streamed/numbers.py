"""Batches of rows of numbers in, blocks of sparse rows out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from hardlimit.classifiers.fitting import fit
from hardlimit.classifiers.fitting.streamed.labels import absent_classes, open_book, read_labels
from hardlimit.classifiers.fitting.streamed.opened import Opened, leave_out
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.labels import read_weights
from hardlimit.classifiers.model.model import Model
from hardlimit.engine import canonical_arrays, dense_values, explain_refusals, is_sparse
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.tables import check_feature_names, feature_names
from hardlimit.streaming.batches import Batch
from hardlimit.streaming.blocks import Block, Csr

# Rows whose classes are looked at before anything is learnt, and the most cells that they have.
HEAD_ROWS = 10_000
HEAD_CELLS = 1 << 23


def open_numbers(choices: Choices, batches: Iterator[Batch], classes: Any) -> Opened:
    """Find classes and columns in the first rows; blocks of rows come as they are asked for."""
    first = next(batches, None)
    if first is None:
        fit.require_rows(0, "batches")
        raise AssertionError
    names = feature_names(first.examples)
    blocks = _make_blocks(chain([first], batches), names, absent_classes(choices))
    head: list[Block] = []
    n_rows = n_cells = 0
    while n_rows < HEAD_ROWS and n_cells < HEAD_CELLS and (block := next(blocks, None)) is not None:
        head.append(block)
        n_rows, n_cells = n_rows + block.n_rows, n_cells + len(block.rows.data)
    fit.require_rows(n_rows, "batches")
    book = open_book(choices, (label for block in head for label in block.labels), classes)
    scale = None if choices.scale is None else choices.scale.fitted(None)
    more = {"scale": scale, "feature_names": names}
    return Opened(book, chain(head, blocks), head[0].rows.n_columns, Model, more)


def _make_blocks(batches: Iterator[Batch], names: Any, absent: set[Any]) -> Iterator[Block]:
    """Yield the rows of each batch as sparse ones; examples of weight 0 are left out."""
    width: int | None = None
    for number, batch in enumerate(batches):
        if number:
            check_feature_names(names, batch.examples)
        rows = _as_csr(batch.examples)
        width = rows.n_columns if width is None else width
        if rows.n_columns != width:
            raise InputError(
                parameter=f"batches[{number}]",
                got=Given(f"{rows.n_columns} columns"),
                wanted=f"{width}, as in the first batch",
            )
        n_rows = rows.shape[0]
        if not n_rows:
            continue
        labels, weights = read_labels(n_rows, batch.labels, "X"), None
        if batch.weights is not None:
            weights = read_weights(batch.weights, n_rows)
        if absent or weights is not None:
            kept, labels, weights = leave_out(labels, weights, absent)
            rows = rows.take(kept)
        yield Block(rows, labels, weights)


def _as_csr(X: Any) -> Csr:
    """Return a dense or sparse matrix as sparse rows; which of the two changes no bit."""
    with explain_refusals("X"):
        if is_sparse(X):
            indptr, indices, data = canonical_arrays(X)
            return Csr(indptr.astype(np.int64), indices, data, X.shape[1])
        values = dense_values(X)
    places, columns = np.nonzero(values)
    indptr = np.zeros(len(values) + 1, np.int64)
    np.add.accumulate(np.bincount(places, minlength=len(values)), out=indptr[1:])
    return Csr(indptr, columns.astype(np.int32), values[places, columns], values.shape[1])
