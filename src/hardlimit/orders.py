"""Who is presented next.

``cyclic``
    the rows as they lie, every epoch.
``shuffled``
    a new permutation each epoch.
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

from dataclasses import dataclass
from typing import Any, ClassVar

from hardlimit.engine import draw_with_replacement, shuffle
from hardlimit.exceptions import InputError
from hardlimit.foundation.register import Choice, Register


@dataclass(frozen=True)
class Cyclic(Choice):
    """The rows as they lie, every epoch: the order of the blackboard."""

    loop: ClassVar[str] = "online"
    shows_all: ClassVar[bool] = True

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """None: as they lie."""
        return None


@dataclass(frozen=True)
class Shuffled(Choice):
    """A new permutation each epoch, from the seed and the epoch's number alone."""

    loop: ClassVar[str] = "online"
    shows_all: ClassVar[bool] = True

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """A permutation of 0 .. n-1 (int64)."""
        return shuffle(n, seed, epoch)


@dataclass(frozen=True)
class Random(Choice):
    """n draws with replacement each epoch, from the seed and the epoch's number alone."""

    loop: ClassVar[str] = "online"
    shows_all: ClassVar[bool] = False

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """As many numbers of 0 .. n-1 (int64)."""
        return draw_with_replacement(n, seed, epoch)


@dataclass(frozen=True)
class Worst(Choice):
    """The smallest margin first, less what is required; with the perceptron this is MinOver."""

    loop: ClassVar[str] = "worst"
    shows_all: ClassVar[bool] = True

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """None: the weights decide."""
        return None


@dataclass(frozen=True)
class Batch(Choice):
    """All violators of fixed weights at once.

    combine : "sum", "average" over the violators, or None: what the rule prefers.
    """

    combine: str | None = None
    loop: ClassVar[str] = "batch"
    shows_all: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.combine not in (None, "sum", "average"):
            raise InputError(
                f"orders.Batch: got combine={self.combine!r}, wanted 'sum', 'average' or None"
            )

    def positions(self, n: int, seed: int, epoch: int) -> Any:
        """None: all of them."""
        return None


Order = Cyclic | Shuffled | Random | Worst | Batch
ORDERS = Register("order", (Cyclic, Shuffled, Random, Worst, Batch))


def resolve(order: Any) -> Order:
    """The order of that name, or the order itself.

    >>> resolve("cyclic")
    Cyclic()
    """
    if isinstance(order, str | dict):
        made: Order = ORDERS.from_json(order)
        return made
    if isinstance(order, Order):
        return order
    raise InputError(f"order: got {order!r}, wanted one of {', '.join(sorted(ORDERS.classes))}")
