"""The dual form on a budget: each correction is an entry in a memory that is kept small."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from hardlimit.budgets import BUDGETS, Budget
from hardlimit.budgets import resolve as resolve_budget
from hardlimit.exceptions import InputError
from hardlimit.textbook.data import Examples
from hardlimit.textbook.dual_form import Kernel, gram
from hardlimit.textbook.forgetting import Forgetful
from hardlimit.textbook.memories import Memory, Oldest, Randomly, Spent
from hardlimit.textbook.plan import Order, number_epochs
from hardlimit.textbook.projecting import Projecting
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
    budget: Budget | str,
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
    resolved = resolve_budget(budget)  # refuses what is no budget of the package
    if resolved is None:
        raise InputError(parameter="budget", got=None, wanted="a budget, or textbook.dual")
    memory = _MEMORIES[BUDGETS.name_of(resolved)](examples, gram(examples, kernel), resolved, seed)
    n, counts, k = len(examples), [0] * len(examples), 0

    def outcome(reason: str, epochs: int) -> Outcome:
        alpha: list[Any] = [examples.number(0)] * n
        for j, c in memory.held:
            alpha[j] += examples.targets[j] * c
        wrong = tuple(i for i in range(n) if memory.margin(i) <= 0)
        return Outcome(reason, (), k, epochs, tuple(counts), tuple(alpha), wrong)

    epoch = 0
    for epoch, rows in number_epochs(order, n, max_iter):
        corrected = missed = 0
        for i in rows:
            margin = memory.margin(i)
            missed += margin <= 0
            memory.told = None
            # Projectron++ also moves for small positive margins; all others correct mistakes only.
            done = margin < max(resolved.required, 0) or margin <= 0
            done = done and memory.learn(i, margin)
            k, counts[i], corrected = k + done, counts[i] + done, corrected + done
            yield BudgetStep(epoch, i, k, margin, done, tuple(map(tuple, memory.held)), memory.told)
        # What was forgotten since may be wrong again, so that all margins are looked at anew.
        if until is not None and not missed and all(memory.margin(i) > 0 for i in range(n)):
            return outcome("separated", epoch)
        if until is not None and not corrected and len(set(rows)) == n:
            return outcome("settled", epoch)
    return outcome("max_iter", epoch)


_MEMORIES: dict[str, type[Memory]] = {
    "remove-oldest": Oldest,
    "random-removal": Randomly,
    "stoptron": Spent,
    "forgetron": Forgetful,
    "projectron": Projecting,
    "projectron-plus-plus": Projecting,
}
