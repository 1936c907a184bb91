"""Mixing with momentum: a mixture of shards that goes on as it went.

The mean of m shards divides by m what only one of them has learnt, and needs many epochs to make up
for it. Here a cell (a weight) moves once more by a part of its last move::

    y   the weights at which all shards begin;  d_i = w_i - y, what shard i moved
    x'  = y + sum_i d_i / s                the mixture of this epoch
    y'  = x' + beta (x' - x)               the weights at which the next epoch begins
    x   : the x' of the epoch before where that moved the cell, else y

    inertial        s = m                beta = (t - 1) / t          in epoch t = 1, 2, ...
    accelerated     s = sqrt(m n)        beta = (t - 1) / (t + 2)    n : shards that moved the cell

A shard has moved a cell if by more than 2^-32 of y: less may be rounding. Cells that no shard moved
stay. All weights that are shown, answer and are stored are y. One shard has no momentum.
What is remembered between epochs is the lead ``y - x`` of the cells that the last epoch moved.

``inertial`` keeps the mean and takes the longest momentum: with passive-aggressive and its kin the
last weights of 8 and 16 shards then predict like those of one run. ``accelerated`` also moves
further than the mean: with hundreds of shards it is far better than ``uniform``. Dividing by
``sqrt(m n)`` lies between the
mean over all shards and that over the shards that moved the cell: Agarwal, Chapelle, Dudik and
Langford, A reliable effective terascale linear learning system, JMLR 15 (2014); Gordon and Gordon,
Component-averaged row projections, SIAM Journal on Scientific Computing 27 (2005). Of equal moves
of n shards it makes ``sqrt(n / m)`` moves, which is never more than one. ``beta`` is Nesterov's
sequence (1983) as in Beck and Teboulle, SIAM Journal on Imaging Sciences 2 (2009); momentum between
mixtures is that of Chen and Huo, Scalable training of deep learning machines by incremental block
training, ICASSP 2016; that cells which stand still lose theirs is the restart of O'Donoghue and
Candes, Foundations of Computational Mathematics 15 (2015).

No theorem promises what this reaches: the weights are no convex combination of the shards', and the
bounds of parameter mixing are not those of this run. The end of a separable run is as safe as any:
an epoch without a correction in any shard moves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hardlimit import _native
from hardlimit.foundation.types import FloatArray, IntArray


class Delta(NamedTuple):
    """The cells that an epoch moved, and what they hold at its end.

    cells : column * n_outputs + output, ascending, the bias's column last.    u : what the average
    is computed from; None where nobody keeps it.
    """

    cells: IntArray
    w: FloatArray
    u: FloatArray | None


class ShardTally(NamedTuple):
    """Presentations of an epoch, and (mistakes, corrections, short of the aim) of each neuron."""

    presentations: int
    counts: tuple[tuple[int, int, int], ...]


class Momentum(NamedTuple):
    """How a mixture goes on.

    by_movers : whether moves are divided by ``sqrt(m n)`` and not by m.    lag : of beta, which is
    ``(t - 1) / (t - 1 + lag)``.
    """

    by_movers: bool
    lag: int

    def beta(self, presentations: int, in_epoch: int) -> float:
        """Return what is added of a cell's last move, after so many presentations.

        >>> [MOMENTA["accelerated"].beta(40 * epoch, 40) for epoch in range(4)]
        [0.0, 0.25, 0.4, 0.5]
        >>> [MOMENTA["inertial"].beta(40 * epoch, 40) for epoch in range(4)]
        [0.0, 0.5, 0.6666666666666666, 0.75]
        """
        done = presentations // in_epoch if in_epoch else 0
        return done / (done + self.lag)


MOMENTA = {"accelerated": Momentum(True, 3), "inertial": Momentum(False, 1)}


class Lead(NamedTuple):
    """How far cells are ahead of the mixture itself: ``y - x``, of ascending cells."""

    cells: IntArray
    numbers: FloatArray


def no_lead() -> Lead:
    """Return that of the first epoch."""
    return Lead(np.empty(0, np.int64), np.empty(0))


def join_leads(parts: Sequence[Lead]) -> Lead:
    """Return the leads of parts of the cells, ascending, as one."""
    return Lead(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def accelerate(
    momentum: Momentum,
    base: _native.Online,
    deltas: Sequence[Delta],
    tallies: Sequence[ShardTally],
    mixed: Delta,
    lead: Lead,
    clock: int,
) -> tuple[Delta, Lead]:
    """Return where the cells of a mixture of equal shares go, and their lead.

    deltas : of all shards; of a part of the cells each cell by itself is the same
    clock : what weights count in the sums of the average after the epoch

    Cost: O(cells that any shard moved).
    """
    w, u, numbers = _native.accelerate_cells(
        base,
        [delta.cells for delta in deltas],
        [delta.w for delta in deltas],
        mixed.cells,
        mixed.w,
        mixed.u,
        lead.cells,
        lead.numbers,
        momentum.by_movers,
        momentum.beta(base.presentations, sum(tally.presentations for tally in tallies)),
        float(clock),
    )
    return Delta(mixed.cells, w, u), Lead(mixed.cells, numbers)
