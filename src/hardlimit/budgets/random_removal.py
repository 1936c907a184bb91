"""The randomised budget perceptron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hardlimit.budgets._protocol import Budget, check_size


@dataclass(frozen=True)
class RandomRemoval(Budget):
    """Before a correction beyond the budget one of those held, each as likely, is taken back.

    Any rule that adds multiples of the examples will do. The draws are those of ``random_state``,
    the same everywhere: removal number m takes
    ``engine.draw_with_replacement(size, random_state, m)[0]``, counted from the oldest.

    size : corrections held, a whole number >= 1.

    Cavallanti, Cesa-Bianchi and Gentile, Machine Learning 69 (2007), bound the expected number of
    mistakes against targets that shift slowly.
    """

    forgets: ClassVar[bool] = True
    size: int = 100

    def __post_init__(self) -> None:
        check_size(self)
