"""Who is presented next.

An order gives the rows of one epoch as positions, or None for "as they lie".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hardlimit.engine import shuffled
from hardlimit.exceptions import InputError


@dataclass(frozen=True)
class Cyclic:
    """The rows as they lie, every epoch: the order of the blackboard."""

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """None: as they lie."""
        return None


@dataclass(frozen=True)
class Shuffled:
    """A new permutation each epoch, from the seed and the epoch's number alone."""

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """A permutation of 0 .. n-1 (int64)."""
        return shuffled(n, seed, epoch)


Order = Cyclic | Shuffled
ORDERS: dict[str, type[Cyclic] | type[Shuffled]] = {"cyclic": Cyclic, "shuffled": Shuffled}


def resolve(order: str | Order) -> Order:
    """Make the order of that name.

    >>> resolve("cyclic")
    Cyclic()
    """
    if isinstance(order, Cyclic | Shuffled):
        return order
    if order not in ORDERS:
        raise InputError(f"order: got {order!r}, wanted one of {', '.join(ORDERS)}")
    return ORDERS[order]()
