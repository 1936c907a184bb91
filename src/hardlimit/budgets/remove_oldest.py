"""The newest corrections count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_size


@dataclass(frozen=True)
class RemoveOldest(Budget):
    """Before a correction beyond the budget the oldest one is taken back.

    Any rule that adds multiples of the examples will do. No bound on the mistakes is known; on a
    drifting stream it forgets what is past.

    size : corrections held, a whole number >= 1.

    Crammer, Kandola and Singer, NIPS 16 (2003), remove examples likewise.
    """

    forgets: ClassVar[bool] = True
    size: int = 100

    def __post_init__(self) -> None:
        check_size(self)
