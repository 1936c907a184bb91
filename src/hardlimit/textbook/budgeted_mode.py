"""The dual form on a budget: each correction is an entry in a memory that is kept small."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from hardlimit import budgets
from hardlimit.engine import draw_with_replacement
from hardlimit.textbook.data import Examples
from hardlimit.textbook.dual_form import Kernel, gram
from hardlimit.textbook.incremental_mode import Order, rows_of
from hardlimit.textbook.steps import Outcome


@dataclass(frozen=True)
class BudgetStep:
    """One line: an example is looked at, and what is held after it."""

    epoch: int
    example: int
    step: int
    margin: Any
    corrected: bool
    held: tuple[tuple[int, Any], ...]  # example and signed coefficient, the oldest first
    told: Any = None  # what the budget says of this step


def budgeted(
    examples: Examples,
    budget: Any,
    *,
    kernel: Kernel | None = None,
    order: Order = None,
    seed: int = 0,
    until: str | None = "separated",
    max_iter: int = 1000,
) -> Generator[BudgetStep, None, Outcome]:
    """The kernel perceptron on a budget of :mod:`hardlimit.budgets`, slow and obvious.

    ::

        margin = t_i sum_(j, c) held  c K(x_j, x_i)
        if margin <= 0:   the budget decides what is held from now on

    Works on Fractions too, but for the Forgetron, which takes a square root. ``seed`` is of
    RandomRemoval. ``counts`` of the outcome are corrections, ``alpha`` what is held in the end.

    Examples
    --------
    >>> from hardlimit import budgets, textbook
    >>> ex = textbook.examples([[1], [2], [3]], [1, -1, 1], bias_feature=None, number=int)
    >>> for step in textbook.budgeted(ex, budgets.RemoveOldest(2), max_iter=1):
    ...     print(step.example, step.margin, step.held)
    0 0 ((0, 1),)
    1 -2 ((0, 1), (1, -1))
    2 -3 ((1, -1), (2, 1))
    """
    memory = _memory_of(budget)(examples, gram(examples, kernel), budget, seed)
    n, counts, k = len(examples), [0] * len(examples), 0

    def outcome(reason: str, epochs: int) -> Outcome:
        alpha: list[Any] = [examples.number(0)] * n
        for j, c in memory.held:
            alpha[j] += examples.targets[j] * c
        wrong = tuple(i for i in range(n) if memory.margin(i) <= 0)
        return Outcome(reason, (), k, epochs, tuple(counts), tuple(alpha), wrong)

    for epoch in range(1, max_iter + 1):
        rows = rows_of(order, epoch, n)
        if rows is None:
            return outcome("max_iter", epoch - 1)
        corrected = missed = 0
        for i in rows:
            margin = memory.margin(i)
            missed += margin <= 0
            memory.told = None
            done = margin < max(budget.required, 0) or margin <= 0
            done = done and memory.learn(i, margin)
            k, counts[i], corrected = k + done, counts[i] + done, corrected + done
            yield BudgetStep(epoch, i, k, margin, done, tuple(map(tuple, memory.held)), memory.told)
        if until is not None and not missed and all(memory.margin(i) > 0 for i in range(n)):
            return outcome("separated", epoch)
        if until is not None and not corrected and len(set(rows)) == n:
            return outcome("settled", epoch)
    return outcome("max_iter", max_iter)


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

    def learn(self, i: int, margin: Any) -> bool:
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

    def learn(self, i: int, margin: Any) -> bool:
        """The first goes, the new one comes."""
        if self.full:
            self.told = self.held.pop(0)[0]
        return self.add(i)


class Randomly(Memory):
    """RandomRemoval."""

    removals = 0

    def learn(self, i: int, margin: Any) -> bool:
        """One of all goes, the new one comes."""
        if self.full:
            place = int(draw_with_replacement(self.budget.size, self.seed, self.removals)[0])
            self.told = self.held.pop(place)[0]
            self.removals += 1
        return self.add(i)


class Spent(Memory):
    """Stoptron."""

    def learn(self, i: int, margin: Any) -> bool:
        """Nothing more, once the budget is spent."""
        return not self.full and self.add(i)


def _memory_of(budget: Any) -> type[Memory]:
    # here, because these two are made of what stands above
    from hardlimit.textbook.forgetting import Forgetful
    from hardlimit.textbook.projecting import Projecting

    memories: dict[str, type[Memory]] = {
        "remove-oldest": Oldest,
        "random-removal": Randomly,
        "stoptron": Spent,
        "forgetron": Forgetful,
        "projectron": Projecting,
        "projectron-plus-plus": Projecting,
    }
    return memories[budgets.BUDGETS.name_of(budgets.resolve(budget))]
