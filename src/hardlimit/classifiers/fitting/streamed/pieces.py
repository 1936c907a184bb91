"""The examples of a stream as the learner takes them: a block at a time, from source or cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

import numpy as np

from hardlimit import _native, orders
from hardlimit.classifiers.fitting.streamed.labels import Targets
from hardlimit.classifiers.fitting.training_errors import LearntRows
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.training import Training
from hardlimit.engine import LiveState, largest_sqnorm, pair_examples, rows_of
from hardlimit.foundation import progress
from hardlimit.foundation.types import Array
from hardlimit.learner import Plan, Progressive
from hardlimit.streaming.blocks import Block, Csr
from hardlimit.streaming.pipeline import Pipeline

Tally = list[tuple[int, int, int]]


class Ready(NamedTuple):
    """A block whose rows were checked and measured.

    largest : the squared length of its longest row.
    """

    block: Block
    rows: _native.Rows
    largest: float


class Cache(Protocol):
    """Where the blocks of the first pass lie for those that follow."""

    def append(self, rows: Csr, targets: Array, weights: Array | None) -> None:
        """Keep a block."""

    def close(self) -> None:
        """Say that all blocks are there."""

    def block(self, number: int) -> tuple[Csr, Array, Array | None]:
        """Return a block as it was kept: rows, class numbers, and weights or None."""


# What is done after each block: the checkpoint, the line of progress.
AfterBlock = Callable[["StreamedExamples"], None]


class StreamedExamples:
    """Blocks of rows, presented as one set of examples.

    The first epoch takes them from ``blocks`` as they come; later ones from the cache, which the
    first has filled.

    n_rows, n_blocks : what came so far of the first pass, and after it all there is.
    largest : the squared length of the longest row so far.
    progressive : of the first pass, as far as it went.
    """

    def __init__(
        self,
        training: Training,
        blocks: Iterable[Block],
        targets: Targets,
        cache: Cache | None,
        after: AfterBlock,
    ) -> None:
        self.training, self.targets, self.cache = training, targets, cache
        self._choices: Choices = training.choices
        self._blocks: Iterable[Block] | None = blocks
        self._after = after
        self._tally: Tally = []
        self.last: Any = None
        self.n_rows = self.n_blocks = self.n_shown = self.epoch = 0
        self.largest = 0.0
        self.progressive: Progressive | None = None

    # What the learner asks

    @property
    def n_present(self) -> int:
        """How many examples there are, as far as they were counted."""
        return self.n_rows

    @property
    def length(self) -> int:
        """How many an epoch presents."""
        return self.n_rows

    def of_epoch(self, plan: Plan, epoch: int) -> Iterator[_native.Examples]:
        """Yield all examples in the order of this epoch, counted from 1."""
        self.training.state.take_tally()
        self._tally, self.n_shown, self.epoch = [], 0, epoch
        ready = self._first_pass() if self._blocks is not None else self._again(plan, epoch)
        for number, block, largest, targets, weights in ready:
            self.largest = max(self.largest, largest)
            yield self._piece(plan, epoch, number, block, targets, weights)
            self._tally = _added(self._tally, self.training.state.take_tally())
            self.n_shown += len(targets)
            if epoch == 1:
                self.progressive = self.so_far
            self._after(self)

    def all(self) -> Iterator[_native.Examples]:
        """Yield all examples, in any order."""
        for rows, targets, weights in self._cached(range(self.n_blocks)):
            yield self._examples(rows.rows, targets, weights)

    def take_tally(self, state: LiveState) -> Tally:
        """Return what the state has counted since the beginning of the epoch."""
        return _added(self._tally, state.take_tally())

    @property
    def so_far(self) -> Progressive:
        """The mistakes of the epoch under way."""
        judges = max(1, len(self._tally))
        return Progressive(self.n_shown * judges, sum(counts[0] for counts in self._tally))

    # For those who count errors

    def __iter__(self) -> Iterator[LearntRows]:
        shown = 0
        for ready, targets, _ in self._cached(range(self.n_blocks)):
            progress.report("counting the training errors", shown, self.n_rows)
            yield LearntRows(ready.rows, targets)
            shown += len(targets)

    # Blocks

    def _first_pass(self) -> Iterator[tuple[int, _native.Rows, float, Array, Array | None]]:
        blocks, self._blocks = self._blocks, None
        assert blocks is not None
        with Pipeline() as pipeline:
            ready = pipeline.ahead(self._make_ready(blocks))
            for number, (block, rows, largest) in enumerate(ready):
                targets, weights = self.targets.encode(self.training, block)
                if rows.n_columns > self.training.state.n_columns:
                    self.training.state.grow_columns(rows.n_columns)
                if self.cache is not None:
                    self.cache.append(block.rows, targets, weights)
                self.n_blocks, self.n_rows = number + 1, self.n_rows + len(targets)
                yield number, rows, largest, targets, weights
        if self.cache is not None:
            self.cache.close()

    def _again(
        self, plan: Plan, epoch: int
    ) -> Iterator[tuple[int, _native.Rows, float, Array, Array | None]]:
        order, numbers = plan.order, range(self.n_blocks)
        if isinstance(order, orders.Stream):
            found = order.blocks(self.n_blocks, plan.seed, epoch - 1)
            numbers = found.tolist()
        cached = self._cached(numbers)
        for number, (ready, targets, weights) in zip(numbers, cached, strict=True):
            yield number, ready.rows, 0.0, targets, weights

    def _cached(self, numbers: Iterable[int]) -> Iterator[tuple[Ready, Array, Array | None]]:
        """Yield blocks of the cache, read and checked a few ahead."""
        cache = self.cache
        assert cache is not None

        def read() -> Iterator[tuple[Ready, Array, Array | None]]:
            for number in numbers:
                rows, targets, weights = cache.block(number)
                wide = rows._replace(n_columns=self.training.state.n_columns)
                yield self._ready(Block(wide, [], weights)), targets, weights

        with Pipeline() as pipeline:
            yield from pipeline.ahead(read())

    def _make_ready(self, blocks: Iterable[Block]) -> Iterator[Ready]:
        width = self.training.state.n_columns
        for block in blocks:
            width = max(width, block.rows.n_columns)
            yield self._ready(block._replace(rows=block.rows._replace(n_columns=width)))

    def _ready(self, block: Block) -> Ready:
        choices = self._choices
        rows = rows_of(block.rows, choices.bias, "texts" if choices.text is not None else "X")
        if choices.scale is not None:
            rows = choices.scale.fitted(None).rows(rows)
        rows.keep_norms()
        self.training.check_rows(rows)
        return Ready(block, rows, largest_sqnorm(rows, choices.bias))

    def _piece(
        self,
        plan: Plan,
        epoch: int,
        number: int,
        rows: _native.Rows,
        targets: Array,
        weights: Array | None,
    ) -> _native.Examples:
        examples = self._examples(rows, targets, weights)
        if isinstance(plan.order, orders.Stream):
            inside = plan.order.inside(len(targets), number, plan.seed, epoch - 1)
            examples.set_order(inside)
        self.last = examples
        return examples

    def _examples(
        self, rows: _native.Rows, targets: Array, weights: Array | None
    ) -> _native.Examples:
        return pair_examples(rows, targets, weights, self._choices.tol)


def _added(tally: Tally, more: Tally) -> Tally:
    """Add counts of neurons, of which a class that came later has brought more."""
    pairs = zip_longest(tally, more, fillvalue=(0, 0, 0))
    return [(a[0] + b[0], a[1] + b[1], a[2] + b[2]) for a, b in pairs]


class MemoryCache:
    """Blocks kept in memory, for streams whose rows fit."""

    def __init__(self) -> None:
        self._blocks: list[tuple[Csr, Array, Array | None]] = []

    def append(self, rows: Csr, targets: Array, weights: Array | None) -> None:
        """Keep a block."""
        self._blocks.append((rows, np.array(targets), weights))

    def close(self) -> None:
        """Nothing is left to do."""

    def block(self, number: int) -> tuple[Csr, Array, Array | None]:
        """Return a block as it was kept."""
        return self._blocks[number]
