"""Iterative parameter mixing: shards learn an epoch each, and their weights are mixed.

::

    epoch n:    w_i  = the weights after an epoch over shard i, which begins at w
                w   <- sum_i mu_i w_i,        mu_i >= 0,  sum_i mu_i = 1
    averaged:   the mean of the hypotheses that all shards passed through, each presentation
                counting once, whatever mu is

``uniform`` has ``mu_i = 1 / shards``; ``mistakes`` has ``mu_i`` in proportion to the corrections of
the shard in this epoch (the perceptron's mistakes), of neurons that learn by themselves each its
own. With the perceptron and ``R = max ||x||``, on rows that a unit vector separates by gamma,

    sum_n sum_i mu_{i,n} k_{i,n} <= R^2 / gamma^2

so that at most ``R^2 / gamma^2`` epochs correct anything with ``mistakes``, and ``shards`` times
as many with ``uniform``. ``inertial`` and ``accelerated`` begin with equal shares and go further
than the mean: :mod:`.acceleration`. An epoch without a mistake in any shard separates all rows.
McDonald, Hall and Mann, Distributed training strategies for the structured perceptron, NAACL 2010,
Theorem 3.

Everything here is a function of the number of shards and of their rows: a shard's epoch of the
weights at its start, the mixture of what the shards moved, summed over a fixed binary tree by shard
number, ``((0 + 1) + (2 + 3)) + ...``. Who learns a shard, and who is done first, changes no bit. Of
one shard the mixture is its weights, to the last bit.

The sums behind the average are mixed so that they go on: with ``c`` presentations so far (and 1,
unless the average counts the weights before each presentation), ``c w - u`` is the sum of all
hypotheses. The shards' own sums add up to that of the mixture where

    u' = (sum u_i - (m - 1) u) + (c' w' - sum c_i w_i) + (sum c_i - c') w

over the m shards that moved the cell; ``c_i`` counts to the end of shard i, ``c'`` to that of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hardlimit import _native
from hardlimit.engine.acceleration import MOMENTA, Lead, accelerate, no_lead
from hardlimit.engine.acceleration import Delta as Delta
from hardlimit.engine.acceleration import ShardTally as ShardTally
from hardlimit.foundation.types import FloatArray, IntArray
from hardlimit.foundation.workers import count_cores

MIXINGS = ("uniform", "mistakes", "inertial", "accelerated")
# Non-zeros between two looks at whether to stop: some milliseconds.
_BUDGET = 1 << 22
# An odd multiple for each shard: neighbours of one seed share no permutation.
_SHARDS_APART = 0x2545F4914F6CDD1D


class StoppedError(Exception):
    """An epoch was broken off because somebody asked for that."""


def shard_seed(seed: int, shard: int) -> int:
    """Return the seed of a shard's order; the first shard has the seed itself.

    >>> shard_seed(7, 0), shard_seed(7, 1) == shard_seed(7, 2)
    (7, False)
    """
    return (seed + _SHARDS_APART * shard) % 2**63 if shard else seed


def distinct_columns(examples: _native.Examples) -> IntArray:
    """Return the columns that the rows of the order hold, ascending: no others can move."""
    return _native.distinct_columns(examples)


def run_epoch(
    state: _native.Online,
    base: _native.Online,
    examples: _native.Examples,
    columns: IntArray,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[Delta, ShardTally]:
    """Present one shard's epoch from the weights of ``base``; what it moved, and its tally.

    Parameters
    ----------
    state : with the weights of ``base``, which it has again at the end; ``base`` itself needs less
        memory, and is a little slower
    examples : in the order of the epoch
    columns : those of the shard: :func:`distinct_columns`

    Cost: that of an ordinary epoch, and a look at each weight of the columns of the rows that were
    corrected, or of all the shard's columns where these are fewer.

    Raises
    ------
    StoppedError
        ``is_stopped`` said so. Another state than ``base`` is then of no more use.
    """
    if state is base:
        return _run_and_take_back(state, examples, columns, is_stopped)
    _put_counts(state, _counts_of(base))
    tally, corrected = _present(state, examples, len(columns), is_stopped)
    delta = Delta(*_native.moved_cells(state, base, columns if corrected is None else corrected))
    _native.copy_cells(state, base, delta.cells)
    return delta, tally


def _run_and_take_back(
    state: _native.Online,
    examples: _native.Examples,
    columns: IntArray,
    is_stopped: Callable[[], bool],
) -> tuple[Delta, ShardTally]:
    """Do it with one state: what the columns hold is kept aside."""
    counts, kept = _counts_of(state), _native.KeptColumns(state, columns)
    corrected: IntArray | None = None
    try:
        _put_counts(state, counts)  # and an empty tally
        tally, corrected = _present(state, examples, len(columns), is_stopped)
    finally:
        delta = Delta(*kept.take_back(state, corrected))
        _put_counts(state, counts)
    return delta, tally


def _present(
    state: _native.Online,
    examples: _native.Examples,
    most: int,
    is_stopped: Callable[[], bool],
) -> tuple[ShardTally, IntArray | None]:
    """Present the epoch; the columns of corrected rows, None where these hold more values.

    What nobody corrected has not moved; to look at all columns may still be the shorter way.
    """
    _native.note_corrected(state)
    position = 0
    while position < examples.length:
        if is_stopped():
            raise StoppedError
        position = state.present(examples, position, _BUDGET)
    tally = ShardTally(examples.length, tuple(state.take_tally()))
    return tally, _native.corrected_columns(state, examples, most)


class _Counts(NamedTuple):
    """What a state has counted, and which neurons rest: all that moves beside its weights."""

    presentations: int
    corrections: Sequence[int]
    lengths: Sequence[tuple[float, float, int]]
    resting: Sequence[bool]


def _counts_of(state: _native.Online) -> _Counts:
    return _Counts(state.presentations, state.corrections, state.lengths, state.resting)


def _put_counts(state: _native.Online, counts: _Counts) -> None:
    state.restore_counts(counts.presentations, counts.corrections, counts.lengths)
    state.wake()
    for neuron, rests in enumerate(counts.resting):
        if rests:
            state.rest(neuron)
    state.take_tally()


def find_differences(state: _native.Online, other: _native.Online) -> Delta:
    """Return all cells in which a state differs from another of its shape, and what it holds."""
    columns = np.arange(state.n_columns, dtype=np.int64)
    return Delta(*_native.moved_cells(state, other, columns))


def mix(
    base: _native.Online,
    deltas: Sequence[Delta],
    tallies: Sequence[ShardTally],
    mixing: str = "uniform",
    averaging: str = "post",
) -> Delta:
    """Return what the cells that any shard moved hold after the mixture; ``base`` stays.

    Cost: O(shards x cells that any of them moved), and a logarithm for those that many moved.
    """
    clock = _clock(base, averaging)
    clocks = [clock + tally.presentations for tally in tallies]
    after = clock + sum(tally.presentations for tally in tallies)
    return Delta(
        *_native.mix_cells(
            base,
            [delta.cells for delta in deltas],
            [delta.w for delta in deltas],
            [delta.u for delta in deltas],
            np.ascontiguousarray(mixing_shares(tallies, mixing)).ravel(),
            np.array(clocks, np.float64),
            float(after),
        )
    )


def _clock(base: _native.Online, averaging: str) -> int:
    """What weights count by now in the sums behind the average."""
    return base.presentations + (0 if averaging == "pre" else 1)


def mix_ahead(
    base: _native.Online,
    deltas: Sequence[Delta],
    tallies: Sequence[ShardTally],
    mixing: str,
    averaging: str,
    lead: Lead,
) -> tuple[Delta, Lead]:
    """Return what the cells hold after mixing with momentum, and their lead; ``base`` stays.

    mixing : of :data:`.acceleration.MOMENTA`.    lead : of the epoch before, at least that of these
    cells
    """
    mixed = mix(base, deltas, tallies, "uniform", averaging)
    if len(deltas) == 1:
        return mixed, no_lead()
    clock = _clock(base, averaging) + sum(tally.presentations for tally in tallies)
    return accelerate(MOMENTA[mixing], base, deltas, tallies, mixed, lead, clock)


def split_cells(deltas: Sequence[Delta], n_parts: int) -> list[list[Delta]]:
    """Return the deltas in parts of their cells, ascending: each part can be mixed by itself.

    >>> one = Delta(np.array([1, 4, 9]), np.ones(3), None)
    >>> [[delta.cells.tolist() for delta in part] for part in split_cells([one], 2)]
    [[[1]], [[4, 9]]]
    """
    largest = max(deltas, key=lambda delta: len(delta.cells)).cells
    # Between the quantiles of the shard that moved most.
    borders = [
        largest[len(largest) * part // n_parts] for part in range(1, n_parts) if len(largest)
    ]
    cuts = [[0, *np.searchsorted(d.cells, borders).tolist(), len(d.cells)] for d in deltas]
    return [
        [_part_of(d, at[part], at[part + 1]) for d, at in zip(deltas, cuts, strict=True)]
        for part in range(len(borders) + 1)
    ]


def _part_of(delta: Delta, begin: int, end: int) -> Delta:
    part = slice(begin, end)
    return Delta(delta.cells[part], delta.w[part], None if delta.u is None else delta.u[part])


def join_cells(parts: Sequence[Delta]) -> Delta:
    """Return parts of :func:`split_cells`, mixed or not, as one."""
    if len(parts) == 1:
        return parts[0]
    sums = [part.u for part in parts if part.u is not None]
    return Delta(
        np.concatenate([part.cells for part in parts]),
        np.concatenate([part.w for part in parts]),
        np.concatenate(sums) if sums else None,
    )


def mixing_shares(tallies: Sequence[ShardTally], mixing: str) -> FloatArray:
    """Return mu, (n_shards, n_neurons); 0 for neurons that no shard corrected.

    mixing : "uniform" or "mistakes"; what has momentum has more than shares

    >>> tallies = [ShardTally(9, ((1, 1, 1),)), ShardTally(9, ((3, 3, 3),))]
    >>> mixing_shares(tallies, "uniform").tolist(), mixing_shares(tallies, "mistakes").tolist()
    ([[0.5], [0.5]], [[0.25], [0.75]])
    """
    corrections = np.array([[one[1] for one in tally.counts] for tally in tallies], np.float64)
    if mixing == "uniform":
        return np.full_like(corrections, 1 / len(tallies))
    if mixing != "mistakes":
        raise ValueError(f"no shares make a mixture {mixing}")
    # Whole numbers below 2^53: their sum is exact in any order.
    total = np.add.accumulate(corrections, axis=0)[-1]
    shares: FloatArray = np.divide(
        corrections, total, out=np.zeros_like(corrections), where=total > 0
    )
    return shares


def apply_mixture(
    base: _native.Online,
    mixed: Sequence[Delta],
    tallies: Sequence[ShardTally],
    others: Sequence[_native.Online] = (),
) -> None:
    """Let the state go on from the mixture: its weights, its sums, and all that was counted.

    mixed : in parts of ascending cells, each the work of a thread.    others : states that get the
    weights too.
    """
    added = [[one[1] for one in tally.counts] for tally in tallies]
    corrections = [sum(each) for each in zip(base.corrections, *added, strict=True)]
    presentations = base.presentations + sum(tally.presentations for tally in tallies)
    try:
        set_cells([base, *others], mixed)
    finally:
        # Also where an interruption came in between: weights and counts are of one epoch.
        base.restore_counts(presentations, corrections, base.lengths)


def set_cells(states: Sequence[_native.Online], parts: Sequence[Delta]) -> None:
    """Let cells of all states hold these numbers from now on: all parts, or none."""
    _native.assign_cells(
        list(states),
        [part.cells for part in parts],
        [part.w for part in parts],
        [part.u for part in parts],
        min(len(parts), count_cores()),
    )
