"""What a budget is."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from hardlimit.exceptions import InputError
from hardlimit.foundation.parameters import as_float
from hardlimit.foundation.register import Choice

# Squared distances below this share of K(x, x) are roundings: an example is taken for a combination
# of the supports, whatever eta.
NEGLIGIBLE = 1e-10


class Budget(Choice):
    """Base of the budgets: frozen dataclasses, whose compiled twins decide.

    Attributes
    ----------
    only_perceptron
        Why no other rule goes with it; empty where any does that adds multiples of the examples.
    coupled
        Whether classes may share their corrections.
    votes
        Whether the votes of all hypotheses follow from the corrections: nothing is ever taken back.
    forgets
        Whether supports are removed: an average would have to keep them all.
    required
        The margin below which it wants to be asked.
    inverts
        Whether it keeps the inverse of the supports' Gram matrix, 8 bytes for each pair of them.
    """

    only_perceptron: ClassVar[str] = ""
    coupled: ClassVar[bool] = True
    votes: ClassVar[bool] = False
    forgets: ClassVar[bool] = False
    required: ClassVar[int] = 0
    inverts: ClassVar[bool] = False

    def compiled_parameters(self) -> dict[str, float]:
        """What the compiled twin is made from."""
        return {name: float(value) for name, value in self.get_params().items()}


def check_size(budget: Any) -> None:
    """Refuse a budget below one, and one that is no whole number; 5.0 is 5."""
    size: Any = budget.size
    if not isinstance(size, bool) and as_float(size).is_integer() and size >= 1:
        object.__setattr__(budget, "size", int(size))
        return
    raise InputError(
        who=f"budgets.{type(budget).__name__}",
        parameter="size",
        got=size,
        wanted="a whole number >= 1, the corrections that are held",
        fix="for no limit leave the budget out",
    )


def check_eta(budget: Any, *, zero: bool) -> None:
    """Refuse a tolerance that is no number in its range."""
    eta = as_float(budget.eta)
    if not 0 <= eta < math.inf or (eta == 0 and not zero):
        raise InputError(
            who=f"budgets.{type(budget).__name__}",
            parameter="eta",
            got=budget.eta,
            wanted=f"a number {'>= 0' if zero else '> 0'}, the squared length that may be lost by "
            "a projection",
        )
