"""A budget that is spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_size


@dataclass(frozen=True)
class Stoptron(Budget):
    """After ``size`` corrections nothing is learnt any more.

    The yardstick of the others: what they hold beyond it, they learnt by forgetting. Any rule that
    adds multiples of the examples will do, and every read-out. A fit that has spent it ends as
    ``settled`` where mistakes are left.

    size : corrections made, a whole number >= 1.

    Orabona, Keshet and Caputo, JMLR 10 (2009), section 6, compare with it.
    """

    votes: ClassVar[bool] = True
    size: int = 100

    def __post_init__(self) -> None:
        check_size(self)
