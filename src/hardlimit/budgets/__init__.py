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
from hardlimit.exceptions import KindError
from hardlimit.foundation.discovery import defined_classes
from hardlimit.foundation.register import Register

__all__ = ["NEGLIGIBLE", "Budget", "names", "resolve"]

_found = []
for _value in defined_classes(__name__, list(__path__)):
    globals()[_value.__name__] = _value
    __all__.append(_value.__name__)  # noqa: PYI056
    _found.append(_value)

BUDGETS = Register("budget", _found)


def names() -> list[str]:
    """Names of all budgets, sorted."""
    return sorted(BUDGETS.classes)


def resolve(budget: Any) -> Budget | None:
    """The budget of that name, or the budget itself; None stays None.

    Raises
    ------
    InputError
        A name that no budget has.
    KindError
        Neither a name nor a budget.
    """
    if budget is None or isinstance(budget, Budget):
        return budget
    if isinstance(budget, str | dict):
        made: Budget = BUDGETS.from_json(budget)
        return made
    raise KindError(
        f"budget: got {budget!r}, wanted None, an object such as budgets.Forgetron(100), or one of "
        f"{', '.join(names())}"
    )
