"""Budgets, one a file: which supports a kernel classifier holds when memory is limited.

Without a budget every corrected example is a support for ever. A budget is asked at each correction
and may drop another, refuse the new one, or project it onto those that are there:

>>> from hardlimit import KernelClassifier, budgets
>>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 1, 0, 1, 0, 1]
>>> clf = KernelClassifier("rbf", budget=budgets.RemoveOldest(3), max_iter=20, until=None)
>>> clf.fit(X, y).n_support_ <= 3
True

A budget counts corrections, so that an example that was corrected twice is two of them. With as
many as there are corrections, or more, the run is the one without a budget, to the last bit. Each
output of ``multiclass="ovr"`` has a budget of its own.

By name: ``remove-oldest``, ``random-removal``, ``stoptron``, ``forgetron``, ``projectron``,
``projectron-plus-plus``.
"""

from __future__ import annotations

from typing import Any

from hardlimit.budgets._protocol import NEGLIGIBLE, Budget
from hardlimit.exceptions import KindError, Suggestion
from hardlimit.foundation.register import Register

__all__ = ["NEGLIGIBLE", "Budget", "names", "resolve"]

BUDGETS: Register[Budget] = Register("budget", Budget)
BUDGETS.discover(globals())


def names() -> list[str]:
    """Names of all budgets, sorted."""
    return BUDGETS.names()


def resolve(budget: Budget | str | dict[str, Any] | None) -> Budget | None:
    """The budget of that name, or the budget itself; None stays None.

    Raises
    ------
    InputError
        A name that no budget has.
    KindError
        Neither a name nor a budget.
    """
    if budget is None:
        return None
    if not isinstance(budget, str | dict | Budget):
        raise KindError(
            parameter="budget",
            got=budget,
            wanted=(
                "None, an object such as ",
                Suggestion("budgets.Forgetron", size=100),
                f", or one of {', '.join(names())}",
            ),
        )
    resolved = BUDGETS.resolve(budget)
    if not BUDGETS.holds(resolved):
        raise KindError(
            "budgets are compiled, so that a class of your own has nothing that could run",
            parameter="budget",
            got=resolved,
            wanted="an object of one of hardlimit.budgets' own classes",
        )
    return resolved
