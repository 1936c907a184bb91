"""Iterative parameter mixing: shards learn an epoch each, and the weights are mixed."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardlimit.exceptions import Given, InputError
from hardlimit.foundation.exact_numbers import Vector, dot, scale, total
from hardlimit.textbook.asking import RuleLike
from hardlimit.textbook.data import Examples
from hardlimit.textbook.incremental_mode import incremental
from hardlimit.textbook.steps import Step

if TYPE_CHECKING:
    from hardlimit.foundation.exact_numbers import Number

ShardOrder = Callable[[int, int], Sequence[int]] | None


@dataclass(frozen=True)
class MixedEpoch:
    """What an epoch of all shards came to.

    w : the mixture, or where it went on to.    shares : mu of each shard.
    corrections : k of each shard.
    average : the mean of all hypotheses of all shards so far, counted after each presentation.
    separates : whether w separates the rows of all shards.
    """

    epoch: int
    w: Vector
    shares: tuple[Any, ...]
    corrections: tuple[int, ...]
    average: Vector
    separates: bool

    @property
    def weighted(self) -> Any:
        """``sum_i mu_i k_i``, whose sum over the epochs is at most ``R^2 / gamma^2``."""
        return sum(mu * k for mu, k in zip(self.shares, self.corrections, strict=True))


def mixed(
    shards: Sequence[Examples],
    rule: RuleLike = "perceptron",
    *,
    mixing: str = "mistakes",
    order: ShardOrder = None,
    max_iter: int = 1000,
) -> Generator[MixedEpoch, None, None]:
    """Let every shard learn an epoch from the same weights, and mix; end when nothing is wrong.

    ::

        for each epoch:  for each shard i:  w_i, k_i = an epoch over its rows, from w
                         w = sum_i mu_i w_i

    ``mistakes``: ``mu_i = k_i / sum_j k_j``; ``uniform``: one over the number of shards. Mixing
    only once, at the end, may fail to separate what every shard separates.

    ``inertial`` and ``accelerated`` go on from there, column by column, in epoch t::

        inertial:      x' = w + sum_i (w_i - w) / m;           w' = x' + (t - 1) / t (x' - x)
        accelerated:   x' = w + sum_i (w_i - w) / sqrt(m n);   w' = x' + (t - 1) / (t + 2) (x' - x)

    n of m shards moved the column. x is the x' of the epoch before where that moved the column,
    else w. A move is more than 2^-32 of w. The root is rounded as a float; one shard has no
    momentum. See :mod:`hardlimit.engine.acceleration`.

    Parameters
    ----------
    shards
        Examples of the same columns and kind of numbers; Fractions stay exact.
    order
        None: as the rows lie; else a function of the shard 0, 1, ... and the epoch 1, 2, ...

    McDonald, Hall and Mann, NAACL 2010, Figure 3 and Theorem 3.

    Examples
    --------
    >>> from hardlimit import textbook
    >>> rows = [[[-1, -1], [1, -1]], [[-1, 1], [1, 1]]]
    >>> shards = [textbook.examples(r, t) for r, t in zip(rows, [[-1, 1], [1, 1]], strict=True)]
    >>> for one in textbook.mixed(shards):
    ...     print(one.epoch, *map(str, one.w), *map(str, one.shares), one.separates)
    1 1 1/3 -1/3 2/3 1/3 False
    2 0 4/3 -4/3 0 1 False
    3 2 4/3 -4/3 1 0 True
    4 2 4/3 -4/3 1/2 1/2 True
    """
    if mixing not in ("mistakes", "uniform", "inertial", "accelerated"):
        wanted = "'mistakes', 'uniform', 'inertial' or 'accelerated'"
        raise InputError(parameter="mixing", got=mixing, wanted=wanted)
    if not shards:
        raise InputError(parameter="shards", got=Given("none"), wanted="at least one")
    number = shards[0].number
    w = summed = behind = shards[0].start(None)
    rows = sum(map(len, shards))
    for epoch in range(1, max_iter + 1):
        runs = [_run(shard, rule, w, order and order(i, epoch)) for i, shard in enumerate(shards)]
        corrections = tuple(sum(step.corrected for step in steps) for steps in runs)
        shares = _shares(corrections, mixing, number)
        ends = [steps[-1].w_after for steps in runs]
        if mixing in ("inertial", "accelerated") and len(shards) > 1:
            w, behind = _go_on(w, behind, ends, epoch, number, mixing)
        else:
            w = total([scale(mu, end) for mu, end in zip(shares, ends, strict=True)], len(w))
        summed = total([summed, *(one.w_after for steps in runs for one in steps)], len(w))
        average = scale(number(1) / number(epoch * rows), summed)
        separates = all(dot(w, z) > 0 for shard in shards for z in shard.signed)
        yield MixedEpoch(epoch, w, shares, corrections, average, separates)
        if not any(corrections):
            return


def _run(shard: Examples, rule: RuleLike, w: Vector, order: Sequence[int] | None) -> list[Step]:
    orders = None if order is None else [order]
    return list(incremental(shard, rule, w=w, order=orders, until=None, max_iter=1))


def _shares(corrections: Sequence[int], mixing: str, number: Number) -> tuple[Any, ...]:
    k = sum(corrections)
    if mixing != "mistakes" or not k:
        return tuple(number(1) / number(len(corrections)) for _ in corrections)
    return tuple(number(own) / number(k) for own in corrections)


def _go_on(
    w: Vector, behind: Vector, ends: Sequence[Vector], epoch: int, number: Number, mixing: str
) -> tuple[Vector, Vector]:
    """Return where the weights go, and the mixture itself, which they are ahead of."""
    beta = number(epoch - 1) / number(epoch if mixing == "inertial" else epoch + 2)
    ahead, mixture = list(w), list(w)
    for column, at in enumerate(w):
        least = abs(at) / number(2**32)
        moves = [end[column] - at for end in ends if abs(end[column] - at) > least]
        if not moves:
            continue  # it stays, and is ahead of nothing
        m, n = len(ends), len(moves)
        by = number(m if mixing == "inertial" else math.sqrt(m * n))
        mixture[column] = at + sum(moves, number(0)) / by
        ahead[column] = mixture[column] + beta * (mixture[column] - behind[column])
    return type(w)(ahead), type(w)(mixture)
