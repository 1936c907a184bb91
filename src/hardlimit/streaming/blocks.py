"""Blocks of rows of one size, whatever batches they came in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardlimit.examples.sparse import Csr
from hardlimit.foundation.types import Array


@dataclass(frozen=True)
class Block:
    """Rows, a label (or a class number) for each, and weights or None.

    rows : None where nobody wants them.
    mark : the digest of all examples so far, where somebody asked for it.
    counts : of texts, the counts that are kept in place of the rows; None: the rows are.
    """

    rows: Csr | None
    labels: list[Any]
    weights: Array | None = None
    mark: str = ""
    counts: Csr | None = None

    @property
    def examples(self) -> Csr:
        """The rows, which are wanted."""
        assert self.rows is not None
        return self.rows

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.labels)

    @property
    def size_in_bytes(self) -> int:
        """Of the cells."""
        held = (one for one in (self.rows, self.counts) if one is not None)
        return sum(one.indices.nbytes + one.data.nbytes for one in held)

    def part(self, begin: int, end: int) -> Block:
        """Return the rows begin .. end - 1."""
        weights = None if self.weights is None else self.weights[begin:end]
        rows = None if self.rows is None else self.rows.part(begin, end)
        return Block(rows, self.labels[begin:end], weights)


def join(blocks: list[Block]) -> Block:
    """Return the rows of several blocks under each other, as wide as the widest.

    The mark is that of the last, which is of all so far.
    """
    if len(blocks) == 1:
        return blocks[0]
    weights = None
    if any(block.weights is not None for block in blocks):
        given = [np.ones(b.n_rows) if b.weights is None else b.weights for b in blocks]
        weights = np.concatenate(given)
    labels = [label for block in blocks for label in block.labels]
    rows, counts = (_stack([b.rows for b in blocks]), _stack([b.counts for b in blocks]))
    return Block(rows, labels, weights, blocks[-1].mark, counts)


def _stack(given: list[Csr | None]) -> Csr | None:
    parts = [rows for rows in given if rows is not None]
    return Csr.joined(parts) if parts else None


def cut(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """Yield blocks of ``size`` rows, the last of what is left.

    >>> rows = Csr(np.arange(4), np.zeros(3, np.int32), np.ones(3), 1)
    >>> [block.n_rows for block in cut([Block(rows, [0, 1, 0])] * 3, 4)]
    [4, 4, 1]
    """
    waiting: list[Block] = []
    n_waiting = 0
    for block in blocks:
        begin = 0
        while n_waiting + block.n_rows - begin >= size:
            end = begin + size - n_waiting
            yield join([*waiting, block.part(begin, end)])
            waiting, n_waiting, begin = [], 0, end
        if begin < block.n_rows:
            waiting.append(block.part(begin, block.n_rows))
            n_waiting += block.n_rows - begin
    if waiting:
        yield join(waiting)
