"""Fronts of the compiled budgets."""

from __future__ import annotations

from hardlimit import _native
from hardlimit.exceptions import KindError


def new_holding(
    name: str, parameters: dict[str, float], seed: int, negligible: float
) -> _native.Holding:
    """The compiled budget of that name."""
    holding = _native.compiled_budget(name, parameters, seed, negligible)
    if holding is None:
        raise KindError("there is no compiled twin of that name", parameter="budget", got=name)
    return holding
