"""The examples of a stream as the learner takes them: a block at a time, from source or cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Protocol

from hardlimit import _native, orders
from hardlimit.classifiers.fitting.streamed.position import Position
from hardlimit.classifiers.fitting.training_errors import LearntRows
from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.training import Training
from hardlimit.classifiers.targets import Encoder
from hardlimit.engine import LiveState, largest_sqnorm, pair_examples, rows_of
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import Given, InputError
from hardlimit.foundation import progress
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.learner import Plan, Progressive
from hardlimit.scaling import Scale
from hardlimit.streaming.blocks import Block
from hardlimit.streaming.pipeline import Pipeline

Tally = list[tuple[int, int, int]]


class Cache(Protocol):
    """Where the blocks of the first pass lie for those that follow."""

    def append(self, rows: object, targets: Array, weights: Array | None) -> None:
        """Keep a block: its rows, or of texts their counts."""

    def close(self) -> None:
        """Say that all blocks are there."""

    def block(self, number: int) -> tuple[Csr, Array, Array | None]:
        """Return a block as it was kept: rows, class numbers, and weights or None."""


@dataclass(frozen=True)
class Ready:
    """A block as it is presented.

    number : its place in the first pass.      largest : the squared length of its longest row.
    rows : None where an earlier run has learnt them.
    """

    number: int
    rows: _native.Rows | None
    targets: Any
    weights: Array | None
    largest: float = 0.0
    mark: str = ""


class StreamedExamples:
    """Blocks of rows, presented as one set of examples.

    The first epoch takes them from ``blocks`` as they come; later ones from the cache, which the
    first has filled. A run that was broken off goes on at ``start``; ``check`` is told the digest
    of the rows that came again until there.

    n_rows, n_blocks : what came so far of the first pass, and after it all there is.
    largest : the squared length of the longest row so far.
    progressive : of the first pass, as far as it went.
    """

    def __init__(
        self,
        training: Training,
        blocks: Iterable[Block] | None,
        targets: Encoder,
        cache: Cache | None,
        after: Callable[[StreamedExamples], None],
        start: Position | None,
        check: Callable[[str], object],
        scale: Scale | None,
    ) -> None:
        self.training, self.targets, self.cache = training, targets, cache
        self._choices: Choices = training.choices
        self._blocks, self._after, self._start, self._check_mark = blocks, after, start, check
        self._scale = scale
        self._tally: Tally = []
        self.last: Any = None
        self.n_rows = self.n_blocks = self.n_shown = self.epoch = self._n_done = 0
        self.largest, self._mark = 0.0, ""
        self.progressive: Progressive | None = None
        if start is not None:
            self.largest, self._mark = float.fromhex(start.largest), start.digest
            if blocks is None:
                self.n_rows, self.n_blocks = start.n_rows, start.n_blocks

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
        self._begin(epoch)
        if epoch > 1 and self._blocks is not None:
            # The cache of the run that was broken off is gone: it is filled anew.
            for _ in self._first_pass():
                pass
        begun = self._n_done
        ready = self._first_pass(begun) if epoch == 1 else self._again(plan, epoch, begun)
        for block in ready:
            self.largest = max(self.largest, block.largest)
            yield self._piece(plan, epoch, block)
            self._tally = _added(self._tally, self.training.state.take_tally())
            self.n_shown, self._n_done = self.n_shown + len(block.targets), self._n_done + 1
            self._mark = block.mark or self._mark
            if epoch == 1:
                self.progressive = self.so_far
            self._after(self)

    def _begin(self, epoch: int) -> None:
        start = self._start
        self.epoch, self.n_shown, self._n_done, self._tally = epoch, 0, 0, []
        if start is not None and start.epoch == epoch:
            self.n_shown, self._n_done = start.shown, start.blocks
            self._tally = [(counts[0], counts[1], counts[2]) for counts in start.tally]

    def all(self) -> Iterator[_native.Examples]:
        """Yield all examples, in any order."""
        for block in self._cached(range(self.n_blocks)):
            yield self._examples(block)

    def take_tally(self, state: LiveState) -> Tally:
        """Return what the state has counted since the beginning of the epoch."""
        return _added(self._tally, state.take_tally())

    @property
    def so_far(self) -> Progressive:
        """The mistakes of the epoch under way."""
        judges = max(1, len(self._tally))
        return Progressive(self.n_shown * judges, sum(counts[0] for counts in self._tally))

    @property
    def position(self) -> Position:
        """How far the run is, between two blocks."""
        return Position(
            self.epoch,
            self._n_done,
            self.n_shown,
            [list(counts) for counts in self._tally],
            self.n_rows,
            self.n_blocks,
            self._mark,
            self.largest.hex(),
            self.targets.weighted,
            resting=[k for k, rests in enumerate(self.training.state.resting) if rests],
        )

    # For those who count errors

    def __iter__(self) -> Iterator[LearntRows]:
        shown = 0
        for block in self._cached(range(self.n_blocks)):
            progress.report("counting the training errors", shown, self.n_rows)
            yield LearntRows(block.rows, block.targets)
            shown += len(block.targets)

    # Blocks

    def _first_pass(self, learnt: int = 1 << 62) -> Iterator[Ready]:
        """Yield the blocks of the source, but for those that an earlier run has learnt."""
        blocks, self._blocks = self._blocks, None
        start = self._start
        assert blocks is not None
        with Pipeline() as pipeline:
            for ready in pipeline.ahead(self._make_ready(blocks)):
                block: Block = ready.targets
                targets, weights = self.targets.encode(self.training, block)
                if ready.rows is not None and ready.rows.n_columns > self.training.state.n_columns:
                    self._grow(ready.rows.n_columns)
                if self.cache is not None:
                    kept = block.rows if block.counts is None else block.counts
                    self.cache.append(kept, targets, weights)
                self.n_blocks, self.n_rows = ready.number + 1, self.n_rows + block.n_rows
                if start is not None and self.n_blocks == start.n_blocks:
                    self._check_mark(block.mark)
                if ready.number >= learnt:
                    yield replace(ready, targets=targets, weights=weights)
        if start is not None and self.n_blocks < start.n_blocks:
            self._check_mark("")
        if self.cache is not None:
            self.cache.close()

    def _grow(self, n_columns: int) -> None:
        """Make room for columns that no row had before: their weights are 0 so far."""
        self.training.check_growing()
        if self.training.start is not None:
            raise InputError(
                "rows with more columns came than there are weights to begin at",
                parameter="initial_weights",
                got=Given(f"weights of {plural(self.training.state.n_columns, 'column')}"),
                wanted=f"weights of {plural(n_columns, 'column')}",
            )
        if self.training.watched:
            raise InputError(
                f"a read-out such as {self.training.watched[0]!r} keeps weights of all columns, "
                "and rows with more columns came",
                parameter="keep",
                fix="keep the last and the averaged weights",
            )
        self.training.state.grow_columns(n_columns)

    def _make_ready(self, blocks: Iterable[Block]) -> Iterator[Ready]:
        """Check and measure the rows, in the thread that made them."""
        width = self.training.state.n_columns
        for number, block in enumerate(blocks):
            if block.rows is None:
                yield Ready(number, None, block, None, mark=block.mark)
                continue
            width = max(width, block.rows.n_columns)
            rows = self._check(block.rows.widened(width))
            largest = largest_sqnorm(rows, self._choices.bias)
            yield Ready(number, rows, block, None, largest, block.mark)

    def _again(self, plan: Plan, epoch: int, learnt: int) -> Iterator[Ready]:
        order, numbers = plan.order, list(range(self.n_blocks))
        if isinstance(order, orders.Stream):
            numbers = order.blocks(self.n_blocks, plan.seed, epoch - 1).tolist()
        yield from self._cached(numbers[learnt:])

    def _cached(self, numbers: Iterable[int]) -> Iterator[Ready]:
        """Yield blocks of the cache, read and checked a few ahead."""
        cache, width = self.cache, self.training.state.n_columns
        assert cache is not None

        def read() -> Iterator[Ready]:
            for number in numbers:
                rows, targets, weights = cache.block(number)
                yield Ready(number, self._check(rows.widened(width)), targets, weights)

        with Pipeline() as pipeline:
            yield from pipeline.ahead(read())

    def _check(self, given: Csr) -> _native.Rows:
        choices = self._choices
        rows = rows_of(given, choices.bias, "texts" if choices.text is not None else "X")
        if choices.scale is not None:
            assert self._scale is not None  # of a stream it is fitted before any row is learnt
            rows = self._scale.rows(rows)
        rows.keep_norms()
        self.training.check_rows(rows)
        return rows

    def _piece(self, plan: Plan, epoch: int, block: Ready) -> _native.Examples:
        examples = self._examples(block)
        if isinstance(plan.order, orders.Stream):
            n = len(block.targets)
            examples.set_order(plan.order.inside(n, block.number, plan.seed, epoch - 1))
        self.last = examples
        return examples

    def _examples(self, block: Ready) -> _native.Examples:
        if block.rows is None:
            raise InputError("rows that were learnt before are asked for again")
        return pair_examples(block.rows, block.targets, block.weights, self._choices.tol)


def _added(tally: Tally, more: Tally) -> Tally:
    """Add counts of neurons, of which a class that came later has brought more."""
    pairs = zip_longest(tally, more, fillvalue=(0, 0, 0))
    return [(a[0] + b[0], a[1] + b[1], a[2] + b[2]) for a, b in pairs]
