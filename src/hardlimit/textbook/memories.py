"""What a budget holds: entries of an example and its signed coefficient, the oldest first."""

from __future__ import annotations

from typing import Any

from hardlimit.engine import draw_with_replacement
from hardlimit.foundation.exact_numbers import Scalar
from hardlimit.textbook.data import Examples


class Memory:
    """What is held: entries of an example and its signed coefficient, the oldest first."""

    def __init__(self, examples: Examples, K: list[list[Any]], budget: Any, seed: int) -> None:
        self.examples, self.K, self.budget, self.seed = examples, K, budget, seed
        self.t, self.number = examples.targets, examples.number
        self.held: list[list[Any]] = []
        self.told: Any = None

    def margin(self, i: int) -> Any:
        """``t_i score(x_i)``."""
        return self.t[i] * sum((c * self.K[j][i] for j, c in self.held), self.number(0))

    def learn(self, i: int, margin: Scalar) -> bool:
        """Correct example i as the budget wants; False if nothing changed."""
        raise NotImplementedError

    def add(self, i: int) -> bool:
        """Hold example i with the coefficient t_i."""
        self.held.append([i, self.number(self.t[i])])
        return True

    @property
    def full(self) -> bool:
        """Whether one more would be beyond the budget."""
        return bool(len(self.held) >= self.budget.size)


class Oldest(Memory):
    """RemoveOldest."""

    def learn(self, i: int, margin: Scalar) -> bool:
        """The first goes, the new one comes."""
        if self.full:
            self.told = self.held.pop(0)[0]
        return self.add(i)


class Randomly(Memory):
    """RandomRemoval."""

    removals = 0

    def learn(self, i: int, margin: Scalar) -> bool:
        """One of all goes, the new one comes."""
        if self.full:
            # The same lots as the compiled budget's: the seed, and how many were drawn before.
            place = int(draw_with_replacement(self.budget.size, self.seed, self.removals)[0])
            self.told = self.held.pop(place)[0]
            self.removals += 1
        return self.add(i)


class Spent(Memory):
    """Stoptron."""

    def learn(self, i: int, margin: Scalar) -> bool:
        """Nothing more, once the budget is spent."""
        return not self.full and self.add(i)
