"""Who is presented next.

``cyclic``
    the rows as they lie, every epoch.
``shuffled``
    a new permutation each epoch.
``blocks``
    blocks of neighbouring rows, the blocks in a new order each epoch: memory gives many sparse rows
    faster in a row than one by one.
``stream``
    blocks of neighbouring rows, the rows of each in a new order each epoch; in the first epoch the
    blocks come as they lie. It needs no more than a block in memory: the order of ``fit_stream``.
``random``
    draws with replacement, as many as there are rows; the pocket's theorem needs it.
``worst``
    at each step the row that is furthest from what the rule requires of it. The perceptron in this
    order is MinOver (Krauth and Mezard, J. Phys. A 20, 1987). An epoch is as many steps as there
    are rows, and ends early when nothing violates. The scores of all rows are kept and moved by a
    row of the Gram matrix at each correction: O(n_rows) a step, once the few rows that come again
    and again are known.
``batch``
    all violators of fixed weights at once: an epoch is one iteration, and ``step`` counts those.
    Their corrections are added up (perceptrons) or averaged (relaxation, whose plain sum diverges
    for most of the range 0 < eta < 2 that textbooks give it: a common slip).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hardlimit.engine import draw_with_replacement, shuffle
from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float, is_among
from hardlimit.foundation.register import Choice, Register
from hardlimit.foundation.types import IntArray

# The golden ratio of 2**63, made odd.
_BLOCKS_APART = 0x4F1BBCDCBFA53E0B


class Order(Choice):
    """Base of the orders: frozen dataclasses with ``positions``.

    loop : who picks the examples: "online" (``positions`` does), "worst" or "batch" (the weights
        do).      shows_all : whether an epoch shows every example.
    """

    loop: ClassVar[str] = "online"
    shows_all: ClassVar[bool] = True

    def positions(self, n: int, seed: int, epoch: int) -> IntArray | None:
        """Return the numbers of the examples of an epoch, counted from 0; None as they lie."""
        raise NotImplementedError


@dataclass(frozen=True)
class Cyclic(Order):
    """The rows as they lie, every epoch: the order of the blackboard."""

    def positions(self, n: int, seed: int, epoch: int) -> None:
        """None: as they lie."""
        return None


@dataclass(frozen=True)
class Shuffled(Order):
    """A new permutation each epoch, from the seed and the epoch's number alone."""

    def positions(self, n: int, seed: int, epoch: int) -> IntArray:
        """A permutation of 0 .. n-1 (int64)."""
        return shuffle(n, seed, epoch)


def _block_size(who: str, given: object) -> int:
    """Return the rows of a block as a whole number."""
    size = as_float(given)
    if not size.is_integer() or not 1 <= size <= 2**31:
        raise InputError(who=who, parameter="size", got=given, wanted="a whole number from 1 on")
    return int(size)


@dataclass(frozen=True)
class Blocks(Order):
    """A new permutation of blocks each epoch; within a block the rows as they lie.

    The rows should lie in no particular order: neighbours of one class are shown one after the
    other, as ``cyclic`` shows them. An epoch over sparse rows beyond the processor's caches takes
    less time than a shuffled one.

    size : rows of a block, 1 or more; the last block has what is left. 1 is ``shuffled``.

    Examples
    --------
    >>> Blocks(size=3).positions(8, seed=0, epoch=0).tolist()
    [0, 1, 2, 6, 7, 3, 4, 5]
    """

    size: int = 64

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", _block_size("orders.Blocks", self.size))

    def positions(self, n: int, seed: int, epoch: int) -> IntArray:
        """A permutation of 0 .. n-1 (int64), block by block."""
        size = max(1, min(self.size, n))
        begins = shuffle(-(-n // size), seed, epoch) * size
        positions: IntArray = (begins[:, None] + np.arange(size)).ravel()
        return positions[positions < n]


@dataclass(frozen=True)
class Stream(Order):
    """Blocks of neighbouring rows, each shuffled inside: the order of ``fit_stream``.

    In the first epoch the blocks come as they lie, so that nothing need be known of those to come;
    in later ones in a new permutation each. ``fit(order="stream")`` presents the rows in the same
    order from memory.

    size : rows of a block, 1 or more; the last block has what is left.

    Examples
    --------
    >>> order = Stream(size=3)
    >>> order.positions(8, seed=0, epoch=0).tolist()
    [0, 2, 1, 5, 4, 3, 7, 6]
    >>> order.positions(8, seed=0, epoch=1).tolist()
    [0, 1, 2, 7, 6, 4, 3, 5]
    """

    size: int = 1024

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", _block_size("orders.Stream", self.size))

    def blocks(self, n: int, seed: int, epoch: int) -> IntArray:
        """Return the order of n blocks in an epoch, counted from 0."""
        return np.arange(n) if epoch == 0 else shuffle(n, seed, epoch)

    def inside(self, n: int, block: int, seed: int, epoch: int) -> IntArray:
        """Return the order of the n rows of a block, whose number is that in the file."""
        # A multiple of an odd number: a seed and its neighbour share no permutation.
        return shuffle(n, (seed + _BLOCKS_APART * (block + 1)) % 2**63, epoch)

    def positions(self, n: int, seed: int, epoch: int) -> IntArray:
        """A permutation of 0 .. n-1 (int64), block by block."""
        size = self.size
        parts = [
            block * size + self.inside(min(size, n - block * size), block, seed, epoch)
            for block in self.blocks(-(-n // size), seed, epoch).tolist()
        ]
        positions: IntArray = np.concatenate(parts) if parts else np.empty(0, np.int64)
        return positions


@dataclass(frozen=True)
class Random(Order):
    """n draws with replacement each epoch, from the seed and the epoch's number alone."""

    shows_all: ClassVar[bool] = False

    def positions(self, n: int, seed: int, epoch: int) -> IntArray:
        """As many numbers of 0 .. n-1 (int64)."""
        return draw_with_replacement(n, seed, epoch)


@dataclass(frozen=True)
class Worst(Order):
    """The smallest margin first, less what is required; with the perceptron this is MinOver."""

    loop: ClassVar[str] = "worst"

    def positions(self, n: int, seed: int, epoch: int) -> None:
        """None: the weights decide."""
        return None


@dataclass(frozen=True)
class Batch(Order):
    """All violators of fixed weights at once.

    combine : "sum", "average" over the violators, or None: what the rule prefers.
    theta : ends the fit at the first iteration whose step is shorter, ``||eta sum tau y x|| <
        theta``; None never. The textbook's stop criterion, which is no separation: where examples
        are wrong then, the stop reason is ``small_step``.
    """

    combine: str | None = None
    theta: float | None = None
    loop: ClassVar[str] = "batch"

    def __post_init__(self) -> None:
        combine: object = self.combine
        if combine is not None and not is_among(combine, ("sum", "average")):
            raise InputError(
                who="orders.Batch",
                parameter="combine",
                got=self.combine,
                wanted="'sum', 'average' or None",
            )
        if self.theta is not None and not 0 < as_float(self.theta) < math.inf:
            raise InputError(
                who="orders.Batch",
                parameter="theta",
                got=self.theta,
                wanted="a finite number > 0, or None",
            )

    def positions(self, n: int, seed: int, epoch: int) -> None:
        """None: all of them."""
        return None


ORDERS: Register[Order] = Register(
    "order", Order, (Cyclic, Shuffled, Blocks, Stream, Random, Worst, Batch)
)
OrderLike = Order | str | dict[str, object]


def resolve(order: OrderLike) -> Order:
    """Return the order of that name, or the order itself.

    >>> resolve("cyclic")
    Cyclic()
    """
    return ORDERS.resolve(order)


def to_json(order: Order) -> Any:
    """Return the plain JSON of an order; no theta is left out, as in files of before.

    >>> to_json(Batch("sum")), to_json(Batch(theta=0.5))["parameters"]["theta"]
    ({'name': 'batch', 'parameters': {'combine': 'sum'}}, 0.5)
    """
    written = ORDERS.to_json(order)
    if isinstance(written, dict) and getattr(order, "theta", 1) is None:
        del written["parameters"]["theta"]
    return written
